"""Whose request goes to the downloader next, where the requests are in a database."""

from __future__ import annotations

import sqlite3
from collections import deque
from typing import TYPE_CHECKING

from wikicrawler.frontier.protocol import Lease
from wikicrawler.frontier.site_turns import SiteTurns

if TYPE_CHECKING:
    from scrapy import Request

    from wikicrawler.frontier.protocol import Places, Unreadable
    from wikicrawler.frontier.site_times import SiteTimes
    from wikicrawler.frontier.sqlite.database import CrawlDatabase

_IN_MEMORY = 5_000
"""Requests in memory over all sites; the others are in the database alone."""
_BATCH = 64
"""Requests of a site that are read at once, if that is not too many for all sites."""


class SiteQueues:
    """The requests that wait, site by site: those that come next in memory, all in the database.

    A site's lowest *rank* comes first, and within it the oldest, or the newest: *newest_first* says
    so for even and for odd ranks. Among the sites, one that holds the fewest places of the
    downloader, in turn. *places* says how many places a site may hold, and *times* when it may
    have its next request.
    """

    def __init__(
        self,
        database: CrawlDatabase,
        places: Places,
        times: SiteTimes,
        newest_first: tuple[bool, bool] = (False, False),
    ) -> None:
        self._database = database
        self._places = places
        self._times = times
        self._newest_first = newest_first
        self._sites: dict[str, dict[int, _Queue]] = {}
        self._turns = SiteTurns()
        self._in_memory = 0
        self._waiting = 0
        self.under_way: set[int] = set()
        """Numbers of the requests that were handed out and are not done."""
        for site, rank, count in database.queued():
            self._queue(site, rank).waiting += count
            self._waiting += count

    def __len__(self) -> int:
        return self._waiting

    def push(
        self, site: str, rank: int, number: int, request: Request | bytes | Unreadable
    ) -> None:
        """Append what the database has as *number*."""
        queue = self._queue(site, rank)
        room = self._in_memory < _IN_MEMORY
        self._waiting += 1
        queue.waiting += 1
        if self._newest_first[rank & 1]:
            self._in_memory += queue.put_before(number, request, room=room)
        elif room and queue.waiting == len(queue.head) + 1:
            queue.put_behind(number, request)
            self._in_memory += 1

    def pop(self) -> Lease | None:
        """Hand out the next request; None where no site has room for one."""
        site = self._choose()
        if site is None:
            return None
        queues = self._sites[site]
        rank = min(queues)
        queue = queues[rank]
        if not queue.head:
            self._read(site, rank, queue)
        number, request = queue.head.popleft()
        self._in_memory -= 1
        self._waiting -= 1
        queue.waiting -= 1
        if not queue.waiting:
            del queues[rank]
            if not queues:
                del self._sites[site]
                self._turns.remove(site)
        self._turns.last = site
        self._times.handed_out(site)
        self.under_way.add(number)
        return Lease(number, request)

    def wait(self) -> float | None:
        """Seconds until a site may have a request; None where no request waits."""
        return self._times.least_wait(self._turns)

    def _choose(self) -> str | None:
        return self._turns.choose(self._places.held(), self._may_have_another)

    def _may_have_another(self, site: str, held: int) -> bool:
        return not self._times.wait(site) and (not held or self._places.has_room(site, held))

    def _queue(self, site: str, rank: int) -> _Queue:
        queues = self._sites.get(site)
        if queues is None:
            queues = self._sites[site] = {}
            self._turns.add(site)
        queue = queues.get(rank)
        if queue is None:
            queue = queues[rank] = _Queue(newest_first=self._newest_first[rank & 1])
        return queue

    def _read(self, site: str, rank: int, queue: _Queue) -> None:
        """Fetch the head of *queue* from the database."""
        newest_first = self._newest_first[rank & 1]
        count = max(1, min(_BATCH, _IN_MEMORY // len(self._turns)))
        while not queue.head:
            rows = self._database.read(site, rank, queue.mark, count, newest_first=newest_first)
            if not rows:
                raise sqlite3.DatabaseError("requests are missing from the frontier")
            queue.mark = rows[-1][0]
            queue.head.extend(row for row in rows if row[0] not in self.under_way)
        self._in_memory += len(queue.head)


class _Queue:
    """Requests of one rank at one site: *head* has those that come next, and what is in the
    database alone lies beyond *mark*."""

    __slots__ = ("head", "mark", "waiting")

    def __init__(self, *, newest_first: bool) -> None:
        self.head: deque[tuple[int, Request | bytes | Unreadable]] = deque()
        self.waiting = 0
        self.mark = 2**63 - 1 if newest_first else 0

    def put_behind(self, number: int, request: Request | bytes | Unreadable) -> None:
        self.head.append((number, request))
        self.mark = number

    def put_before(self, number: int, request: Request | bytes | Unreadable, *, room: bool) -> int:
        """By how many the head grew: where there is no *room* it lets its last one go."""
        if not self.head:
            self.mark = min(self.mark, number)
        self.head.appendleft((number, request))
        if room or len(self.head) == 1:
            return 1
        self.mark = self.head.pop()[0] + 1
        return 0
