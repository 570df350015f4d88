"""Workers in processes of their own, one of which is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.codec import url_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.servers.redis import RealRedis

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


def test_a_killed_worker_costs_no_page_and_doubles_only_what_it_had(
    redis: RealRedis, site: ScriptedServer, tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    workers: list[subprocess.Popen[bytes]] = []
    try:
        for folder, start in zip(folders, ([site.url("/0")], []), strict=True):
            folder.mkdir()
            command = [sys.executable, "-m", "tests.frontier.redis.worker", redis.url]
            command += [str(folder), str(LEASE_SECONDS), str(PAGES), *start]
            with (folder / "log").open("wb") as log:
                workers.append(subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log))
            wait_for(lambda folder=folder: len(pages_of(folder)) > 3)  # type: ignore[misc]
        workers[0].kill()
        workers[0].wait()
        leases = all_leases(redis)
        assert workers[1].wait(120) == 0, (folders[1] / "log").read_text()[-3000:]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    fetched = Counter(site.paths())
    assert set(fetched) == {f"/{n}" for n in range(PAGES)}
    (killed,) = workers_left(redis)  # the other one has signed off
    had = Counter(path for worker, path in leases if worker == killed)
    doubled = fetched - Counter(set(fetched))
    assert set(doubled) <= set(had)
    assert max(doubled.values(), default=1) == 1
    assert pages_of(folders[0])
    assert not all_leases(redis)


def all_leases(redis: RealRedis) -> list[tuple[bytes, str]]:
    """Worker and path of each."""
    with redis.client(decoded=False) as client:
        found = client.hvals("{wikicrawler:job}:leases")
    requests = [(lease[:16], lease[16:]) for lease in found]
    urls = [(worker, url_in(request[24 + request[23] :])) for worker, request in requests]
    return [(worker, f"/{url.rpartition('/')[2]}") for worker, url in urls]


def workers_left(redis: RealRedis) -> list[bytes]:
    with redis.client(decoded=False) as client:
        return list(client.hkeys("{wikicrawler:job}:workers"))
