"""The scheduler that a kill does not harm: Scrapy's interface over a frontier."""

from __future__ import annotations

import logging
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, cast

from scrapy.core.scheduler import Scheduler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object

from wikicrawler.errors import Reason, StateError
from wikicrawler.frontier.codec import RequestCodec, url_in
from wikicrawler.frontier.loading import load_frontier
from wikicrawler.frontier.not_before import NOT_BEFORE, wait_of
from wikicrawler.frontier.order import order_of
from wikicrawler.frontier.page_limits import LIMITS
from wikicrawler.frontier.protocol import FrontierError, Unreadable
from wikicrawler.frontier.site_queue import SlotsWithRoom
from wikicrawler.process.internals.engine_slot import call_when_done, wake
from wikicrawler.process.internals.scheduler_queues import open_memory_queue
from wikicrawler.signals import page_skipped
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from twisted.internet.defer import Deferred

    from wikicrawler.frontier.protocol import Frontier, Lease

logger = logging.getLogger(__name__)

KIND = "frontier_kind"
"""Meta key (str): what a request is for; copies of it keep the key. See :meth:`Frontier.counts`."""
_LEASE = "_frontier_number"  # meta key: of the request that is under way
_COMMIT_SECONDS = 0.25
_RENEWALS = 3
"""How often a lease is renewed in the time after which it ends: two may fail."""


class FrontierScheduler(Scheduler):
    """Scrapy's scheduler where the crawl has no ``JOBDIR``; with one, its requests are in the
    :class:`~wikicrawler.frontier.protocol.Frontier` that
    :func:`~wikicrawler.frontier.loading.load_frontier` returns, and a crawl that is killed at any
    moment goes on with the same command.

    A request is forgotten only when its callback, its errback and the pipelines are done with it;
    one that is under way when the process ends is made again. One that waits for its moment (meta
    key ``not_before``) does so in the next process too. Requests that were seen, what is done
    and what feeds hold are committed together, at least every quarter of a second: what was not is
    as if it had not been fetched. Order, priorities, turns of the sites and the filter of
    duplicates are those of Scrapy's scheduler with
    :class:`~wikicrawler.frontier.site_queue.SiteAwarePriorityQueue`, under the same settings.
    A request that JSON cannot hold (:mod:`~wikicrawler.frontier.codec`) is kept in memory, with one
    warning.

    Stats: ``scheduler/enqueued``, ``scheduler/dequeued`` and below, as Scrapy's;
    ``frontier/resumed`` (1), ``frontier/recovered_count``, ``frontier/unreadable_count``,
    ``frontier/failed`` (why the state could not be kept).
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Scheduler:  # type: ignore[override]
        """
        :raises StateError: the state folder cannot be used
        """
        frontier = load_frontier(crawler)
        return Scheduler.from_crawler(crawler) if frontier is None else cls(crawler, frontier)

    def __init__(self, crawler: Crawler, frontier: Frontier) -> None:
        settings = crawler.settings
        filter_class = load_object(settings["DUPEFILTER_CLASS"])
        self._filter_by_frontier = filter_class is RFPDupeFilter
        super().__init__(
            self._memoryless_filter(crawler)
            if self._filter_by_frontier
            else build_from_crawler(filter_class, crawler),
            mqclass=load_object(settings["SCHEDULER_MEMORY_QUEUE"]),
            stats=crawler.stats,
            pqclass=load_object(settings["SCHEDULER_PRIORITY_QUEUE"]),
            crawler=crawler,
        )
        self._crawler = crawler
        self.frontier = frontier
        self._start_last = bool(settings["SCHEDULER_START_DISK_QUEUE"])
        self._leases: dict[Request, int] = {}  # numbers of those under way
        self._seen_in_memory: set[bytes] = set()
        self._timer = create_looping_call(self._tick)
        self._is_exchanging = False
        self._renewed = monotonic()

    @staticmethod
    def _memoryless_filter(crawler: Crawler) -> BaseDupeFilter:
        """Return Scrapy's filter for its log and stats: what was seen the frontier knows."""
        debug = crawler.settings.getbool("DUPEFILTER_DEBUG")
        return RFPDupeFilter(None, debug, fingerprinter=crawler.request_fingerprinter)

    # Opening and closing

    def open(self, spider: Spider) -> Deferred[None]:
        """
        :raises StateError: the frontier cannot be used
        """
        self.spider = spider
        self._in_memory = open_memory_queue(self)
        return deferred_from_coro(self._open(spider))

    async def _open(self, spider: Spider) -> None:
        self._slots = SlotsWithRoom(self._crawler)
        self._codec = RequestCodec(spider)
        try:
            await self.frontier.open(self._slots, order_of(self._crawler.settings))
        except FrontierError as error:
            raise StateError(f"{one_line(self.frontier.name)}: {error}; {error.advice}") from None
        call_when_done(self._crawler.engine, self._done)
        if self.frontier.resumed:
            self._crawler.stats.set_value("frontier/resumed", 1)
            self._crawler.stats.set_value("frontier/recovered_count", len(self))
            self._log_resumed()
        self._timer.start(_COMMIT_SECONDS, now=False)
        if (opened := self.df.open()) is not None:
            await maybe_deferred_to_future(opened)

    def _log_resumed(self) -> None:
        is_shared = self.frontier.lease_seconds is not None
        if is_shared and not self.frontier.has_pending():
            logger.info("This crawl has nothing left to do, unless other workers begin it")
        elif is_shared:
            logger.info("Joining the crawl (%d requests scheduled)", len(self))
        else:
            logger.info("Resuming crawl (%d requests scheduled)", len(self))

    def close(self, reason: str) -> Deferred[None]:
        self.give_up()
        if self._timer.running:
            self._timer.stop()
        return deferred_from_coro(self._close(reason))

    async def _close(self, reason: str) -> None:
        await self.frontier.close()
        if (closed := self.df.close(reason)) is not None:
            await maybe_deferred_to_future(closed)

    def give_up(self) -> None:
        """Commit, and take no more notice of what is done: what is under way is made again when the
        crawl goes on. Harmless when called again."""
        self.frontier.give_up()

    def _tick(self) -> None:
        self.frontier.commit()
        if self.frontier.lease_seconds is not None and not self._is_exchanging:
            self._is_exchanging = True
            deferred_from_coro(self._exchange(self.frontier.lease_seconds))

    async def _exchange(self, lease_seconds: float) -> None:
        """Do what a shared frontier waits for its server for."""
        try:
            if monotonic() - self._renewed >= lease_seconds / _RENEWALS:
                self._renewed = monotonic()
                await self.frontier.renew()
            await self.frontier.prefetch()
            wake(self._crawler.engine)
        finally:
            self._is_exchanging = False

    # Requests

    def enqueue_request(self, request: Request) -> bool:
        request.meta.pop(_LEASE, None)
        limits = request.meta.pop(LIMITS, None)  # copies of the request have the place of its page
        if not self.frontier.is_open:
            return True  # what the request comes from is made again, and so is the request
        fingerprint = None
        if not request.dont_filter:
            if self._filter_by_frontier:
                fingerprint = self._crawler.request_fingerprinter.fingerprint(request)
                seen = fingerprint in self._seen_in_memory
            else:
                seen = self.df.request_seen(request)
            if seen:
                return self._drop(request)
        rank = -2 * request.priority
        if self._start_last and request.meta.get("is_start_request"):
            rank += 1
        try:
            added = self.frontier.push(
                self._slots.get_slot_key(request),
                rank,
                partial(self._codec.encode, request),
                fingerprint=fingerprint,
                kind=request.meta.get(KIND),
                wait=wait_of(request),
                live=request,
                url=request.url,
                limits=limits,
            )
        except ValueError as error:
            self._keep_in_memory(request, fingerprint, error)
            return True
        if not added:
            return self._drop(request)
        if self.frontier.is_open:
            self._count("enqueued", "disk")
        return True

    def _drop(self, request: Request) -> bool:
        self.df.log(request, self.spider)
        return False

    def _keep_in_memory(
        self, request: Request, fingerprint: bytes | None, error: ValueError
    ) -> None:
        if fingerprint is not None:
            self._seen_in_memory.add(fingerprint)
        if not self._crawler.stats.get_value("scheduler/unserializable"):
            logger.warning(
                "%s cannot be kept in the state folder, and is lost if the process is killed: %s "
                "(no more such requests are logged)",
                request,
                error,
            )
        self._crawler.stats.inc_value("scheduler/unserializable")
        self._in_memory.push(request)
        self._count("enqueued", "memory")

    def next_request(self) -> Request | None:
        if len(self._in_memory) and (request := self._in_memory.pop()) is not None:
            self._count("dequeued", "memory")
            return request
        while (lease := self.frontier.pop()) is not None:
            request = self._take(lease)
            if request is not None:
                self._count("dequeued", "disk")
                return request
        return None

    def _take(self, lease: Lease) -> Request | None:
        """Return the request of *lease*, under way from now on; None where it cannot be read."""
        number, stored = lease
        if isinstance(stored, Unreadable):
            self._skip(number, stored.url, "its bytes in the state folder are damaged")
            return None
        if isinstance(stored, bytes):
            try:
                request = self._codec.decode(stored)
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
                self._skip(number, url_in(stored), one_line(why, 300))
                return None
        else:
            request = stored.copy() if stored in self._leases else stored
        request.meta.pop(NOT_BEFORE, None)  # copies of it do not wait again
        self._leases[request] = request.meta[_LEASE] = number
        return request

    def _skip(self, number: int, url: str, why: str) -> None:
        """Report the page of a request that cannot be read, and forget the request."""
        logger.error(
            "A request of the crawl cannot be read, and is skipped: %s: %s", one_line(url, 200), why
        )
        self._crawler.stats.inc_value("frontier/unreadable_count")
        self._crawler.signals.send_catch_log(
            page_skipped, url=url, reason=Reason.UNREADABLE, detail=why, attempts=[]
        )
        self.frontier.done(number)

    def _done(self, request: Request) -> None:
        number = self._leases.pop(request, None)
        if number is not None:
            self.frontier.done(number)

    def has_pending_requests(self) -> bool:
        return len(self._in_memory) > 0 or self.frontier.has_pending()

    def __len__(self) -> int:
        return len(self._in_memory) + self.frontier.waiting()

    def _count(self, what: str, where: str) -> None:
        stats = self._crawler.stats
        stats.inc_value(f"scheduler/{what}")
        stats.inc_value(f"scheduler/{what}/{where}")


def frontier_of(crawler: Crawler) -> Frontier | None:
    """Return the frontier of a crawl with ``JOBDIR``, from ``spider_opened`` on; else None."""
    scheduler = crawler.engine.scheduler
    # Not by isinstance(): Scrapy's base class takes whatever has its methods for an instance.
    if FrontierScheduler not in type(scheduler).__mro__:
        return None
    return cast("FrontierScheduler", scheduler).frontier


def lease_of(request: Request) -> int | None:
    """Return the lease of the request that *request* is, or is a copy of, for *after* of
    :meth:`Frontier.note`; None where it is in no frontier."""
    return request.meta.get(_LEASE)
