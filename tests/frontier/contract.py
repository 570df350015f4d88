"""What the contract of frontiers is tested with: implementations, a clock, a downloader.

An implementation joins by one class here and one entry in :data:`IMPLEMENTATIONS`.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from tests.frontier.memory_frontier import MemoryFrontier, Shared
from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.sqlite.frontier import SqliteFrontier

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.frontier.protocol import Frontier

LEASE_SECONDS = 60.0


class Clock:
    """Time that passes when the test says so; seconds since the epoch."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


class Downloader:
    """Stands for the downloader: the places that each site holds, and how many it may."""

    def __init__(self, most: int = 10**9) -> None:
        self.places: Counter[str] = Counter()
        self.most = most

    def held(self) -> Counter[str]:
        return self.places

    def has_room(self, key: str, held: int) -> bool:
        return held <= self.most


class Implementation(Protocol):
    """A crawl's state, and its workers."""

    clock: Clock

    def worker(self) -> Frontier:
        """A worker that is not open. Where the state is not shared, those before it are gone."""

    def lose(self, worker: Frontier) -> None:
        """Have *worker* vanish, without a word, and wait until it is known to be gone."""

    def damage(self) -> None:
        """Have every later call fail."""


class Sqlite:
    """One worker at a time, in a state folder."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self._folder = folder
        self._database: CrawlDatabase | None = None

    def worker(self) -> Frontier:
        if self._database is not None:
            self._database.close()
        self._database = CrawlDatabase.open(self._folder)
        resumed = self._database.spider is not None
        if not resumed:
            self._database.spider = "spider"
        return SqliteFrontier(self._database, self._folder, resumed=resumed, clock=self.clock)

    def lose(self, worker: Frontier) -> None:
        assert self._database is not None
        self._database.roll_back()
        self._database.close()

    def damage(self) -> None:
        database = sqlite3.connect(self._folder / "frontier.sqlite")
        database.execute("DROP TABLE requests")
        database.close()


class Memory:
    """Workers that share a memory."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self._shared = Shared(self.clock, LEASE_SECONDS)

    def worker(self) -> Frontier:
        return MemoryFrontier(self._shared)

    def lose(self, worker: Frontier) -> None:
        self.clock.move(LEASE_SECONDS)

    def damage(self) -> None:
        self._shared.fails = True


IMPLEMENTATIONS = {"sqlite": Sqlite, "memory": Memory}
SHARED = {"memory": Memory}
"""Those of them with several workers at once, and leases that end."""


# What tests ask of a worker


async def opened(
    implementation: Implementation,
    downloader: Downloader | None = None,
    newest_first: tuple[bool, bool] = (False, False),
) -> Frontier:
    worker = implementation.worker()
    await worker.open(downloader or Downloader(), newest_first)
    return worker


def push(worker: Frontier, site: str, *names: str, rank: int = 0, wait: float = 0.0) -> None:
    """Push requests that are known by their names, of the kind ``page``."""
    for name in names:
        assert worker.push(site, rank, name.encode, kind="page", wait=wait)


async def pop(worker: Frontier) -> tuple[int, str] | None:
    """Number and name of the next request."""
    await worker.prefetch()
    lease = worker.pop()
    if lease is None:
        return None
    assert isinstance(lease.request, bytes)
    return lease.number, lease.request.decode()


async def drain(worker: Frontier) -> list[str]:
    """The names of all requests that are handed out now."""
    names = []
    while (found := await pop(worker)) is not None:
        names.append(found[1])
    return names
