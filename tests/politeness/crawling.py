"""A real crawl with the politeness components only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.test import get_crawler

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from pathlib import Path

    from scrapy.crawler import Crawler
    from scrapy.http import Response

PACKAGE = "wikicrawler.politeness"
COMPONENTS: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
        f"{PACKAGE}.robots.SiteRobotsMiddleware": 100,
        f"{PACKAGE}.retry.SiteRetryMiddleware": 550,
        f"{PACKAGE}.slots.SiteSlotMiddleware": 950,
    },
    "EXTENSIONS": {f"{PACKAGE}.throttle.DomainThrottle": 0},
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "USER_AGENT": "tester/1.0",
    "LOG_LEVEL": "INFO",
}


class Pages(Spider):
    """Spider that sends the given requests and records their responses and failures."""

    name = "pages"

    def __init__(self, requests: Iterable[Request | str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.requests = [Request(r) if isinstance(r, str) else r for r in requests]
        self.responses: list[Response] = []
        self.failures: list[BaseException] = []
        self.slots: list[str] = []

    async def start(self) -> AsyncIterator[Request]:
        for request in self.requests:
            request.errback = self.failed
            request.dont_filter = True
            yield request

    def parse(self, response: Response) -> None:
        self.responses.append(response)
        self.slots.append(response.meta["download_slot"])

    def failed(self, failure: Any) -> None:
        self.failures.append(failure.value)


async def crawl(
    requests: Iterable[Request | str], spidercls: type[Pages] = Pages, **settings: Any
) -> Crawler:
    """Crawl *requests* and return the crawler; the spider is ``crawler.spider``."""
    crawler = get_crawler(spidercls, COMPONENTS | settings)
    await maybe_deferred_to_future(crawler.crawl(requests=requests))
    return crawler


def stats_with_prefix(crawler: Crawler, prefix: str) -> dict[str, Any]:
    stats = crawler.stats.get_stats()
    return {k.removeprefix(prefix): v for k, v in stats.items() if k.startswith(prefix)}


def config_file(folder: Path, text: str) -> str:
    """Write a configuration file with *text* and return its path for ``WIKICRAWLER_CONFIG``."""
    file = folder / "sources.yml"
    file.write_text(text, encoding="utf-8")
    return str(file)
