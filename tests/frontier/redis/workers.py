"""Workers over a Redis, and what a test asks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.frontier.contract import Clock, Downloader
from wikicrawler.frontier.codec import url_in
from wikicrawler.frontier.redis.frontier import RedisFrontier
from wikicrawler.frontier.redis.packing import unpacked
from wikicrawler.frontier.sqlite.database import CrawlDatabase

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.redis import RealRedis

PREFIX = "{wikicrawler:job}:"


class Workers:
    """Opens workers of the crawl ``job``; ends them all at the end."""

    def __init__(self, server: RealRedis, folder: Path) -> None:
        self.server = server
        self.clock = Clock()
        self._folder = folder
        self._all: list[RedisFrontier] = []

    def make(self, url: str | None = None, job: str = "job", **options: Any) -> RedisFrontier:
        """Return one that is not open."""
        folder = self._folder / f"worker-{len(self._all)}"
        folder.mkdir()
        options = {"clock": self.clock, "lease_seconds": 60.0, "patience": 0.0} | options
        worker = RedisFrontier(
            url or self.server.url, job, CrawlDatabase.open(folder), folder, **options
        )
        self._all.append(worker)
        return worker

    async def open(self, *arguments: Any, **options: Any) -> RedisFrontier:
        worker = self.make(*arguments, **options)
        await worker.open(Downloader())
        return worker

    def lose(self, worker: RedisFrontier) -> None:
        """Have *worker* vanish: what it has not sent is gone, what it has leased is leased."""
        if worker._session is not None:
            worker._session.link.stop(at_once=True)
            worker._session.link.join()
        worker._database.close()

    def end(self) -> None:
        for worker in self._all:
            self.lose(worker)


def all_leases(server: RealRedis, job: str = "job") -> list[tuple[bytes, str]]:
    """Return the worker and the path of each lease of the crawl *job*."""
    with server.client(decoded=False) as client:
        found = client.hvals(f"{{wikicrawler:{job}}}:leases")
    requests = [(lease[:16], lease[16:]) for lease in found]
    urls = [(worker, url_in(unpacked(request[24 + request[23] :]))) for worker, request in requests]
    return [(worker, f"/{url.rpartition('/')[2]}") for worker, url in urls]


class Snapshot:
    """What a Redis holds, to be restored: it then has lost what was written meanwhile."""

    def __init__(self, server: RealRedis) -> None:
        self._server = server
        with server.client(decoded=False) as client:
            self._keys = {key: client.dump(key) for key in client.keys("*")}

    def restore(self) -> None:
        self._server.empty()
        with self._server.client(decoded=False) as client:
            for key, value in self._keys.items():
                client.restore(key, 0, value)
