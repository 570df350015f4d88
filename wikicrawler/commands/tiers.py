"""``scrapy tiers URL``: show the tiers that would be tried, and whether their servers answer."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.commands import ScrapyCommand
from scrapy.settings import SETTINGS_PRIORITIES

from wikicrawler import options
from wikicrawler.commands.arguments import add_json, print_lines, read_urls
from wikicrawler.commands.failure import failure_of, log_failure
from wikicrawler.errors import ConfigError
from wikicrawler.explain.tiers import PlanExplanation, TierExplainer
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler


class Command(ScrapyCommand):
    """Exit codes: 0 the servers answer; 1 one does not, or the project failed to start (the log has
    the traceback); 2 wrong arguments or configuration."""

    requires_project = True

    def syntax(self) -> str:
        return "[options] <url> ..."

    def short_desc(self) -> str:
        return "Show which tiers would be tried for a page, and whether their servers answer"

    def long_desc(self) -> str:
        return (
            "Print for each URL the tiers that would be tried, in order, and why. The page itself "
            "is not fetched: the command requests the siteinfo of the wiki's API, and has crawl4ai "
            "render a page that needs no network."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_json(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        quiet = {
            "LOG_LEVEL": "ERROR",
            options.PROGRESS_ENABLED.name: False,
            options.SUMMARY_ENABLED.name: False,
        }
        for name, value in quiet.items():
            if (self.settings.getpriority(name) or 0) < SETTINGS_PRIORITIES["cmdline"]:
                self.settings.set(name, value, priority="cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        urls = read_urls(args)
        process = self.crawler_process
        assert process is not None  # noqa: S101 - Scrapy sets it for this command
        found: list[PlanExplanation] = []
        started = process.crawl(_Explainer, urls=urls, found=found)
        process.start()
        error = failure_of(started)
        if isinstance(error, ConfigError):
            sys.stderr.write(f"scrapy tiers: error: {safe_lines(error)}\n")
            self.exitcode = ExitCode.BAD_CONFIGURATION
        elif error is not None:
            log_failure(error)
            self.exitcode = ExitCode.FAILED
        elif len(found) < len(urls) or not all(x.servers_answer for x in found):
            self.exitcode = 1
        print_lines(json.dumps(asdict(x)) if opts.json else render(x) for x in found)


def render(explanation: PlanExplanation) -> str:
    """Return *explanation* as text."""
    lines = [
        explanation.url,
        f"  site   {explanation.site}",
        f"  order  {', '.join(s.tier for s in explanation.steps)} (by {explanation.order_from})",
    ]
    for number, step in enumerate(explanation.steps, 1):
        mark = "yes" if step.usable else "no"
        lines.append(f"  {number} {step.tier:<9}  {mark:<3}  {one_line(step.why)}")
    return "\n".join(lines)


class _Explainer(Spider):
    """Runs the explainer, which needs a running engine. Sends no requests of its own."""

    name = "tiers"

    def __init__(self, urls: list[str], found: list[PlanExplanation], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.urls = urls
        self.found = found

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> _Explainer:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.explainer = TierExplainer(crawler)
        return spider

    explainer: TierExplainer

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            self.found.append(await self.explainer.explain(url))
        return
        yield  # makes this an async generator
