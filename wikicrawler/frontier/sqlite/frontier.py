"""The frontier of one process, in a SQLite database in the state folder."""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

from wikicrawler.frontier.not_before import steady_clock
from wikicrawler.frontier.protocol import Delayed, FrontierError
from wikicrawler.frontier.site_times import SiteTimes
from wikicrawler.frontier.sqlite.delayed_rows import DelayedRows
from wikicrawler.frontier.sqlite.file import is_damage
from wikicrawler.frontier.sqlite.site_queues import SiteQueues
from wikicrawler.frontier.with_feeds import WithFeeds, guarded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scrapy import Request

    from wikicrawler.frontier.page_limits import PageLimits
    from wikicrawler.frontier.protocol import Lease, Places
    from wikicrawler.frontier.sqlite.database import CrawlDatabase


class SqliteFrontier(WithFeeds):
    """A :class:`~wikicrawler.frontier.protocol.Frontier` for one process at a time.

    *database* is that of the state folder *folder*; *release* is called when it is closed for good.
    The clock is the system's as it was when the frontier was opened: setting it meanwhile makes no
    request wait longer or shorter.

    Leases end with the process: the lock of the folder shows that it is gone. Pops read the
    database as they need to. Changes are one transaction from a commit point to the next; many are
    a commit point themselves.
    """

    lease_seconds = None
    pages = None

    def __init__(
        self,
        database: CrawlDatabase,
        folder: Path,
        *,
        resumed: bool,
        may_lack_writes: bool = False,
        release: Callable[[], None] = lambda: None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(database, folder)
        self._release = release
        self._clock = clock
        self.name = str(folder)
        self.resumed = resumed
        self.may_lack_writes = may_lack_writes
        self._notes: dict[int, list[tuple[str, bytes]]] = {}

    async def open(self, places: Places, newest_first: tuple[bool, bool] = (False, False)) -> None:
        clock = self._clock or steady_clock()
        try:
            self._times = SiteTimes(clock)
            self._queues = SiteQueues(self._database, places, self._times, newest_first)
            self._delayed = DelayedRows(self._database, clock)
        except sqlite3.Error as error:
            raise self._failed(error) from error
        self.is_open = True

    async def close(self) -> None:
        try:
            self.give_up()
        finally:
            self._let_go()
            self._release()

    def give_up(self) -> None:
        if self.is_open:
            self.commit()
            self._let_go()

    def _let_go(self) -> None:
        self.is_open = False
        self._database.roll_back()
        self._database.close()

    def _failed(self, error: sqlite3.Error) -> FrontierError:
        """Let go of the database, and return the error to raise."""
        self._let_go()
        return FrontierError(
            str(error),
            advice="the database is damaged: restore the folder, or crawl anew with another "
            "JOBDIR and -O"
            if is_damage(error)
            else "the same command goes on with it",
            out_of_space=getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL,
        )

    @guarded
    def commit(self) -> None:
        self._database.commit()

    async def prefetch(self) -> None:
        """Do nothing: :meth:`pop` reads the database."""

    async def renew(self) -> None:
        """Do nothing: leases end with the process."""

    # Requests: the calls of each request, without the price of guarded

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
        self._check()
        database = self._database
        try:
            if fingerprint is not None and not database.see(fingerprint):
                return False
            try:
                request = encode()
            except BaseException:
                if fingerprint is not None:
                    database.unsee(fingerprint)
                raise
            named = url.encode("utf-8", "surrogatepass")
            if wait:
                self._delayed.add(wait, site, rank, kind, request, url=named)
            else:
                number = database.add(site, rank, kind, request, url=named)
                self._queues.push(site, rank, number, request if live is None else live)
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return True

    def pop(self) -> Lease | None:
        self._check()
        try:
            if self._delayed.are_due:
                self._delayed.release(self._queues)
            return self._queues.pop()
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def tried(self, lease: int) -> bool:
        self._check()
        return True  # leases do not end

    def done(self, lease: int) -> bool:
        self._check()
        under_way, database = self._queues.under_way, self._database
        if lease not in under_way:
            return False
        try:
            for name, value in self._notes.pop(lease, ()):
                database.note(name, value)
            database.done(lease)
            under_way.discard(lease)
            if database.is_due:
                database.commit()
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return True

    @guarded
    def waiting(self) -> int:
        return len(self._queues) + len(self._delayed)

    def has_pending(self) -> bool:
        self._check()
        return len(self._queues) > 0 or len(self._delayed) > 0

    @guarded
    def counts(self, kind: str) -> Counter[str]:
        sites: Counter[str] = Counter()
        for site, count in self._database.sites(kind):
            sites[site] += count
        return sites

    @guarded
    def delayed(self) -> Delayed:
        return Delayed(len(self._delayed), self._delayed.wait)

    @guarded
    def next_due_in(self) -> float | None:
        waits = [self._queues.wait(), self._delayed.wait if len(self._delayed) else None]
        return min((wait for wait in waits if wait is not None), default=None)

    # The pace of sites. It is not in the database: a crawl that goes on begins with a pace anew.

    @guarded
    def hold(self, site: str, seconds: float) -> None:
        self._times.hold(site, seconds)

    @guarded
    def set_pace(self, site: str, seconds: float) -> None:
        self._times.set_pace(site, seconds)

    # Notes

    @guarded
    def note(self, name: str, value: bytes, *, after: int | None = None) -> None:
        if after is None:
            self._database.note(name, value)
        elif after in self._queues.under_way:
            self._notes.setdefault(after, []).append((name, value))

    @guarded
    def noted(self, name: str) -> set[bytes]:
        return self._database.noted(name)

    @guarded
    def has_noted(self, name: str, value: bytes) -> bool:
        return self._database.has_noted(name, value)
