"""The robots.txt of sources, before a manifest is activated."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import DeferredList

from wikicrawler import options
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.politeness.robots import RobotsDisallowed, SiteRobotsMiddleware
from wikicrawler.text.safe import one_line
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler

    from wikicrawler.sources.manifest.model import Source

_AT_ONCE = 16
"""Number of hosts that are asked at the same time."""


class Disallowed(NamedTuple):
    """A source that may not be fetched."""

    source_id: str
    url: str
    reason: str


class RobotsCheck:
    """Checks urls as the crawl does: with its robots.txt rules, address guard, User-Agent, retries
    and throttle.

    :param crawler: a crawler whose engine runs
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._robots: SiteRobotsMiddleware | None = None
        with suppress(NotConfigured):  # ROBOTSTXT_OBEY is False
            self._robots = SiteRobotsMiddleware.from_crawler(crawler)

    @property
    def is_enabled(self) -> bool:
        """Whether the crawl obeys robots.txt at all (``ROBOTSTXT_OBEY``)."""
        return self._robots is not None

    async def disallowed(self, sources: Iterable[Source]) -> list[Disallowed]:
        """Return those of *sources* that may not be fetched, in their order.

        A robots.txt that cannot be fetched disallows all pages of its host (RFC 9309).
        """
        sources = list(sources)
        by_host: dict[str, list[Source]] = {}
        for source in sources:
            by_host.setdefault(split_url(source.url).netloc, []).append(source)
        waiting, found = deque(by_host.values()), dict[str, Disallowed]()

        async def work() -> None:
            while waiting:
                for source in waiting.popleft():
                    if reason := await self._why_not(source):
                        found[source.id] = Disallowed(source.id, source.url, reason)

        workers = [deferred_from_coro(work()) for _ in range(_AT_ONCE)]
        done = DeferredList(workers, fireOnOneErrback=True, consumeErrors=True)
        await maybe_deferred_to_future(done)
        return [found[source.id] for source in sources if source.id in found]

    async def _why_not(self, source: Source) -> str:
        """Return why *source* may not be fetched; empty if it may."""
        request = Request(source.url, headers=source.headers)
        if self._robots is None:
            return ""
        try:
            await self._robots.process_request(request)
        except RobotsDisallowed as error:
            return one_line(error, 300)
        refused = policy_of(self._crawler).why_refused(source.url)
        return refused and f"{refused} ({options.PRIVATE_HOSTS.name} allows it)"
