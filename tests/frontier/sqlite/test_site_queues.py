"""In which order requests leave the database."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from scrapy import Request

from wikicrawler.frontier.site_times import SiteTimes
from wikicrawler.frontier.sqlite import site_queues as queue
from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.sqlite.site_queues import SiteQueues

if TYPE_CHECKING:
    from pathlib import Path


class Slots:
    """Stands for the downloader: what each site holds, and how much it may."""

    def __init__(self, most: int = 10**9) -> None:
        self.counts: Counter[str] = Counter()
        self.most = most

    def held(self) -> Counter[str]:
        return self.counts

    def has_room(self, key: str, held: int) -> bool:
        return held <= self.most


class Sites:
    """Queues over a database; requests are known by their URL's path."""

    def __init__(self, folder: Path, *, newest_first: bool = False) -> None:
        self.slots = Slots()
        self.database = CrawlDatabase.open(folder)
        self.times = SiteTimes(time.monotonic)
        self.queues = SiteQueues(self.database, self.slots, self.times, (newest_first, False))

    def push(self, site: str, name: str, rank: int = 0) -> None:
        number = self.database.add(site, rank, None, name.encode())
        self.queues.push(site, rank, number, Request(f"http://{site}/{name}"))

    def pop(self) -> str | None:
        found = self.queues.pop()
        if found is None:
            return None
        request = found[1]
        return request.decode() if isinstance(request, bytes) else request.url.rpartition("/")[2]

    def drain(self) -> list[str]:
        return list(iter(self.pop, None))


@pytest.fixture(params=[5_000, 3, 0], ids=["in memory", "some in memory", "in the database"])
def memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many requests are held in memory makes no difference."""
    monkeypatch.setattr(queue, "_IN_MEMORY", request.param)
    monkeypatch.setattr(queue, "_BATCH", 4)


@pytest.mark.usefixtures("memory")
class TestOrder:
    def test_the_lowest_rank_comes_first_and_the_oldest_of_it(self, tmp_path: Path) -> None:
        sites = Sites(tmp_path)
        for n in range(12):
            sites.push("a.org", f"{n}", rank=n % 3)
        assert sites.drain() == [f"{n}" for rank in range(3) for n in range(rank, 12, 3)]
        assert len(sites.queues) == 0

    def test_or_the_newest(self, tmp_path: Path) -> None:
        sites = Sites(tmp_path, newest_first=True)
        for n in range(8):
            sites.push("a.org", f"{n}")
        assert [sites.pop(), sites.pop()] == ["7", "6"]
        for n in range(8, 10):
            sites.push("a.org", f"{n}")
        assert sites.drain() == ["9", "8", "5", "4", "3", "2", "1", "0"]

    def test_nothing_is_handed_out_twice(self, tmp_path: Path) -> None:
        for newest_first in (False, True):
            folder = tmp_path / str(newest_first)
            folder.mkdir()
            sites = Sites(folder, newest_first=newest_first)
            seen = []
            for n in range(60):
                sites.push("a.org", f"{n}")
                if n % 3 == 0:
                    seen.append(sites.pop())
            seen += sites.drain()
            assert sorted(map(int, filter(None, seen))) == list(range(60))

    def test_what_was_not_done_comes_again_in_the_old_order(self, tmp_path: Path) -> None:
        sites = Sites(tmp_path)
        for n in range(10):
            sites.push("a.org", f"{n}")
        assert [sites.pop() for _ in range(4)] == ["0", "1", "2", "3"]
        sites.database.done(2)  # the request "1"
        sites.database.commit()
        sites.database.close()
        assert Sites(tmp_path).drain() == ["0", "2", "3", "4", "5", "6", "7", "8", "9"]

    def test_sites_take_turns(self, tmp_path: Path) -> None:
        sites = Sites(tmp_path)
        for site in "abc":
            for n in range(3):
                sites.push(f"{site}.org", f"{site}{n}")
        assert sites.drain() == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]


def test_a_site_that_holds_fewer_places_comes_first(tmp_path: Path) -> None:
    sites = Sites(tmp_path)
    for site in "abc":
        sites.push(f"{site}.org", site)
    sites.slots.counts.update({"a.org": 2, "b.org": 1})
    assert sites.drain() == ["c", "b", "a"]


def test_a_site_without_room_waits(tmp_path: Path) -> None:
    sites = Sites(tmp_path)
    sites.slots.most = 1
    sites.push("a.org", "a")
    sites.slots.counts["a.org"] = 2
    assert sites.pop() is None
    assert len(sites.queues) == 1
    sites.slots.counts["a.org"] = 1
    assert sites.pop() == "a"


def test_memory_is_bounded(tmp_path: Path) -> None:
    sites = Sites(tmp_path)
    for n in range(queue._IN_MEMORY + 2_000):
        sites.push(f"{n % 7}.org", f"{n}")
    assert sites.queues._in_memory == queue._IN_MEMORY
    assert len(set(sites.drain())) == queue._IN_MEMORY + 2_000
