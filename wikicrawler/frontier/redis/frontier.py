"""The frontier of several workers, in Redis."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

from wikicrawler.frontier.protocol import Delayed, FrontierError, Lease, Unreadable
from wikicrawler.frontier.redis.exchange import (
    LONGEST_KIND,
    Push,
    as_bytes,
    as_fingerprint,
    as_limits,
    as_note,
    as_rank,
    micro,
)
from wikicrawler.frontier.redis.link import Link
from wikicrawler.frontier.redis.packing import UnpackingError, packed, unpacked
from wikicrawler.frontier.redis.server import Server
from wikicrawler.frontier.redis.session import Session
from wikicrawler.frontier.redis.url import shown_url
from wikicrawler.frontier.with_feeds import WithFeeds, guarded
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from scrapy import Request

    from wikicrawler.frontier.page_limits import PageLimits
    from wikicrawler.frontier.protocol import Places
    from wikicrawler.frontier.redis.known import Known
    from wikicrawler.frontier.redis.leases import Leases
    from wikicrawler.frontier.redis.link import Answered
    from wikicrawler.frontier.redis.pages import Pages
    from wikicrawler.frontier.sqlite.database import CrawlDatabase

LEASE_SECONDS = 60.0
PATIENCE = 120.0
"""Seconds for which Redis may be away."""
START_PATIENCE = 10.0
"""Seconds for which it may be so at the start, where its URL may be wrong."""
AHEAD = 64
"""Requests that a worker leases ahead at most: it exchanges four times a second."""
TTL = 14 * 86_400.0
"""Seconds after the last exchange of a worker until Redis forgets a crawl."""


def worker_clock() -> Callable[[], float]:
    """Return a clock in seconds that nobody sets, and that counts while the system sleeps: leases
    end meanwhile."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return lambda: time.clock_gettime(clock)


class RedisFrontier(WithFeeds):
    """A :class:`~wikicrawler.frontier.protocol.Frontier` of the crawl *job* in Redis at *url*, for
    one of several workers.

    All keys begin with ``{wikicrawler:JOB}:``; ``script/1_keys.lua`` names them. Each exchange with
    Redis is one call of one script: it makes the changes of this worker in their order, redelivers
    what workers that are gone had, moves what is due, leases what is wanted, and answers what has
    changed. So no state is seen in between, and a round trip is paid once. Nothing in it takes
    longer with more sites or requests.

    A request that was redelivered three times after it was tried is given up: its workers may have
    died of it. It is logged, counted in :attr:`dead`, and kept under the key ``dead``.

    What feeds hold belongs to one worker, and calls about it return at once. So it is in
    *database*, in the worker's own state folder *folder*, and is committed before Redis learns that
    requests are done. *release* is called when the frontier is closed for good.

    :param ahead: maximum number of requests to be leased ahead; as long as the worker pops few of
        them it leases no more than *places*, and leaves the others to other workers
    :param tells_tries: :meth:`tried` is called; else what was popped counts as tried
    :param worker: see :func:`~wikicrawler.frontier.redis.worker_name.worker_of`
    :param clock: replaces the clocks of this worker and of Redis, for tests
    """

    def __init__(
        self,
        url: str,
        job: str,
        database: CrawlDatabase,
        folder: Path,
        *,
        lease_seconds: float = LEASE_SECONDS,
        patience: float = PATIENCE,
        ahead: int = AHEAD,
        places: int = AHEAD,
        ttl: float = TTL,
        worker: str = "",
        may_lack_writes: bool = False,
        tells_tries: bool = False,
        release: Callable[[], None] = lambda: None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._server = Server(url, job)
        super().__init__(database, folder)
        self._release = release
        self._server_clock = clock
        self._clock = clock or worker_clock()
        self._patience = patience
        self._most_ahead = ahead
        self._places = places
        self._ttl = ttl
        self._tells_tries = tells_tries
        self._worker = worker
        self.lease_seconds = lease_seconds
        self.name = f"{shown_url(url)} ({one_line(job, 100)})"
        self.may_lack_writes = may_lack_writes
        self._failure: FrontierError | None = None  # of the state folder
        self._session: Session | None = None
        self._is_closed = False
        self._known: Known
        self._leases: Leases

    @property
    def resumed(self) -> bool:
        return self._session is not None and self._session.resumed

    @property
    def dead(self) -> int:
        """Requests of the crawl that were given up."""
        return 0 if self._session is None else self._session.dead

    @property
    def pages(self) -> Pages:
        """From :meth:`open` on."""
        return self._known.pages

    # Opening and closing

    async def open(self, places: Places, newest_first: tuple[bool, bool] = (False, False)) -> None:
        """
        :raises FrontierError: Redis cannot be used
        """
        session = Session(
            self.name,
            places,
            newest_first,
            clock=self._clock,
            lease_seconds=self.lease_seconds,
            make_link=self._make_link,
        )
        try:
            await session.open()
        except BaseException:
            session.stop(at_once=True)
            raise
        session.link.patience = self._patience
        self._session, self._known, self._leases = session, session.known, session.leases
        self.is_open = True

    def _make_link(self, deliver: Callable[[Answered], None]) -> Link:
        return Link(
            self._server,
            clock=self._clock,
            server_clock=self._server_clock,
            patience=min(START_PATIENCE, self._patience),
            lease_seconds=self.lease_seconds,
            ttl=self._ttl,
            worker=self._worker,
            deliver=deliver,
        )

    async def close(self) -> None:
        session, is_closed = self._session, self._is_closed
        self._is_closed = True
        try:
            self.give_up()
            if session is not None and self._failure is None and not is_closed:
                await session.close()
        finally:
            if session is not None:
                session.stop()
            self._database.close()
            self._release()

    def give_up(self) -> None:
        if self.is_open:
            self.commit()
            self.is_open = False

    @guarded
    def commit(self) -> None:
        self._database.commit()
        if self._session is not None and self._known.next.changes:
            self._session.send()

    async def prefetch(self) -> None:
        await self._exchange(lambda session: session.prefetch(self._most_ahead, self._places))

    async def renew(self) -> None:
        await self._exchange(lambda session: session.renew())

    async def _exchange(self, exchange: Callable[[Session], Awaitable[None]]) -> None:
        if self._session is None or not self.is_open:
            return
        self.commit()
        try:
            await exchange(self._session)
        except FrontierError:
            self.is_open = False
            raise

    def _check(self) -> None:
        super()._check()
        if self._session is not None and self._session.failure is not None:
            self.is_open = False
            raise self._session.failure

    def _failed(self, error: sqlite3.Error) -> FrontierError:
        """Return the error to raise where the state folder failed."""
        self.is_open = False
        self._failure = FrontierError(
            f"{self._folder}: {error}",
            advice="the same command goes on with it",
            out_of_space=getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL,
        )
        return self._failure

    def _change(self, letter: str, *arguments: bytes | int) -> None:
        self._known.change(letter, *arguments)
        if self._known.is_full:
            self.commit()

    # Requests

    @guarded
    def push(
        self,
        site: str,
        rank: int,
        encode: Callable[[], bytes],
        *,
        fingerprint: bytes | None = None,
        kind: str | None = None,
        wait: float = 0.0,
        live: Request | None = None,
        url: str = "",
        limits: PageLimits | None = None,
    ) -> bool:
        kind_name = as_bytes(kind or "")
        if len(kind_name) > LONGEST_KIND:
            raise ValueError("the kind of the request has a name that is too long")
        seen = as_fingerprint(fingerprint)
        if seen and self._known.has_seen(seen):
            return False
        request = encode()
        if seen:
            self._known.see(seen)
        self._known.pushed(Push(site, kind, self._clock() + wait, wait > 0, url))
        self._change(
            "p",
            as_bytes(site),
            as_rank(rank),
            micro(wait),
            kind_name,
            seen,
            as_limits(limits),
            packed(request),
        )
        return True

    def _release_ended(self) -> None:
        for number in self._leases.take_ended():
            self._known.next.releases += 1
            self._change("r", number)

    @guarded
    def pop(self) -> Lease | None:
        held = self._leases.pop()
        self._release_ended()
        if held is None:
            return None
        stored, held.request = held.request, b""
        self._change("o", held.number)
        if not self._tells_tries:
            self._change("t", held.number)
        try:
            return Lease(held.number, unpacked(stored))
        except UnpackingError:
            return Lease(held.number, Unreadable(""))

    @guarded
    def tried(self, lease: int) -> bool:
        if self._leases.is_lost(lease):
            self._release_ended()
            return False
        if self._tells_tries:
            self._change("t", lease)
        return True

    @guarded
    def done(self, lease: int) -> bool:
        held = self._leases.get(lease)
        if held is None:
            self._release_ended()
            return False
        self._leases.done(lease)
        exchange = self._known.next
        exchange.done.append((held.kind, held.site))
        exchange.notes += held.notes
        notes = [as_note(name, value) for name, value in held.notes]
        self._change("d", lease, len(notes), *notes)
        return True

    @guarded
    def waiting(self) -> int:
        return self._known.waiting() + len(self._leases.ahead())

    @guarded
    def has_pending(self) -> bool:
        known = self._known
        if self.waiting() > 0 or known.others > 0 or known.may_begin():
            return True
        self._release_ended()
        return known.releases()

    @guarded
    def counts(self, kind: str) -> Counter[str]:
        return self._known.counts(kind)

    @guarded
    def delayed(self) -> Delayed:
        return self._known.delayed()

    @guarded
    def next_due_in(self) -> float | None:
        wait = self._leases.times.wait
        waits = [wait(held.site) for held in self._leases.ahead()]
        if (first := self._known.next_due_in(wait)) is not None:
            waits.append(first)
        return min(waits, default=None)

    # The pace of sites

    @guarded
    def hold(self, site: str, seconds: float) -> None:
        self._leases.times.hold(site, seconds)
        self._change("h", as_bytes(site), micro(seconds))

    @guarded
    def set_pace(self, site: str, seconds: float) -> None:
        self._leases.times.set_pace(site, seconds)
        self._change("s", as_bytes(site), micro(seconds))

    # Notes

    @guarded
    def note(self, name: str, value: bytes, *, after: int | None = None) -> None:
        if after is None:
            self._known.next.notes.append((name, value))
            self._change("n", 1, as_note(name, value))
        elif (held := self._leases.get(after)) is not None:
            held.notes.append((name, value))

    @guarded
    def noted(self, name: str) -> set[bytes]:
        return self._known.noted(name)

    @guarded
    def has_noted(self, name: str, value: bytes) -> bool:
        return self._known.has_noted(name, value)
