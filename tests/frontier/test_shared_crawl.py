"""Crawls of several workers over one frontier, through Scrapy's scheduler interface."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.frontier.contract import Downloader
from tests.frontier.memory_frontier import MemoryFrontier, Shared
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.guarded import GuardedFrontier
from wikicrawler.frontier.redis.frontier import RedisFrontier
from wikicrawler.frontier.scheduler import FrontierScheduler
from wikicrawler.frontier.sqlite.database import CrawlDatabase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scrapy.core.scheduler import Scheduler
    from scrapy.crawler import Crawler
    from scrapy.settings import Settings

    from tests.servers.redis import RealRedis
    from wikicrawler.frontier.protocol import Frontier

PAGES = 20
LEASE_SECONDS = 2.0


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        for n in range(PAGES):
            server.on(f"/{n}", Reply(delay=0.05))
        yield server


class InMemory:
    """Workers that share a memory."""

    failure = "The state in memory cannot be kept: the server is gone"

    def __init__(self, folder: Path) -> None:
        self._shared = Shared(time.monotonic, LEASE_SECONDS)

    def frontier(self) -> Frontier:
        return MemoryFrontier(self._shared)

    def fail(self) -> None:
        self._shared.fails = True

    def left(self) -> int:
        """Requests that are not done."""
        return len(self._shared.leases) + len(self._shared.waiting)


class InRedis:
    """Workers that share a Redis."""

    def __init__(self, folder: Path, server: RealRedis) -> None:
        self._folder = folder
        self._server = server
        self._count = 0
        self.failure = (
            f"The state in {server.url} (job) cannot be kept: the crawl is gone from Redis"
        )

    def frontier(self) -> Frontier:
        self._count += 1
        folder = self._folder / f"worker-{self._count}"
        folder.mkdir()
        database = CrawlDatabase.open(folder)
        return RedisFrontier(
            self._server.url, "job", database, folder, lease_seconds=LEASE_SECONDS, ahead=8
        )

    def fail(self) -> None:
        self._server.empty()

    def left(self) -> int:
        prefix = "{wikicrawler:job}:"
        with self._server.client() as client:
            of_leases = client.hlen(f"{prefix}leases")
            return of_leases + client.zcard(f"{prefix}queue") + client.zcard(f"{prefix}later")


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.redis)])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> InMemory | InRedis:
    if request.param == "memory":
        return InMemory(tmp_path)
    return InRedis(tmp_path, request.getfixturevalue("redis"))


def settings(shared: InMemory | InRedis) -> Settings:
    """Those of a worker."""

    class SharedScheduler(FrontierScheduler):
        @classmethod
        def from_crawler(cls, crawler: Crawler) -> Scheduler:  # type: ignore[override]
            return cls(crawler, GuardedFrontier(shared.frontier(), crawler))

    return project_settings(
        SCHEDULER=SharedScheduler, WIKICRAWLER_TIERS_ENABLED=False, ROBOTSTXT_OBEY=False
    )


class Tree(Pages):
    """Follows page n by the pages 3n + 1 to 3n + 3, each of them twice."""

    def parse(self, response: Any) -> Any:
        super().parse(response)
        base, _, name = response.url.rpartition("/")
        for n in range(3 * int(name) + 1, min(PAGES, 3 * int(name) + 4)):
            yield Request(f"{base}/{n}", errback=self.failed)
            yield Request(f"{base}/{n}", errback=self.failed)


@deferred_f_from_coro_f
async def test_workers_share_the_pages_and_end_together(
    site: ScriptedServer, shared: InMemory | InRedis
) -> None:
    done = await asyncio.gather(
        run(Tree, settings(shared), requests=[site.url("/0")]),
        run(Tree, settings(shared), requests=[site.url("/0")]),
    )
    assert Counter(site.paths()) == Counter({f"/{n}": 1 for n in range(PAGES)})
    assert sum(len(outcome.responses) for outcome in done) == PAGES
    assert min(len(outcome.responses) for outcome in done) > 0
    assert [outcome.stats["finish_reason"] for outcome in done] == ["finished"] * 2
    assert not shared.left()


@deferred_f_from_coro_f
async def test_a_crawl_makes_what_a_lost_worker_had(
    site: ScriptedServer, shared: InMemory | InRedis
) -> None:
    one_page = settings(shared)
    one_page["CLOSESPIDER_PAGECOUNT"] = 1
    await run(Tree, one_page, requests=[site.url("/0")])
    assert 0 < len(site.paths()) < PAGES
    lost = shared.frontier()
    await lost.open(Downloader())
    await lost.prefetch()
    assert lost.pop() is not None
    done = await run(Tree, settings(shared), requests=[])
    assert done.stats["frontier/resumed"] == 1
    assert Counter(site.paths()) == Counter({f"/{n}": 1 for n in range(PAGES)})


@deferred_f_from_coro_f
async def test_a_page_that_takes_longer_than_a_lease_is_fetched_once(
    site: ScriptedServer, shared: InMemory | InRedis
) -> None:
    site.on("/slow", Reply(delay=2 * LEASE_SECONDS))
    done = await asyncio.gather(
        run(Pages, settings(shared), requests=[site.url("/slow")]),
        run(Pages, settings(shared), requests=[]),
    )
    assert site.paths() == ["/slow"]
    assert sum(len(outcome.responses) for outcome in done) == 1


@deferred_f_from_coro_f
async def test_a_crawl_whose_frontier_fails_stops(
    site: ScriptedServer, shared: InMemory | InRedis, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Tree):
        def parse(self, response: Any) -> Any:
            shared.fail()
            yield from super().parse(response)

    done = await run(Failing, settings(shared), requests=[site.url("/0"), site.url("/1")])
    assert done.stats["finish_reason"] == done.stats["frontier/failed"] == "state_failed"
    assert caplog.text.count(shared.failure) == 1
    assert "Traceback" not in caplog.text
