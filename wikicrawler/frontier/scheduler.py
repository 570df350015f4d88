"""The scheduler that a kill does not harm."""

from __future__ import annotations

import logging
import sqlite3
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from scrapy.core.scheduler import Scheduler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler, load_object

from wikicrawler.frontier.codec import RequestCodec
from wikicrawler.frontier.database import Store
from wikicrawler.frontier.delayed import KeptRows
from wikicrawler.frontier.not_before import NOT_BEFORE, wait_of
from wikicrawler.frontier.site_queue import SlotsWithRoom
from wikicrawler.frontier.sqlite_file import is_damage
from wikicrawler.frontier.state_folder import StateFolder
from wikicrawler.frontier.stored_queue import SiteQueues, order_of
from wikicrawler.process.exit_codes import OUT_OF_SPACE, STATE_FAILED
from wikicrawler.process.internals.engine_slot import call_when_done
from wikicrawler.process.internals.scheduler_queues import open_memory_queue
from wikicrawler.process.stopping import stop
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from twisted.internet.defer import Deferred

logger = logging.getLogger(__name__)
T = TypeVar("T")

KIND = "frontier_kind"
"""Meta key (str): what a request is for; copies of it keep the key. See :meth:`Frontier.counts`."""
_NUMBER = "_frontier_number"  # meta key: of the request that is under way
_COMMIT_SECONDS = 0.25


class Frontier(Scheduler):
    """Scrapy's scheduler where the crawl has no ``JOBDIR``; with one, its requests are in the
    database ``frontier.sqlite`` in that folder, and a crawl that is killed at any moment goes on
    with the same command.

    A request is forgotten only when its callback, its errback and the pipelines are done with it;
    one that is under way when the process ends is made again. One that waits for its moment (meta
    key ``not_before``) does so in the next process too. Requests that were seen, what is done
    and what feeds hold are committed together, at least every quarter of a second: what was not is
    as if it had not been fetched. Order, priorities, turns of the sites and the filter of
    duplicates are those of Scrapy's scheduler with
    :class:`~wikicrawler.frontier.site_queue.SiteAwarePriorityQueue`, under the same settings.
    A request that cannot be pickled is kept in memory, with one warning.

    Stats: ``scheduler/enqueued``, ``scheduler/dequeued`` and below, as Scrapy's;
    ``frontier/resumed`` (1), ``frontier/recovered_count``, ``frontier/unreadable_count``,
    ``frontier/failed`` (why the state could not be kept).
    """

    resumed = False
    """Whether the state folder held a crawl already."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Scheduler:  # type: ignore[override]
        folder = job_dir(crawler.settings)
        if not folder:
            return Scheduler.from_crawler(crawler)
        filter_class = load_object(crawler.settings["DUPEFILTER_CLASS"])
        own = filter_class is RFPDupeFilter  # the seen requests are ours to keep
        dupefilter = (
            RFPDupeFilter(
                None,
                crawler.settings.getbool("DUPEFILTER_DEBUG"),
                fingerprinter=crawler.request_fingerprinter,
            )
            if own
            else build_from_crawler(filter_class, crawler)
        )
        return cls(crawler, Path(folder), dupefilter, filter_by_store=own)

    def __init__(
        self, crawler: Crawler, folder: Path, dupefilter: BaseDupeFilter, *, filter_by_store: bool
    ) -> None:
        settings = crawler.settings
        super().__init__(
            dupefilter,
            mqclass=load_object(settings["SCHEDULER_MEMORY_QUEUE"]),
            stats=crawler.stats,
            pqclass=load_object(settings["SCHEDULER_PRIORITY_QUEUE"]),
            crawler=crawler,
        )
        self._crawler = crawler
        self.folder = folder
        self._state: StateFolder | None = None
        self._filter_by_store = filter_by_store
        self._start_last = bool(settings["SCHEDULER_START_DISK_QUEUE"])
        self._store: Store | None = None
        self._numbers: dict[Request, int] = {}  # of those under way
        self._notes: dict[int, list[tuple[str, bytes]]] = {}
        self._seen_in_memory: set[bytes] = set()
        self._timer = create_looping_call(self._tick)

    # Opening and closing

    def open(self, spider: Spider) -> Deferred[None] | None:
        """
        :raises StateError: the state folder cannot be used
        """
        self.spider = spider
        self._in_memory = open_memory_queue(self)
        self._state = StateFolder.of(self._crawler)
        store = self._store = self._state.store
        self.resumed = self._state.resumed
        self._slots = SlotsWithRoom(self._crawler)
        self._codec = RequestCodec(spider)
        self._queues = SiteQueues(store, self._slots, order_of(self._crawler.settings))
        self.kept = KeptRows(store)
        call_when_done(self._crawler.engine, self._done)
        if self.resumed:
            self._crawler.stats.set_value("frontier/resumed", 1)
            self._crawler.stats.set_value("frontier/recovered_count", len(self))
            logger.info("Resuming crawl (%d requests scheduled)", len(self))
        self._timer.start(_COMMIT_SECONDS, now=False)
        return self.df.open()

    def close(self, reason: str) -> Deferred[None] | None:
        self.give_up()
        if self._state is not None:
            self._state.close()
        return self.df.close(reason)

    def give_up(self) -> None:
        """Commit, and take no more notice of what is done: what is under way is made again when the
        crawl goes on. Harmless when called again."""
        self.keep(Store.commit)
        self._let_go()

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if self._timer.running:
            self._timer.stop()
        if store is not None:
            store.roll_back()
            store.close()

    def keep(self, change: Callable[[Store], T]) -> T | None:
        """What *change* of the database gives. None where the crawl has stopped or stops now,
        because the database fails: then nothing of what was not committed has happened."""
        if self._store is None:
            return None
        try:
            return change(self._store)
        except sqlite3.Error as error:
            self._fail(error)
            return None

    def _tick(self) -> None:
        self.keep(Store.commit)

    def _fail(self, error: sqlite3.Error) -> None:
        self._let_go()
        full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        reason = OUT_OF_SPACE if full else STATE_FAILED
        self._crawler.stats.set_value("frontier/failed", reason)
        logger.error(
            "The state in %s cannot be kept: %s. The crawl stops; %s",
            one_line(self.folder),
            error,
            "the database is damaged: restore the folder, or crawl anew with another JOBDIR and -O"
            if is_damage(error)
            else "the same command goes on with it",
        )
        stop(self._crawler, reason)

    # Requests

    def enqueue_request(self, request: Request) -> bool:
        request.meta.pop(_NUMBER, None)
        # Where nothing is kept any more, what the request comes of is made again, and so is this.
        return self.keep(lambda store: self._enqueue(store, request)) is not False

    def _enqueue(self, store: Store, request: Request) -> bool:
        fingerprint = None
        if not request.dont_filter:
            if self._filter_by_store:
                fingerprint = self._crawler.request_fingerprinter.fingerprint(request)
                seen = fingerprint in self._seen_in_memory or not store.see(fingerprint)
            else:
                seen = self.df.request_seen(request)
            if seen:
                self.df.log(request, self.spider)
                return False
        try:
            data = self._codec.encode(request)
        except ValueError as error:
            self._keep_in_memory(store, request, fingerprint, error)
        else:
            site = self._slots.get_slot_key(request)
            rank = -2 * request.priority
            if self._start_last and request.meta.get("is_start_request"):
                rank += 1
            if wait := wait_of(request):
                self.kept.keep(wait, site, rank, request.meta.get(KIND), data)
            else:
                number = store.add(site, rank, request.meta.get(KIND), data)
                self._queues.push(site, rank, number, request)
            self._count("enqueued", "disk")
        return True

    def _keep_in_memory(
        self, store: Store, request: Request, fingerprint: bytes | None, error: ValueError
    ) -> None:
        if fingerprint is not None:
            store.unsee(fingerprint)
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
        if self.kept.are_due:
            self.keep(lambda _: self.kept.release(self._queues))
        while (found := self.keep(lambda _: self._queues.pop())) is not None:
            request = self._take(*found)
            if request is not None:
                self._count("dequeued", "disk")
                return request
        return None

    def _take(self, number: int, stored: Request | bytes) -> Request | None:
        """The request of that number, under way from now on; None where it cannot be read."""
        if isinstance(stored, bytes):
            try:
                request = self._codec.decode(stored)
            except Exception:  # whatever a class of the project's raises
                logger.exception("A request in the state folder cannot be read, and is left out")
                self._crawler.stats.inc_value("frontier/unreadable_count")
                self._forget(number)
                return None
        else:
            request = stored.copy() if stored in self._numbers else stored
        request.meta.pop(NOT_BEFORE, None)  # copies of it do not wait again
        self._numbers[request] = request.meta[_NUMBER] = number
        return request

    def _done(self, request: Request) -> None:
        number = self._numbers.pop(request, None)
        if number is not None:
            self._forget(number)

    def _forget(self, number: int) -> None:
        notes = self._notes.pop(number, ())

        def forget(store: Store) -> None:
            for name, value in notes:
                store.note(name, value)
            store.done(number)
            self._queues.under_way.discard(number)
            if store.is_due:
                store.commit()

        self.keep(forget)

    def has_pending_requests(self) -> bool:
        return len(self) > 0

    def __len__(self) -> int:
        kept = len(self._queues) + len(self.kept) if self._store is not None else 0
        return len(self._in_memory) + kept

    def _count(self, what: str, where: str) -> None:
        stats = self._crawler.stats
        stats.inc_value(f"scheduler/{what}")
        stats.inc_value(f"scheduler/{what}/{where}")

    # What spiders and feeds keep with the requests

    def note(self, name: str, value: bytes, *, after: Request | None = None) -> None:
        """Add *value* to the set *name*: now, or when the request that *after* is, or is a copy of,
        is done; not at all where it is made again."""
        number = after.meta.get(_NUMBER) if after is not None else None
        if number is not None:
            self._notes.setdefault(number, []).append((name, value))
        else:
            self.keep(lambda store: store.note(name, value))

    def noted(self, name: str) -> set[bytes]:
        """The values of the set *name*."""
        return self.keep(lambda store: store.noted(name)) or set()

    def counts(self, kind: str) -> Counter[str]:
        """How many requests of that :data:`KIND` are not done, by site."""
        sites: Counter[str] = Counter()
        for site, count in self.keep(lambda store: store.sites(kind)) or ():
            sites[site] += count
        return sites


def frontier_of(crawler: Crawler) -> Frontier | None:
    """The frontier of a crawl with ``JOBDIR``, from ``spider_opened`` on; else None."""
    scheduler = crawler.engine.scheduler
    # Not by isinstance(): Scrapy's base class takes whatever has its methods for an instance.
    return cast("Frontier", scheduler) if Frontier in type(scheduler).__mro__ else None
