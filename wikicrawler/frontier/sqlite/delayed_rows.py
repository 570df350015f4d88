"""Requests in the database that are not handed out before a moment of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.frontier.not_before import LONGEST, in_step

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.frontier.sqlite.database import CrawlDatabase
    from wikicrawler.frontier.sqlite.site_queues import SiteQueues

_BATCH = 100
"""Requests that are released at once: each is written anew, and the crawl waits for that."""


class DelayedRows:
    """The delayed requests of the database; only their number and the first moment are in memory.

    *clock* returns seconds since the epoch, and never jumps.
    """

    def __init__(self, database: CrawlDatabase, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        database.delay_until_at_most(clock() + LONGEST)
        self._count = database.delayed()
        self._first = database.first_moment()

    def __len__(self) -> int:
        return self._count

    @property
    def wait(self) -> float:
        """Seconds until the moment of the first; 0 where there is none."""
        return 0.0 if self._first is None else max(0.0, self._first - self._clock())

    @property
    def are_due(self) -> bool:
        """True if the moment of one has come."""
        return self._first is not None and self._first <= self._clock()

    def add(
        self,
        seconds: float,
        site: str,
        rank: int,
        kind: str | None,
        request: bytes,
        *,
        url: bytes = b"",
    ) -> None:
        """Delay *request*, which is for *url*, for so many seconds."""
        until = in_step(self._clock() + seconds)
        self._database.delay(until, site, rank, kind, request, url=url)
        self._count += 1
        self._first = until if self._first is None else min(self._first, until)

    def release(self, queues: SiteQueues) -> None:
        """Put some of those that are due into *queues*."""
        released = self._database.release(self._clock(), _BATCH)
        for site, rank, number, request in released:
            queues.push(site, rank, number, request)
        self._count -= len(released)
        self._first = self._database.first_moment()
