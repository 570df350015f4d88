"""Whole crawls with the project's own settings, in the test's process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.crawler import CrawlerRunner
from scrapy.settings import Settings
from scrapy.utils.defer import maybe_deferred_to_future

import wikicrawler.settings
from wikicrawler.signals import page_skipped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from scrapy.http import Response

FAST = {
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60_000,
    "DOMAIN_THROTTLE_MAX_DELAY": 0,  # keeps the pace when an answer is slow
    "WIKICRAWLER_RETRY": {
        429: [0.05, 0.05],
        503: [0.05],
        "timeout": [0.05],
        "network": [0.05],
    },
    "WIKICRAWLER_CONTENT_WORKERS": 0,
    "WIKICRAWLER_PRIVATE_HOSTS": ["127.0.0.0/8"],
    "WIKICRAWLER_PROGRESS_ENABLED": False,
    "LOG_LEVEL": "INFO",
}


class Outcome:
    """What a crawl did."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.responses: list[Response] = []
        self.failures: list[BaseException] = []
        self.skipped: list[dict[str, Any]] = []
        self.stats: dict[str, Any] = {}
        self.spider: Spider | None = None

    def reasons(self) -> dict[str, str]:
        """Reason of each skipped page by its URL."""
        return {skip["url"]: str(skip["reason"]) for skip in self.skipped}


class Pages(Spider):
    """Asks for the given requests as any spider would, and keeps what it got."""

    name = "pages"
    outcome: Outcome

    def __init__(self, requests: Iterable[Request | str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.requests = [Request(r) if isinstance(r, str) else r for r in requests]

    async def start(self) -> AsyncIterator[Request]:
        for request in self.requests:
            request.errback = self.failed
            yield request

    def parse(self, response: Response) -> None:
        self.outcome.responses.append(response)

    def failed(self, failure: Any) -> None:
        self.outcome.failures.append(failure.value)


def project_settings(**overrides: Any) -> Settings:
    settings = Settings()
    settings.setmodule(wikicrawler.settings, priority="project")
    settings.setdict(FAST, priority="cmdline")
    settings.setdict(overrides, priority="cmdline")
    return settings


async def run(spidercls: type[Spider], settings: Settings, **arguments: Any) -> Outcome:
    """Crawl to the end."""
    outcome = Outcome()
    crawler = CrawlerRunner(settings).create_crawler(spidercls)

    def keep_item(item: Any) -> None:
        outcome.items.append(item)

    def keep_skip(**skip: Any) -> None:
        outcome.skipped.append(skip)

    def opened(spider: Spider) -> None:
        spider.outcome = outcome  # type: ignore[attr-defined]

    crawler.signals.connect(keep_item, signals.item_scraped)
    crawler.signals.connect(keep_skip, page_skipped)
    crawler.signals.connect(opened, signals.spider_opened)
    await maybe_deferred_to_future(crawler.crawl(**arguments))
    outcome.stats = dict(crawler.stats.get_stats())
    outcome.spider = crawler.spider
    return outcome


async def fetch(*requests: Request | str, **settings: Any) -> Outcome:
    """What the requests of a plain spider become."""
    return await run(Pages, project_settings(**settings), requests=requests)
