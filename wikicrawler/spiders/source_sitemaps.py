"""Sitemaps of watched sources."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals

from wikicrawler.operations import MANIFEST_KEY, OPERATION_KEY, SITEMAP
from wikicrawler.scope.sitemaps import is_sitemap, read_sitemap
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.sources.visits.run import SourcesRun
    from wikicrawler.sources.visits.visit import SourceVisit

MAX_SITEMAPS = 1_000
"""Maximum number of sitemaps of a robots.txt or an index."""
MAX_LEVELS = 2
"""Maximum number of indexes above a sitemap. The protocol allows one."""
STATUSES = [304, *range(400, 600)]
"""Statuses that the spider reads itself, when no tier improved on them."""
PRIORITIES = {"high": 20, "medium": 10, "low": 0}
"""Priority of requests by that of their source."""


class SourceSitemaps(Spider):
    """The part of the spider ``sources`` that reads sitemaps: those that a robots.txt lists, else
    ``/sitemap.xml``."""

    run: SourcesRun
    _sitemaps: dict[str, list[str]]

    def watch_robots(self) -> None:
        """Note which sitemaps are listed by each robots.txt that the crawl reads."""
        self._sitemaps = {}
        self.crawler.signals.connect(self._robots_parsed, signals.robots_parsed)

    def go_on(self, visit: SourceVisit) -> AsyncIterator[Any]:
        """Yield the requests that *visit* has now."""
        raise NotImplementedError

    def _robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        listed = getattr(getattr(robotparser, "rp", None), "sitemaps", ())
        self._sitemaps[_origin(request.url)] = [str(url) for url in listed][:MAX_SITEMAPS]

    def ask_sitemaps(self, visit: SourceVisit) -> Iterator[Request]:
        """Yield the requests for the sitemaps of the host of a source."""
        origin = _origin(visit.source.url)
        for url in dict.fromkeys(self._sitemaps.get(origin) or [f"{origin}/sitemap.xml"]):
            yield self._sitemap(visit, url, 0)

    def _sitemap(self, visit: SourceVisit, url: str, level: int) -> Request:
        visit.outstanding += 1
        return Request(
            url,
            callback=self.parse_sitemap,
            errback=self.sitemap_failed,
            priority=PRIORITIES[visit.source.priority] + 1,
            dont_filter=True,
            meta={
                "tiers": False,
                "handle_httpstatus_list": STATUSES,
                MANIFEST_KEY: visit.source.id,
                OPERATION_KEY: SITEMAP,
            },
            cb_kwargs={"source": visit.source.id, "level": level},
        )

    async def parse_sitemap(
        self, response: Response, source: str, level: int
    ) -> AsyncIterator[Any]:
        """Offer the URLs of a sitemap to the visit, the last modified ones first."""
        visit = self.run.open[source]
        try:
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
                        yield self._sitemap(visit, entry.url, level + 1)
        finally:
            visit.ended("")
        async for one in self.go_on(visit):
            yield one

    async def sitemap_failed(self, failure: TwistedFailure) -> AsyncIterator[Any]:
        """Go on without a sitemap."""
        request: Request = failure.request  # type: ignore[attr-defined]
        visit = self.run.open[request.cb_kwargs["source"]]
        visit.ended("")
        async for one in self.go_on(visit):
            yield one


def _origin(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].rpartition('@')[2]}"
