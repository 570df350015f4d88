"""Sitemaps of watched sources."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

from wikicrawler.operations import MANIFEST_KEY, OPERATION_KEY, SITEMAP
from wikicrawler.politeness.retry_policy import RETRY_BY_POLICY
from wikicrawler.politeness.robots import SiteRobotsMiddleware
from wikicrawler.scope.sitemaps import is_sitemap, read_sitemap, sitemap_addresses
from wikicrawler.spiders.source_storage import stops_without_storage
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.sources.visits.run import SourcesRun
    from wikicrawler.sources.visits.shares import SiteShares
    from wikicrawler.sources.visits.visit import SourceVisit

MAX_SITEMAPS = 1_000
"""Maximum number of sitemaps of a robots.txt or an index."""
MAX_LEVELS = 2
"""Maximum number of indexes above a sitemap. The protocol allows one."""
STATUSES = [304, *range(400, 600)]
"""Statuses that the spider reads itself, when no tier improved on them."""


class SourceSitemaps(Spider):
    """The part of the spider ``sources`` that reads sitemaps: those that a robots.txt lists, else
    ``/sitemap.xml``."""

    run: SourcesRun
    shares: SiteShares

    def go_on(self, visit: SourceVisit) -> AsyncIterator[Any]:
        """Yield the requests that *visit* has now."""
        raise NotImplementedError

    async def sitemaps_of(self, visit: SourceVisit) -> list[str]:
        """Return the addresses of the sitemaps of a source's host."""
        robots = self.crawler.get_downloader_middleware(SiteRobotsMiddleware)
        listed = [] if robots is None else await robots.sitemaps(Request(visit.source.url))
        return sitemap_addresses(listed, visit.source.url)

    def sitemap(self, visit: SourceVisit, url: str, level: int = 0) -> Request:
        """Return the request for a sitemap, *level* indexes below one of :meth:`sitemaps_of`."""
        visit.outstanding += 1
        return Request(
            url,
            callback=self.parse_sitemap,
            errback=self.sitemap_failed,
            priority=self.shares.ahead(visit.source),
            dont_filter=True,
            meta={
                "tiers": False,
                "handle_httpstatus_list": STATUSES,
                MANIFEST_KEY: visit.source.id,
                RETRY_BY_POLICY: True,
                OPERATION_KEY: SITEMAP,
            },
            cb_kwargs={"source": visit.source.id, "level": level},
        )

    @stops_without_storage
    async def parse_sitemap(
        self, response: Response, source: str, level: int
    ) -> AsyncIterator[Any]:
        """Offer the URLs of a sitemap to the visit, the last modified ones first."""
        visit = self.run.open[source]
        try:
            if response.status == 429:
                visit.is_limited = True
            if response.status == 200 and is_sitemap(response.url, response.body):
                found = await asyncio.to_thread(read_sitemap, response.body)
                for problem in found.problems:
                    self.logger.warning("Sitemap %s: %s", one_line(response.url, 200), problem)
                entries = sorted(found.entries, key=lambda entry: entry.lastmod, reverse=True)
                if not found.is_index:
                    for entry in entries:
                        visit.offer(entry.url, 1)
                elif level < MAX_LEVELS:
                    for entry in entries[:MAX_SITEMAPS]:
                        yield self.sitemap(visit, entry.url, level + 1)
        finally:
            visit.ended("")
        async for one in self.go_on(visit):
            yield one

    @stops_without_storage
    async def sitemap_failed(self, failure: TwistedFailure) -> AsyncIterator[Any]:
        """Go on without a sitemap."""
        request: Request = failure.request  # type: ignore[attr-defined]
        visit = self.run.open[request.cb_kwargs["source"]]
        visit.ended("")
        async for one in self.go_on(visit):
            yield one
