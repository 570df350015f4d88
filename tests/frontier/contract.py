"""What the contract of frontiers is tested with: implementations, a clock, a downloader.

An implementation joins by one class here and one entry in :data:`IMPLEMENTATIONS`.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from tests.frontier.memory_frontier import MemoryFrontier, Shared
from wikicrawler.frontier.redis.frontier import RedisFrontier
from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.sqlite.frontier import SqliteFrontier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.servers.redis import RealRedis
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

    def end(self) -> None:
        """Let go of what workers have left."""


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

    def end(self) -> None:
        pass


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

    def end(self) -> None:
        pass


class Redis:
    """Workers that share a Redis, each with a state folder of its own."""

    def __init__(self, folder: Path, server: RealRedis) -> None:
        self.clock = Clock()
        self._folder = folder
        self._server = server
        self._workers: dict[Path, tuple[RedisFrontier, CrawlDatabase] | None] = {}
        self._all: list[tuple[RedisFrontier, CrawlDatabase]] = []

    def worker(self) -> Frontier:
        """In the folder of one that is gone, if there is one."""
        free = [path for path, worker in self._workers.items() if worker is None]
        path = free[0] if free else self._folder / f"worker-{len(self._workers)}"
        path.mkdir(exist_ok=True)
        database = CrawlDatabase.open(path)
        worker = RedisFrontier(
            self._server.url,
            "job",
            database,
            path,
            lease_seconds=LEASE_SECONDS,
            patience=0.0,
            ahead=8,
            clock=self.clock,
            release=lambda: self._workers.update({path: None}),
        )
        self._workers[path] = worker, database
        self._all.append((worker, database))
        return worker

    def lose(self, worker: Frontier) -> None:
        for path, known in self._workers.items():
            if known is not None and known[0] is worker:
                self._kill(*known)
                self._workers[path] = None
        self.clock.move(LEASE_SECONDS)

    def damage(self) -> None:
        self._server.empty()

    def end(self) -> None:
        for worker in self._all:
            self._kill(*worker)

    @staticmethod
    def _kill(worker: RedisFrontier, database: CrawlDatabase) -> None:
        """Have it write what it has committed, and nothing more."""
        if worker._session is not None:
            worker._session.link.stop()
            worker._session.link.join()
        database.roll_back()
        database.close()


def _params(implementations: Mapping[str, type[Any]]) -> list[Any]:
    return [
        pytest.param(cls, id=name, marks=[pytest.mark.redis] if cls is Redis else [])
        for name, cls in implementations.items()
    ]


IMPLEMENTATIONS = _params({"sqlite": Sqlite, "memory": Memory, "redis": Redis})
SHARED = _params({"memory": Memory, "redis": Redis})
"""Those of them with several workers at once, and leases that end."""


def implementation(request: pytest.FixtureRequest, folder: Path) -> Iterator[Implementation]:
    """Yield the one that is the parameter of *request*, for a fixture."""
    needed = [request.getfixturevalue("redis")] if request.param is Redis else []
    found = request.param(folder, *needed)
    yield found
    found.end()


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


async def is_known(worker: Frontier, fingerprint: bytes) -> bool:
    """Whether a request with *fingerprint* is a duplicate: not pushed, or, where workers share a
    frontier, dropped when it is written."""
    await worker.prefetch()
    waiting = worker.waiting()
    if not worker.push("", 0, bytes, fingerprint=fingerprint):
        return True
    if worker.lease_seconds is None:
        return False
    await worker.prefetch()
    return worker.waiting() == waiting


async def drain(worker: Frontier) -> list[str]:
    """The names of all requests that are handed out now."""
    names = []
    while (found := await pop(worker)) is not None:
        names.append(found[1])
    return names
