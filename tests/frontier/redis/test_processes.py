"""Workers in processes of their own, one of which is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.frontier.redis.workers import all_leases
from tests.servers.redis import RealRedis
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[3]
PAGES = 300
LEASE_SECONDS = 3


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        for n in range(PAGES):
            server.on(f"/{n}", Reply(delay=0.1))
        yield server


def wait_for(ready: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not ready() and time.monotonic() < give_up:
        time.sleep(0.01)
    assert ready()


def pages_of(folder: Path) -> list[str]:
    file = folder / "pages"
    return file.read_text().splitlines() if file.exists() else []


class Processes:
    """Workers of one crawl; the first one has its start."""

    def __init__(self, redis: RealRedis, site: ScriptedServer, folder: Path) -> None:
        self._redis = redis
        self._start = site.url("/0")
        self._folder = folder
        self.folders: list[Path] = []
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self, count: int) -> None:
        """Return when each of them has pages."""
        for number in range(count):
            folder = self._folder / f"worker-{number}"
            folder.mkdir()
            self.folders.append(folder)
            command = [sys.executable, "-m", "tests.frontier.redis.worker", self._redis.url]
            command += [str(folder), str(LEASE_SECONDS), str(PAGES)]
            command += [] if self.workers else [self._start]
            with (folder / "log").open("wb") as log:
                self.workers.append(subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log))
        wait_for(lambda: len(workers_left(self._redis)) == count)
        for folder in self.folders:
            (folder / "go").touch()
        wait_for(lambda: all(len(pages_of(folder)) > 3 for folder in self.folders))

    def wait(self, *numbers: int) -> None:
        """Wait for the end of workers."""
        for number in numbers:
            log = self.folders[number] / "log"
            assert self.workers[number].wait(120) == 0, log.read_text()[-3000:]
            assert "Traceback" not in log.read_text()

    def end(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()


@pytest.fixture
def processes(redis: RealRedis, site: ScriptedServer, tmp_path: Path) -> Iterator[Processes]:
    found = Processes(redis, site, tmp_path)
    yield found
    found.end()


def doubled(site: ScriptedServer) -> set[str]:
    """What was fetched more than once, where everything was fetched."""
    fetched = Counter(site.paths())
    assert set(fetched) == {f"/{n}" for n in range(PAGES)}
    return {path for path, times in fetched.items() if times > 1}


def test_a_killed_worker_costs_no_page_and_doubles_only_what_it_had(
    redis: RealRedis, site: ScriptedServer, processes: Processes
) -> None:
    processes.start(2)
    processes.workers[0].kill()
    processes.workers[0].wait()
    leases = all_leases(redis)
    processes.wait(1)
    (killed,) = workers_left(redis)  # the other one has signed off
    assert doubled(site) <= {path for worker, path in leases if worker == killed}
    assert pages_of(processes.folders[0])
    assert not all_leases(redis)


def test_a_worker_that_stood_still_for_longer_than_a_lease_goes_on(
    redis: RealRedis, site: ScriptedServer, processes: Processes
) -> None:
    processes.start(2)
    processes.workers[0].send_signal(signal.SIGSTOP)
    leases = all_leases(redis)
    processes.wait(1)
    processes.workers[0].send_signal(signal.SIGCONT)
    processes.wait(0)
    assert doubled(site) <= {path for _, path in leases}
    assert not all_leases(redis)
    assert not workers_left(redis)


def test_a_redis_that_is_killed_costs_no_page(
    site: ScriptedServer, tmp_path: Path, redis: RealRedis
) -> None:
    del redis  # its mark: there is a Redis
    (tmp_path / "crawl").mkdir()
    with RealRedis(appendonly="yes") as server:
        processes = Processes(server, site, tmp_path / "crawl")
        try:
            processes.start(1)
            log = processes.folders[0] / "log"
            for number, pages in enumerate((40, 100, 160), 1):
                wait_for(lambda pages=pages: len(set(site.paths())) > pages)  # type: ignore[misc]
                server.kill()
                wait_for(
                    lambda number=number: log.read_text().count("Redis is away") == number  # type: ignore[misc]
                )
                server.start()
            processes.wait(0)
        finally:
            processes.end()
        assert not all_leases(server)
    assert log.read_text().count("Redis is back") == 3
    if "Redis has lost its last writes" not in log.read_text():
        assert not doubled(site)
    assert set(site.paths()) == {f"/{n}" for n in range(PAGES)}


def workers_left(redis: RealRedis) -> list[bytes]:
    with redis.client(decoded=False) as client:
        return list(client.hkeys("{wikicrawler:job}:workers"))
