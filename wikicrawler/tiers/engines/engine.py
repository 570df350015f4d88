"""The interface: scrape, crawl, map_urls, health_check."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request

from wikicrawler.errors import ConfigError
from wikicrawler.pages import STRICT_KEY, Failure
from wikicrawler.scope import CrawlBounds
from wikicrawler.tiers.engines.site_map import SiteMap, SiteMapper
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.inline_fetch import fetch
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.result import PageResult, result_of
from wikicrawler.tiers.tier import Usability

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler

    from wikicrawler.tiers.tier import Tier

MAX_URLS = 5_000
"""Default maximum number of URLs of a map."""
_AT_ONCE = 4
"""Number of pages of a crawl that are asked for at once; the site's slot sets the pace."""


class Crawled(NamedTuple):
    """A page of a crawl."""

    url: str
    """As the map has it."""
    result: PageResult | Failure


class ScrapeEngine:
    """Fetches pages by one tier, or by several in order, in a running crawl.

    Its requests are ordinary requests of the crawl: they wait in the scheduler and in the slot of
    their site, obey robots.txt, and their attempts are recorded. So a page also waits for a service
    that is down. Await it in the spider's ``start``, or in a task: a callback that awaits pages
    holds its own response in memory meanwhile.

    :param crawler: a crawler whose engine runs
    :param tiers: names of tiers, in order; none: those that the configuration names for the page
    :raises ConfigError: the project does not use the tiers, or one is unknown or not configured
    """

    def __init__(self, crawler: Crawler, *tiers: str) -> None:
        self._crawler = crawler
        middleware = crawler.get_downloader_middleware(TierMiddleware)
        if middleware is None:
            raise ConfigError("the tiers are off in this project: see docs/engines.md")
        self.tiers = tiers
        self._usable: dict[str, Tier] = {}
        middleware.registry.check(tiers or middleware.registry.order, "the engine")
        for name in tiers:
            if why := middleware.registry.missing(name):
                raise ConfigError(f"tier {name} cannot be used: {why}")
            self._usable[name] = middleware.tiers[name]

    def request(self, url: str, **arguments: Any) -> Request:
        """Return the request for the page at *url*, for callers that yield it themselves; its
        response is for :func:`~wikicrawler.tiers.result.result_of`.

        :param arguments: those of :class:`scrapy.Request`
        """
        meta = {**arguments.pop("meta", {}), STRICT_KEY: True}
        if self.tiers:
            meta["tiers"] = list(self.tiers)
        return Request(url, meta=meta, **{"dont_filter": True, **arguments})

    async def scrape(self, url: str) -> PageResult | Failure:
        """Return the page at *url*, or why there is none.

        :raises TierInterruptedError: the crawl is being stopped
        """
        try:
            response = await fetch(self._crawler, self.request(url))
            found = await result_of(response, self._crawler)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            return failure
        return found

    async def map_urls(
        self, url: str, *, bounds: CrawlBounds | None = None, limit: int = MAX_URLS
    ) -> SiteMap:
        """Return the URLs of the pages of the site of *url* that may be fetched, at most *limit*.

        They are those that the tier has a list of (a wiki's API, a service's map); where there is
        none, or it is empty, those of the site's sitemaps and of the links of the page at *url*.
        Whatever the origin, each is checked against *bounds* (by default: of the same host) and
        robots.txt.
        """
        listed = await self.list_urls(url, bounds=bounds, limit=limit)
        if listed is not None:
            return listed
        found = await self.scrape(url)
        return await self._mapper(bounds, limit).map(url, found)

    async def list_urls(
        self, url: str, *, bounds: CrawlBounds | None = None, limit: int = MAX_URLS
    ) -> SiteMap | None:
        """Return the map of :meth:`map_urls` if the tier has a list, and it is not empty; None if
        not, or its service fails."""
        mapper = self._mapper(bounds, limit)
        if await mapper.is_disallowed(url):  # a service is not sent there either
            return SiteMap(left_out=Counter({"robots": 1}))
        for tier in self._usable.values():
            if listed := await self._listed(tier, url, limit):
                return await mapper.admit(url, listed)
        return None

    async def crawl(
        self, url: str, *, bounds: CrawlBounds | None = None, limit: int = MAX_URLS
    ) -> AsyncIterator[Crawled]:
        """Yield the pages of :meth:`map_urls`, each scraped, as they arrive."""
        listed = await self.map_urls(url, bounds=bounds, limit=limit)
        waiting, running = iter(listed.urls), dict[asyncio.Task[PageResult | Failure], str]()
        try:
            while True:
                for page in waiting:
                    running[asyncio.ensure_future(self.scrape(page))] = page
                    if len(running) >= _AT_ONCE:
                        break
                if not running:
                    return
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield Crawled(running.pop(task), task.result())
        finally:
            for task in running:
                task.cancel()

    async def health_check(self, url: str = "") -> Usability:
        """Return whether the first usable tier works: its server answers and accepts the key.

        :param url: a page, for tiers whose server depends on it
        """
        found = Usability(False, "no tier is configured")
        for tier in self._usable.values():
            found = await tier.explain(url)
            if found.usable:
                return found
        return found

    def _mapper(self, bounds: CrawlBounds | None, limit: int) -> SiteMapper:
        send = partial(fetch, self._crawler)
        return SiteMapper(self._crawler, send, bounds or CrawlBounds(), limit)

    async def _listed(self, tier: Tier, url: str, limit: int) -> list[str] | None:
        """Return the list of *tier*; None if it has none or its service fails."""
        try:
            return await tier.map_urls(url, limit)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            tier.failed(url, failure)
            return None
