"""The answer of ``scrapy fields``."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES

from wikicrawler import options
from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.own_spider import crawl_by_name
from wikicrawler.commands.project import require_addon
from wikicrawler.fields.models import CrawlState, Finding, ScrapeResult
from wikicrawler.fields.report.money import counted, format_cost
from wikicrawler.fields.report.rendering import render_report
from wikicrawler.fields.report.table import field_table
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.commands import ScrapyCommand
    from scrapy.crawler import Crawler
    from scrapy.settings import Settings

    from wikicrawler.fields.budget import Sums
    from wikicrawler.fields.models import FieldDefinition

_MAX_CONTENT = 64 << 20
"""Characters of pages that are kept for the report; further ones are listed without their text."""


def prepare(settings: Settings) -> None:
    """Check the project, and leave the terminal to the answer.

    :raises UsageError: the project does not use the add-on
    """
    require_addon(settings)
    quiet = {"LOG_LEVEL": "ERROR", options.SUMMARY_ENABLED.name: False}
    for name, value in quiet.items():
        if (settings.getpriority(name) or 0) < SETTINGS_PRIORITIES["cmdline"]:
            settings.set(name, value, priority="cmdline")


def answer(command: ScrapyCommand, args: list[str], opts: argparse.Namespace) -> None:
    """Crawl for the fields in *args*, and print what was found.

    :raises UsageError: an argument is missing, or the report cannot be written
    """
    opts.spargs = {**_arguments(args, opts), **opts.spargs}
    if opts.html:
        _check_writable(Path(opts.html))
    kept = _Kept(with_content=bool(opts.html))
    path = "wikicrawler.spiders.fields.FieldsSpider"
    crawl_by_name(command, opts, "fields", path, kept.listen)
    if kept.fields is None:
        return  # it did not start; the crawl has said why
    print_lines(kept.lines(get_terminal_size().columns if sys.stdout.isatty() else None))
    if opts.html and not opts.estimate:
        report = kept.report()
        try:
            Path(opts.html).write_text(report, "utf-8")
        except OSError as error:
            sys.stderr.write(f"scrapy fields: error: {opts.html}: {error.strerror}\n")
            command.exitcode = ExitCode.OUTPUT_FAILED
        else:
            print_lines([f"Report: {one_line(opts.html)}"])


def _arguments(args: list[str], opts: argparse.Namespace) -> dict[str, str]:
    """Return the arguments of the spider."""
    if not args or len(args) > 2 or (len(args) == 1 and "schema" not in opts.spargs):
        raise UsageError(
            "give a URL (or a file of URLs) and the fields: scrapy fields https://shop.example/ "
            '"title: string, price: number"'
        )
    is_url = "://" in args[0] and opts.mode != "many"
    given = {"url" if is_url else "urls": args[0]}
    if len(args) == 2:
        given["fields"] = args[1]
    for name in ("mode", "model", "backend", "config", "max_pages", "max_tokens", "max_cost"):
        if getattr(opts, name) is not None:
            given[name] = getattr(opts, name)
    if opts.estimate:
        given["estimate"] = "true"
    return given


def _check_writable(path: Path) -> None:
    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise UsageError(f"--html: {path}: {error.strerror}", print_help=False) from None


class _Kept:
    """What a crawl has brought."""

    def __init__(self, *, with_content: bool) -> None:
        self.fields: list[FieldDefinition] | None = None
        self._sums: Sums | None = None
        self._room = _MAX_CONTENT if with_content else 0
        self._results: list[ScrapeResult] = []
        self._contents: dict[str, str] = {}
        self._state: CrawlState | None = None
        self._estimate: dict[str, Any] | None = None
        self._spider: Any = None

    def listen(self, crawler: Crawler) -> None:
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._scraped, signals.item_scraped)
        crawler.signals.connect(self._closed, signals.spider_closed)

    def _opened(self, spider: Any) -> None:
        self.fields = spider.fields

    def _closed(self, spider: Any) -> None:
        if hasattr(spider, "pages"):
            self._sums = spider.pages.budget.sums

    def _scraped(self, item: dict[str, Any]) -> None:
        values = dict(item)
        kind, content = values.pop("type"), values.pop("content", None)
        if kind == "estimate":
            self._estimate = item
        elif kind == "crawl":
            sources: dict[str, list[Finding]] = {}
            for one in values["findings"]:
                sources.setdefault(one["field"], []).append(Finding.model_validate(one))
            self._state = CrawlState(
                start_url=values["url"],
                merged_data=values["data"],
                sources=sources,
                conflicts=values["conflicts"],
                pages_scraped=values["pages_scraped"],
                is_complete=values["is_complete"],
            )
        else:
            result = ScrapeResult.model_validate(values)
            self._results.append(result)
            if content and len(content) <= self._room:
                self._room -= len(content)
                for url in {result.url, *(finding.url for finding in result.findings)}:
                    self._contents[url] = content

    def lines(self, width: int | None) -> Iterator[str]:
        """Yield the lines of the answer."""
        if self._estimate is not None:
            yield from _estimate_lines(self._estimate)
            return
        assert self.fields is not None  # noqa: S101 - the spider has opened
        yield field_table(self._results, self.fields, self._state, self._sums, width=width)
        for result in self._results:
            if result.error or result.partial:
                what = result.error or f"not read whole: {result.partial}"
                yield f"{one_line(result.url, 200)}: {one_line(what, 300)}"

    def report(self) -> str:
        """Return the page that shows each value in its place."""
        assert self.fields is not None  # noqa: S101 - the spider has opened
        return render_report(self._results, self._contents, self.fields, self._state, self._sums)


def _estimate_lines(found: dict[str, Any]) -> Iterator[str]:
    yield f"{counted(found['pages'], 'page')}, {counted(found['chunks'], 'part')} to read"
    for name in ("least", "likely", "most"):
        usage = found[name]
        tokens = usage["prompt_tokens"] + usage["completion_tokens"]
        yield (
            f"{name:8}{usage['requests']:8,} requests {tokens:12,} tokens"
            f"  {format_cost(usage['cost'])}"
        )
    yield from (f"- {reason}" for reason in found["reasons"])
