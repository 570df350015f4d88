"""The map of a site: the URLs that a job may fetch, from whatever list there is."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from wikicrawler.politeness.robots import SiteRobotsMiddleware
from wikicrawler.scope.sitemaps import is_sitemap, read_sitemap, sitemap_addresses
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.result import PageResult
from wikicrawler.urls.addresses import parse_url
from wikicrawler.urls.sites import host_of, site_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.pages import Failure
    from wikicrawler.scope import CrawlBounds

MAX_SITEMAPS = 50
"""Maximum number of sitemaps that are read for a map."""
_URLS_A_TURN = 500


@dataclass(slots=True)
class SiteMap:
    """The URLs of a site that may be fetched."""

    urls: list[str] = field(default_factory=list)
    """Normalised, each once, in the order of the list."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Number of other URLs of the list by what kept them out: ``invalid``, ``offsite``,
    ``patterns``, ``robots``, ``limit``."""


class SiteMapper:
    """Makes the map of one site.

    :param fetch: has the crawl fetch a request
    :param bounds: the scope, the patterns and ``max_pages`` apply
    :param limit: maximum number of URLs
    """

    def __init__(
        self,
        crawler: Crawler,
        fetch: Callable[[Request], Awaitable[Response]],
        bounds: CrawlBounds,
        limit: int,
    ) -> None:
        self._fetch = fetch
        self._bounds = bounds
        self._limit = min(limit, bounds.max_pages or limit)
        self._robots = crawler.get_downloader_middleware(SiteRobotsMiddleware)

    async def map(self, start: str, page: PageResult | Failure) -> SiteMap:
        """Return the map from the site's sitemaps and the links of *page*, the page at *start*."""
        links = [link.url for link in page.links] if isinstance(page, PageResult) else []
        return await self.admit(start, [start, *await self._of_sitemaps(start), *links])

    async def admit(self, start: str, listed: Iterable[str]) -> SiteMap:
        """Return the map with those of the *listed* URLs that may be fetched.

        :param start: the URL whose host or site is in the scope
        """
        found, seen = SiteMap(), set[str]()
        for number, text in enumerate(listed, 1):
            if not number % _URLS_A_TURN:
                await asyncio.sleep(0)
            try:
                url = parse_url(text)
            except ValueError:
                found.left_out["invalid"] += 1
                continue
            if url in seen:
                continue
            seen.add(url)
            if why := await self._why_not(start, url, len(found.urls)):
                found.left_out[why] += 1
            else:
                found.urls.append(url)
        return found

    async def _why_not(self, start: str, url: str, number: int) -> str:
        """Return the word of :attr:`SiteMap.left_out` for *url*; empty if it may be fetched."""
        if not self._reaches(start, url):
            return "offsite"
        if not self._bounds.match(url):
            return "patterns"
        if number >= self._limit:
            return "limit"
        return "robots" if await self.is_disallowed(url) else ""

    async def is_disallowed(self, url: str) -> bool:
        """Return True if robots.txt disallows *url*."""
        if self._robots is not None:
            try:
                await self._robots.process_request(Request(url))
            except IgnoreRequest:
                return True
        return False

    def _reaches(self, start: str, url: str) -> bool:
        if self._bounds.scope == "any":
            return True
        of = host_of if self._bounds.scope == "host" else site_of
        return of(start) == of(url)

    async def _of_sitemaps(self, start: str) -> list[str]:
        """Return the URLs in the sitemaps that robots.txt names, else in the usual one."""
        named = []
        if self._robots is not None:
            named = await self._robots.sitemaps(Request(start))
        waiting = deque(sitemap_addresses(named, start))
        read, urls = set[str](), list[str]()
        while waiting and len(read) < MAX_SITEMAPS and len(urls) < self._limit:
            address = waiting.popleft()
            if address in read or not self._reaches(start, address):
                continue
            read.add(address)
            entries, is_index = await self._sitemap(address)
            (waiting if is_index else urls).extend(entries)
        return urls

    async def _sitemap(self, address: str) -> tuple[list[str], bool]:
        """Return the URLs in the sitemap at *address*, and whether it is an index of sitemaps."""
        try:
            response = await self._fetch(Request(address, meta={"tiers": False}, dont_filter=True))
        except Exception as error:
            if failure_of(error) is None:
                raise
            return [], False
        if not is_sitemap(response.url, response.body):
            return [], False
        found = await asyncio.to_thread(read_sitemap, response.body)
        return [entry.url for entry in found.entries], found.is_index
