"""The answer of ``scrapy tiers``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.settings import SETTINGS_PRIORITIES

from wikicrawler import options
from wikicrawler.commands.arguments import print_lines, read_urls
from wikicrawler.commands.failure import failure_of, log_failure
from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError
from wikicrawler.explain.tiers import PlanExplanation, TierExplainer
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler, CrawlerProcessBase
    from scrapy.settings import Settings


def prepare(settings: Settings) -> None:
    """Check the project, and leave the terminal to the answer.

    :raises UsageError: the project does not use the add-on
    """
    require_addon(settings)
    quiet = {
        "LOG_LEVEL": "ERROR",
        options.PROGRESS_ENABLED.name: False,
        options.SUMMARY_ENABLED.name: False,
    }
    for name, value in quiet.items():
        if (settings.getpriority(name) or 0) < SETTINGS_PRIORITIES["cmdline"]:
            settings.set(name, value, priority="cmdline")


def answer(process: CrawlerProcessBase, args: list[str], *, as_json: bool) -> int:
    """Print the tiers of the pages at the URLs *args*; return the exit code.

    :raises UsageError: one is no URL, or there is none
    """
    urls = read_urls(args)
    found: list[PlanExplanation] = []
    started = process.crawl(_Explainer, urls=urls, found=found)
    process.start()
    wrong = failure_of(started)
    code = 0
    if isinstance(wrong, ConfigError):
        sys.stderr.write(f"scrapy tiers: error: {safe_lines(wrong)}\n")
        code = ExitCode.BAD_CONFIGURATION
    elif wrong is not None:
        log_failure(wrong)
        code = ExitCode.FAILED
    elif len(found) < len(urls) or not all(x.servers_answer for x in found):
        code = 1
    print_lines(json.dumps(asdict(x)) if as_json else render(x) for x in found)
    return code


def render(explanation: PlanExplanation) -> str:
    """Return *explanation* as text."""
    lines = [
        explanation.url,
        f"  site   {explanation.site}",
        f"  order  {', '.join(s.tier for s in explanation.steps)} (by {explanation.order_from})",
    ]
    lines += [f"  log-in {one_line(explanation.login)}"] if explanation.login else []
    lines += [f"  proxy  {one_line(explanation.proxy)}"] if explanation.proxy else []
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
