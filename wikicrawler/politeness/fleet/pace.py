"""One pace of each site over all workers that share a Redis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.frontier.redis.worker_name import worker_of
from wikicrawler.frontier.scheduler import frontier_of, lease_of
from wikicrawler.politeness.fleet.turns import RedisTurns
from wikicrawler.politeness.gate import Gate, longest_wait
from wikicrawler.process.internals.engine_slot import drop_requests

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


_LEAST_SECONDS = 1.0
"""A site that is left alone for less is not held in the frontier: workers learn of it four times a
second, so that they would rather wait too long."""
_POP_SECONDS = 0.5
"""Seconds between two requests of a held site that are handed out, until the others know that the
first was sent. Not longer: it may never be, because robots.txt disallows it."""


class FleetPace:
    """Scrapy extension: each request to a site waits for its turn among all workers.

    A site has as many requests under way as one worker alone would send to it, and its delay
    between any two, whichever workers send them. That holds for whatever is sent: pages,
    robots.txt, APIs, redirects and retries. A pause, by Retry-After for one, holds for all workers.

    The frontier learns when a site is left alone, so that it hands out its requests when they can
    be sent: else several workers would keep places of their downloaders for one site. A request
    whose lease has ended when its turn comes, because the worker stood still or was cut off from
    Redis, is another worker's: it is not sent, and forgotten.

    Setting: ``WIKICRAWLER_FRONTIER``.
    """

    def __init__(self, crawler: Crawler, turns: RedisTurns) -> None:
        self._crawler = crawler
        self._gate = Gate(crawler, turns, self._leave_alone, self._may_send)
        self._paced: set[str] = set()
        self._lost: set[int] = set()  # leases of requests that others have

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        url = options.FRONTIER.read(settings)
        if not url:
            raise NotConfigured
        turns = RedisTurns(
            url,
            longest=longest_wait(settings),
            lease=options.FRONTIER_LEASE.read(settings),
            worker=worker_of(crawler),
        )
        extension = cls(crawler, turns)
        crawler.signals.connect(extension._spider_opened, signals.spider_opened)
        return extension

    @property
    def waiting(self) -> int:
        """Number of requests that wait for their turns."""
        return self._gate.waiting

    def _spider_opened(self) -> None:
        self._gate.attach()
        drop_requests(self._crawler.engine, self._is_lost)

    def _may_send(self, request: Request) -> bool:
        frontier, lease = frontier_of(self._crawler), lease_of(request)
        if frontier is None or lease is None or frontier.tried(lease):
            return True
        self._lost.add(lease)
        return False

    def _is_lost(self, request: Request) -> bool:
        """Return whether *request*, whose download has ended, is left to the worker that has it."""
        lease = lease_of(request)
        if lease not in self._lost:
            return False
        self._lost.discard(lease)
        return True

    def _leave_alone(self, site: str, seconds: float) -> None:
        frontier = frontier_of(self._crawler)
        if frontier is None:
            return
        is_held = seconds >= _LEAST_SECONDS
        if is_held:
            frontier.hold(site, seconds)
        if is_held and site not in self._paced:
            self._paced.add(site)
            frontier.set_pace(site, _POP_SECONDS)
        elif not is_held and site in self._paced:  # its pause, or its raised delay, is over
            self._paced.remove(site)
            frontier.set_pace(site, 0.0)
