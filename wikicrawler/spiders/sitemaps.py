"""Sitemaps as seeds: their URLs are crawled like seeds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from scrapy import Request

from wikicrawler.operations import OPERATION_KEY, SITEMAP
from wikicrawler.scope.page_requests import LISTED
from wikicrawler.scope.sitemaps import HEAVY, is_sitemap, read_sitemap
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from logging import LoggerAdapter

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.scope import CrawlScope

NAME = "sitemaps"
"""What they are called in the outlook of a crawl."""
MAX_SITEMAPS = 1_000
"""Maximum number of sitemaps of an index."""
MAX_LEVELS = 2
"""Maximum number of indexes above a sitemap. The protocol allows one."""
_ENTRIES_A_TURN = 500


class SitemapSpider(Protocol):
    """The spider whose seeds may be sitemaps."""

    crawler: Crawler

    @property
    def logger(self) -> LoggerAdapter[Any]: ...

    @property
    def crawl_scope(self) -> CrawlScope: ...

    def parse(self, response: Response) -> Any:
        """Return the record of a page, and requests for its links."""

    def skipped(self, failure: Any) -> Any:
        """Report a page that was not fetched."""

    def parse_sitemap(self, response: Response, level: int = 0) -> Any:
        """Call :func:`read_urls`."""

    def sitemap_failed(self, failure: Any) -> None:
        """Report a sitemap that was not fetched."""


async def read_urls(
    spider: SitemapSpider, response: Response, level: int
) -> AsyncIterator[Request]:
    """Yield requests for the URLs of the sitemap *response*, *level* indexes below a seed."""
    stats, scope = spider.crawler.stats, spider.crawl_scope
    if not is_sitemap(response.url, response.body):
        _warn(spider, response.url, "it is no sitemap")
        return
    if len(response.body) > HEAVY or response.body.startswith(b"\x1f\x8b"):
        found = await asyncio.to_thread(read_sitemap, response.body)
    else:
        found = read_sitemap(response.body)
    for problem in found.problems:
        _warn(spider, response.url, problem)
    stats.inc_value("wikicrawler/sitemaps/read")
    stats.inc_value("wikicrawler/sitemaps/urls", 0 if found.is_index else len(found.entries))
    if found.is_index and level >= MAX_LEVELS:
        _warn(spider, response.url, f"it is below {level} indexes: its sitemaps are not read")
        return
    urls = [entry.url for entry in found.entries if scope.reaches(entry.url)]
    if outside := len(found.entries) - len(urls):
        stats.inc_value("wikicrawler/sitemaps/offsite", outside)
        _warn(spider, response.url, f"{outside:,} URLs of other hosts are left out (see scope)")
    if found.is_index and len(urls) > MAX_SITEMAPS:
        _warn(spider, response.url, f"more than {MAX_SITEMAPS:,} sitemaps: the rest is left out")
        del urls[MAX_SITEMAPS:]
    for number, url in enumerate(urls, 1):
        if not number % _ENTRIES_A_TURN:
            await asyncio.sleep(0)
        request = (
            _sitemap(spider, url, level + 1) if found.is_index else _page(spider, url, response)
        )
        if request is not None:
            yield request


def _page(spider: SitemapSpider, url: str, response: Response) -> Request | None:
    return spider.crawl_scope.request(
        url,
        response,
        callback=spider.parse,
        errback=spider.skipped,
        depth=0,
        meta={LISTED: True},
    )


def _sitemap(spider: SitemapSpider, url: str, level: int) -> Request | None:
    if not spider.crawl_scope.memory.ask(url):
        return None
    spider.crawl_scope.outlook.expect(NAME)
    return Request(
        url,
        callback=spider.parse_sitemap,
        errback=spider.sitemap_failed,
        cb_kwargs={"level": level},
        meta={"tiers": False, OPERATION_KEY: SITEMAP},
        priority=1,
    )


def _warn(spider: SitemapSpider, url: str, problem: str) -> None:
    spider.logger.warning("Sitemap %s: %s", one_line(url, 200), problem)
