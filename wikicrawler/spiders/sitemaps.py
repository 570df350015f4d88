"""Sitemaps as seeds, and those of the hosts of seeds: their URLs are crawled like seeds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from scrapy import Request

from wikicrawler.operations import OPERATION_KEY, SITEMAP
from wikicrawler.pages import Link
from wikicrawler.politeness.robots import SiteRobotsMiddleware
from wikicrawler.scope.page_requests import LISTED
from wikicrawler.scope.sitemaps import (
    HEAVY,
    Sitemap,
    is_sitemap,
    read_sitemap,
    sitemap_addresses,
)
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.middleware import TierMiddleware

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from logging import LoggerAdapter

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.scope import CrawlScope
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki

NAME = "sitemaps"
"""What they are called in the outlook of a crawl."""
MAX_SITEMAPS = 1_000
"""Maximum number of sitemaps of an index."""
MAX_OF_HOST = 50
"""Maximum number of sitemaps that are read of those that a robots.txt names."""
MAX_LEVELS = 2
"""Maximum number of indexes above a sitemap. The protocol allows one."""
_ENTRIES_A_TURN = 500
_GUESS = "usual_sitemap"


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

    def wants(self, link: Link, wiki: KnownWiki | None) -> bool:
        """Return True if *link* may be followed."""

    def parse_sitemap(self, response: Response, level: int = 0) -> Any:
        """Call :func:`read_urls`."""

    def sitemap_failed(self, failure: Any) -> None:
        """Report a sitemap that was not fetched."""


async def of_host(spider: SitemapSpider, response: Response) -> AsyncIterator[Request]:
    """Yield requests for the sitemaps of the host of the seed *response*, which its robots.txt
    names; else for ``/sitemap.xml``. Each is asked for once."""
    robots = spider.crawler.get_downloader_middleware(SiteRobotsMiddleware)
    named = [] if robots is None else await robots.sitemaps(Request(response.url))
    addresses = sitemap_addresses(named, response.url)
    if len(addresses) > MAX_OF_HOST:
        text = f"it names more than {MAX_OF_HOST} sitemaps: the rest is left out"
        _warn(spider, "in robots.txt", text)
    for address in addresses[:MAX_OF_HOST]:
        request = _sitemap(spider, address, 0)
        if request is not None:
            request.meta[_GUESS] = not named
            yield request


def is_guess(request: Request | None) -> bool:
    """Return True if nothing says that there is a sitemap at the address of *request*."""
    return request is not None and bool(request.meta.get(_GUESS))


async def read_urls(
    spider: SitemapSpider, response: Response, level: int
) -> AsyncIterator[Request]:
    """Yield requests for the URLs of the sitemap *response*, *level* indexes below a seed."""
    stats, scope = spider.crawler.stats, spider.crawl_scope
    if not is_sitemap(response.url, response.body):
        if not is_guess(response.request):
            _warn(spider, response.url, "it is no sitemap")
        return
    found = await _read(response.body)
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


async def _read(body: bytes) -> Sitemap:
    if len(body) > HEAVY or body.startswith(b"\x1f\x8b"):
        return await asyncio.to_thread(read_sitemap, body)
    return read_sitemap(body)


def _page(spider: SitemapSpider, url: str, response: Response) -> Request | None:
    tiers = spider.crawler.get_downloader_middleware(TierMiddleware)
    wiki = tiers.wikis.wiki_of(url) if tiers is not None else None
    ref = page_of(url, wiki.site) if wiki is not None else None
    if not spider.wants(Link(url, ref.namespace if ref is not None else None), wiki):
        return None
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
