"""A frontier in memory that several workers share: the protocol in its plainest form.

A :class:`MemoryFrontier` is one worker's, :class:`Shared` stands for the server. All that follows a
commit point is one too: nothing is lost but what a worker has leased.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from wikicrawler.frontier.not_before import in_step
from wikicrawler.frontier.protocol import Delayed, FrontierError, KnownFeed, Lease
from wikicrawler.frontier.site_times import SiteTimes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from scrapy import Request

    from wikicrawler.frontier.page_limits import PageLimits
    from wikicrawler.frontier.protocol import Places

PREFETCH = 8
"""Requests that a worker leases ahead."""


@dataclass
class Stored:
    """A request that waits, or is leased."""

    site: str
    rank: int
    ready: tuple[float, int]
    """From which moment it waits for its turn, and its place among those of one moment."""
    kind: str | None
    request: bytes


@dataclass
class Held:
    """A lease."""

    stored: Stored
    worker: MemoryFrontier
    until: float
    popped: bool = False


class Shared:
    """What all workers share."""

    def __init__(self, clock: Callable[[], float], lease_seconds: float) -> None:
        self.clock = clock
        self.lease_seconds = lease_seconds
        self.fails = False
        self.begun = False
        self.waiting: list[Stored] = []
        self.leases: dict[int, Held] = {}
        self.seen: set[bytes] = set()
        self.notes: defaultdict[str, set[bytes]] = defaultdict(set)
        self.times = SiteTimes(clock)
        self.last = ""
        self.numbers = count(1)
        self.feeds: dict[str, int] = {}  # numbers by name
        self.sizes: dict[int, int] = {}
        self.records: set[tuple[int, bytes]] = set()

    def hand_back(self, numbers: list[int]) -> None:
        for number in numbers:
            self.waiting.append(self.leases.pop(number).stored)

    def expire(self) -> None:
        now = self.clock()
        self.hand_back([number for number, held in self.leases.items() if held.until <= now])


class MemoryFrontier:
    """A worker's view of *shared*."""

    name = "memory"
    pages = None

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.is_open = False
        self.resumed = shared.begun
        self.may_lack_writes = False
        self.lease_seconds = shared.lease_seconds
        self._notes: defaultdict[int, list[tuple[str, bytes]]] = defaultdict(list)

    async def open(self, places: Places, newest_first: tuple[bool, bool] = (False, False)) -> None:
        self._places = places
        self._newest_first = newest_first
        self._shared.begun = self.is_open = True

    async def close(self) -> None:
        self.is_open = False
        self._shared.hand_back([number for number, _ in self._mine()])

    def give_up(self) -> None:
        self.is_open = False

    def commit(self) -> None:
        self._now()

    async def prefetch(self) -> None:
        if not self.is_open:
            return
        now = self._now()
        shared = self._shared
        while sum(not held.popped for _, held in self._mine()) < PREFETCH:
            stored = self._choose(now)
            if stored is None:
                return
            shared.waiting.remove(stored)
            shared.last = stored.site
            until = now + shared.lease_seconds
            shared.leases[next(shared.numbers)] = Held(stored, self, until)

    async def renew(self) -> None:
        if not self.is_open:
            return
        until = self._now() + self._shared.lease_seconds
        for _, held in self._mine():
            held.until = until

    def _now(self) -> float:
        if not self.is_open:
            raise FrontierError("the frontier is not open")
        if self._shared.fails:
            self.is_open = False
            raise FrontierError("the server is gone")
        self._shared.expire()
        return self._shared.clock()

    def _mine(self) -> Iterator[tuple[int, Held]]:
        items = self._shared.leases.items()
        return ((number, held) for number, held in items if held.worker is self)

    def _choose(self, now: float) -> Stored | None:
        """The request that is to be leased next."""
        places = Counter(self._places.held())
        places.update(held.stored.site for _, held in self._mine() if not held.popped)
        sites = {
            stored.site
            for stored in self._shared.waiting
            if stored.ready[0] <= now and not self._shared.times.wait(stored.site)
        }
        sites = {
            site for site in sites if not places[site] or self._places.has_room(site, places[site])
        }
        if not sites:
            return None
        site = min(sites, key=lambda site: (places[site], site <= self._shared.last, site))
        return min(
            (s for s in self._shared.waiting if s.site == site and s.ready[0] <= now),
            key=self._order,
        )

    def _order(self, stored: Stored) -> tuple[int, float, int]:
        sign = -1 if self._newest_first[stored.rank & 1] else 1
        return stored.rank, sign * stored.ready[0], sign * stored.ready[1]

    # Requests

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
        moment, shared = self._now(), self._shared
        if fingerprint in shared.seen:
            return False
        request = encode()
        if fingerprint is not None:
            shared.seen.add(fingerprint)
        if wait:
            moment = in_step(moment + wait)
        ready = (moment, next(shared.numbers))
        shared.waiting.append(Stored(site, rank, ready, kind, request))
        return True

    def pop(self) -> Lease | None:
        self._now()
        for number, held in self._mine():
            site = held.stored.site
            places = self._places.held()[site]
            room = not places or self._places.has_room(site, places)
            if not held.popped and room and not self._shared.times.wait(site):
                held.popped = True
                self._shared.times.handed_out(site)
                return Lease(number, held.stored.request)
        return None

    def tried(self, lease: int) -> bool:
        self._now()
        held = self._shared.leases.get(lease)
        return held is not None and held.worker is self

    def done(self, lease: int) -> bool:
        self._now()
        held = self._shared.leases.get(lease)
        if held is None or held.worker is not self:
            return False
        for name, value in self._notes.pop(lease, ()):
            self._shared.notes[name].add(value)
        del self._shared.leases[lease]
        return True

    def waiting(self) -> int:
        self._now()
        return len(self._shared.waiting) + sum(not held.popped for _, held in self._mine())

    def has_pending(self) -> bool:
        others = any(held.worker is not self for held in self._shared.leases.values())
        return self.waiting() > 0 or others

    def counts(self, kind: str) -> Counter[str]:
        self._now()
        everything = [*self._shared.waiting, *(h.stored for h in self._shared.leases.values())]
        return Counter(stored.site for stored in everything if stored.kind == kind)

    def delayed(self) -> Delayed:
        now = self._now()
        waits = [s.ready[0] - now for s in self._shared.waiting if s.ready[0] > now]
        return Delayed(len(waits), min(waits, default=0.0))

    def next_due_in(self) -> float | None:
        now, times = self._now(), self._shared.times
        mine = [held.stored for _, held in self._mine() if not held.popped]
        return min(
            (max(s.ready[0] - now, times.wait(s.site)) for s in [*self._shared.waiting, *mine]),
            default=None,
        )

    # The pace of sites

    def hold(self, site: str, seconds: float) -> None:
        self._now()
        self._shared.times.hold(site, seconds)

    def set_pace(self, site: str, seconds: float) -> None:
        self._now()
        self._shared.times.set_pace(site, seconds)

    # Notes and feeds

    def note(self, name: str, value: bytes, *, after: int | None = None) -> None:
        self._now()
        if after is None:
            self._shared.notes[name].add(value)
        elif after in dict(self._mine()):
            self._notes[after].append((name, value))

    def noted(self, name: str) -> set[bytes]:
        self._now()
        return set(self._shared.notes[name])

    def has_noted(self, name: str, value: bytes) -> bool:
        return value in self.noted(name)

    def feed_name(self, path: Path) -> str:
        return str(path)

    def feed(self, name: str) -> KnownFeed | None:
        self._now()
        number = self._shared.feeds.get(name)
        return None if number is None else KnownFeed(number, self._shared.sizes[number])

    def add_feed(self, name: str, size: int) -> int:
        self._now()
        number = self._shared.feeds[name] = next(self._shared.numbers)
        self._shared.sizes[number] = size
        return number

    def resize_feed(self, feed: int, size: int) -> None:
        self._now()
        self._shared.sizes[feed] = size

    def add_record(self, feed: int, key: bytes) -> bool:
        self._now()
        known = (feed, key) in self._shared.records
        self._shared.records.add((feed, key))
        return not known

    def remove_record(self, feed: int, key: bytes) -> None:
        self._now()
        self._shared.records.discard((feed, key))
