"""``scrapy crawl wiki`` on several workers, each a process of its own, over one Redis."""

from __future__ import annotations

import json
import signal
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.frontier.redis.workers import all_leases
from tests.frontier.sites import Crawl, ManyPages
from tests.politeness.test_many_sites import SETTINGS, too_early
from tests.scrapy_runs import run
from tests.servers.many_sites import ManySites
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.redis import RealRedis

DELAY = 0.1
LEASE_SECONDS = 3
PAGES = 40
PRIVATE = ("-s", "WIKICRAWLER_PRIVATE_HOSTS=127.0.0.1")


@pytest.fixture
def site() -> Iterator[ManyPages]:
    with ManyPages(PAGES, delay=0.02) as site:
        yield site


class Fleet:
    """Workers of the job ``docs``, each in a folder of its own with a feed of its own."""

    def __init__(self, redis: RealRedis, folder: Path, seed: str) -> None:
        self.redis = redis
        self._folder = folder
        self._seed = seed
        self.workers: list[Crawl] = []
        self.processes: list[subprocess.Popen[str]] = []
        self._commands: list[tuple[str, ...]] = []

    def start(self, *arguments: str, seeds: bool = True) -> int:
        """Start a worker, and return its number."""
        settings = {
            "WIKICRAWLER_FRONTIER": self.redis.url,
            "WIKICRAWLER_FRONTIER_JOB": "docs",
            "WIKICRAWLER_FRONTIER_LEASE": LEASE_SECONDS,
            "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60 / DELAY,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        }
        folder = self._folder / f"worker-{len(self.workers)}"
        folder.mkdir()
        worker = Crawl(folder, self._seed)
        if not seeds:
            command = worker.command
            worker.command = lambda *args, **more: [  # type: ignore[method-assign]
                part
                for part in command(*args, **more)
                if part != "-a" and not part.startswith("seeds=")
            ]
        chosen = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        self.workers.append(worker)
        self._commands.append((*chosen, *arguments))
        self.processes.append(worker.start(*chosen, *arguments))
        return len(self.workers) - 1

    def restart(self, number: int) -> None:
        """Start a worker that has ended again, with the same command."""
        self.processes[number] = self.workers[number].start(*self._commands[number])

    def wait_for_pages(self, number: int, pages: int) -> None:
        worker = self.workers[number]
        worker.wait_for(lambda: len(worker.lines()) >= pages, self.processes[number])
        assert len(worker.lines()) >= pages, worker.log[-3000:]

    def wait_for_log(self, number: int, text: str) -> None:
        worker = self.workers[number]
        worker.wait_for(lambda: text in worker.log, self.processes[number])
        assert text in worker.log

    def end(self, number: int) -> int:
        """Wait for the end of a worker, and return its exit code."""
        return self.processes[number].wait(120)

    def written(self) -> Counter[str]:
        """Return how often each page is in the feeds."""
        found: Counter[str] = Counter()
        for worker in self.workers:
            found.update(json.loads(line)["url"] for line in worker.lines())
        return found

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()


@pytest.fixture
def fleet(redis: RealRedis, site: ManyPages, tmp_path: Path) -> Iterator[Fleet]:
    fleet = Fleet(redis, tmp_path, f"{site.url}/0")
    yield fleet
    fleet.stop()


def is_polite(site: ManyPages) -> bool:
    """Return True if there was the delay between all requests, those for robots.txt included, and
    never more than one under way."""
    exchanges = sorted(site.exchanges, key=lambda one: one.start)
    return all(after.start - before.end >= DELAY for before, after in pairwise(exchanges))


def fetched(site: ManyPages) -> Counter[str]:
    return Counter(path for path in site.asked if path != "/robots.txt")


@pytest.mark.parametrize("count", [2, 3])
def test_workers_share_the_pages_at_the_pace_of_one_and_end_together(
    fleet: Fleet, site: ManyPages, count: int
) -> None:
    with site.held():
        numbers = [fleet.start() for _ in range(count)]
        for number in numbers:
            fleet.wait_for_log(number, "Spider opened")
    assert [fleet.end(number) for number in numbers] == [0] * count
    assert fleet.written() == Counter(dict.fromkeys(site.urls(), 1))
    assert set(fetched(site).values()) == {1}
    assert site.asked.count("/robots.txt") == 1
    assert min(len(worker.lines()) for worker in fleet.workers) > 0
    assert is_polite(site)
    for worker in fleet.workers:
        assert "Traceback" not in worker.log
        assert "ERROR" not in worker.log


def test_the_pages_of_a_killed_worker_go_to_the_others(fleet: Fleet, site: ManyPages) -> None:
    for _ in range(3):
        fleet.start()
    fleet.wait_for_pages(0, 5)
    with site.held():
        fleet.processes[0].kill()
        assert fleet.end(0) == -9
        leased = {path for _, path in all_leases(fleet.redis, "wiki:docs")}
    assert [fleet.end(number) for number in (1, 2)] == [0, 0]
    assert set(fleet.written()) == site.urls()
    assert {path for path, times in fetched(site).items() if times > 1} <= leased
    assert is_polite(site)
    feeds = [str(worker.feed) for worker in fleet.workers]
    merged = run(["merge", *feeds, "-O", "merged.jsonl"], cwd=fleet.workers[0].folder)
    assert merged.returncode == 0, merged.stderr
    lines = (fleet.workers[0].folder / "merged.jsonl").read_text().splitlines()
    assert Counter(json.loads(line)["url"] for line in lines) == Counter(
        dict.fromkeys(site.urls(), 1)
    )


def test_a_worker_that_is_stopped_hands_back_what_it_has(fleet: Fleet, site: ManyPages) -> None:
    for _ in range(2):
        fleet.start("-s", "WIKICRAWLER_FRONTIER_LEASE=3600")
    fleet.wait_for_pages(0, 5)
    with site.held():
        fleet.processes[0].send_signal(signal.SIGINT)
        fleet.wait_for_log(0, "Received SIGINT")
    assert [fleet.end(number) for number in (0, 1)] == [130, 0]
    assert fleet.written() == Counter(dict.fromkeys(site.urls(), 1))
    assert set(fetched(site).values()) == {1}
    assert is_polite(site)


def test_a_worker_joins_while_the_crawl_runs(fleet: Fleet, site: ManyPages) -> None:
    fleet.start()
    fleet.wait_for_pages(0, 5)
    with site.held():
        fleet.start()
        fleet.wait_for_log(1, "Joining the crawl")
    assert [fleet.end(number) for number in (0, 1)] == [0, 0]
    assert fleet.written() == Counter(dict.fromkeys(site.urls(), 1))
    assert len(fleet.workers[1].lines()) > 0
    assert is_polite(site)


def test_a_worker_without_seeds_waits_for_one_that_has_them(fleet: Fleet, site: ManyPages) -> None:
    for _ in range(2):
        fleet.start(*PRIVATE, seeds=False)
    for number in (0, 1):
        fleet.wait_for_log(number, "Waiting for a worker of this crawl that has its seeds")
    fleet.processes[1].send_signal(signal.SIGINT)
    assert fleet.end(1) == 130
    fleet.start()
    assert [fleet.end(number) for number in (0, 2)] == [0, 0]
    assert fleet.written() == Counter(dict.fromkeys(site.urls(), 1))
    assert len(fleet.workers[0].lines()) > 0
    assert is_polite(site)


@pytest.mark.parametrize("state", [(), ("-s", "JOBDIR=job")], ids=["without", "with a JOBDIR"])
def test_a_killed_worker_that_is_started_again_goes_on_with_its_feed(
    fleet: Fleet, site: ManyPages, state: tuple[str, ...]
) -> None:
    number = fleet.start(*state)
    fleet.wait_for_pages(number, 5)
    fleet.processes[number].kill()
    fleet.end(number)
    fleet.restart(number)
    assert fleet.end(number) == 0
    written = fleet.workers[number].written()
    assert set(written) == site.urls()
    if state:
        assert set(written.values()) == {1}
    fleet.restart(number)
    assert fleet.end(number) == 0
    assert fleet.workers[number].written() == written
    assert "This crawl has nothing left to do" in fleet.workers[number].log


def test_a_retry_after_holds_for_all_workers(redis: RealRedis, tmp_path: Path) -> None:
    links = "".join(f'<p><a href="/{n}">A page</a></p>' for n in range(8))
    text = "<p>Some words of a page that is worth reading, and some more of them.</p>"
    page = f"<!doctype html><title>T</title><main>{text}{links}</main>"
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(body=page))
        for n in range(8):
            server.on(f"/{n}", Reply(body=page.replace("words", f"words {n}")))
        server.on("/3", Reply(429, {"Retry-After": "2"}, ""), Reply(body=page))
        fleet = Fleet(redis, tmp_path, server.url("/"))
        try:
            for _ in range(2):
                fleet.start("-s", 'WIKICRAWLER_RETRY={"429": [1]}')
            assert [fleet.end(number) for number in (0, 1)] == [0, 0]
        finally:
            fleet.stop()
        (busy,) = [one for one in server.exchanges if one.path == "/3"][:1]
        later = [one.start for one in server.exchanges if one.start > busy.end]
    assert min(later) - busy.end >= 2


def test_no_site_of_many_is_requested_too_soon_by_all_workers_together(
    redis: RealRedis, tmp_path: Path
) -> None:
    many, pages = 30, 4
    arguments = [part for name, value in SETTINGS.items() for part in ("-s", f"{name}={value}")]
    with ManySites(many, pages) as sites:
        seeds = tmp_path / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in sites.seeds()))
        fleet = Fleet(redis, tmp_path, str(seeds))
        try:
            for _ in range(3):
                fleet.start(*arguments)
            assert [fleet.end(number) for number in range(3)] == [0, 0, 0]
        finally:
            fleet.stop()
        exchanges = [sites.exchanges[f"site{n}.com:{sites.port}"] for n in range(many)]
    written = fleet.written()
    assert len(written) == many * pages
    assert set(written.values()) == {1}
    assert [text for n in range(many) for text in too_early(n % 10, exchanges[n])] == []
    assert {[one.path for one in asked].count("/robots.txt") for asked in exchanges} == {1}
