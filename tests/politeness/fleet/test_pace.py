"""What a worker tells the frontier of the sites that it asks."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.fleet.turns import RedisTurns
from wikicrawler.politeness.turns import Asked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy import Request

    from tests.servers.redis import RealRedis


async def crawl(redis: RealRedis, server: ScriptedServer, delay: float) -> dict[str, str]:
    """Fetch two pages; return the pace of each site in Redis at the end, in microseconds."""
    settings = project_settings(
        WIKICRAWLER_FRONTIER=redis.url,
        WIKICRAWLER_FRONTIER_JOB="job",
        DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=60 / delay,
        WIKICRAWLER_RETRY={429: [0.1]},
        WIKICRAWLER_TIERS_ENABLED=False,
        ROBOTSTXT_OBEY=False,
    )
    done = await run(Pages, settings, requests=[server.url("/a"), server.url("/b")])
    assert len(done.responses) == 2
    with redis.client() as client:
        names = client.hgetall("{wikicrawler:pages:job}:pace")
    return dict(names)


@deferred_f_from_coro_f
async def test_requests_of_a_slow_site_are_handed_out_one_by_one(redis: RealRedis) -> None:
    with ScriptedServer() as server:
        server.on("/a").on("/b")
        assert list((await crawl(redis, server, 1.2)).values()) == ["500000"]


@pytest.mark.parametrize("reply", [Reply(), Reply(429, {"Retry-After": "2"}, "")])
@deferred_f_from_coro_f
async def test_requests_of_a_fast_site_are_not_when_its_pause_is_over(
    redis: RealRedis, reply: Reply
) -> None:
    with ScriptedServer() as server:
        server.on("/a", reply, Reply()).on("/b")
        assert await crawl(redis, server, 0.1) == {}


@deferred_f_from_coro_f
async def test_a_site_that_one_worker_found_busy_is_asked_less_often_by_the_next(
    redis: RealRedis, caplog: pytest.LogCaptureFixture
) -> None:
    settings = {
        "WIKICRAWLER_FRONTIER": redis.url,
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 300,  # 0.2 s
        "DOMAIN_THROTTLE_MAX_DELAY": 5,
        "WIKICRAWLER_RETRY": {429: [0.05, 0.05]},
        "WIKICRAWLER_TIERS_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
    }
    with ScriptedServer() as server, caplog.at_level(logging.INFO, "wikicrawler"):
        server.on("/a", Reply(429), Reply(429), Reply()).on("/b").on("/c")
        for job, paths in (("one", ["/a"]), ("two", ["/b", "/c"])):
            done = await run(
                Pages,
                project_settings(WIKICRAWLER_FRONTIER_JOB=job, **settings),
                requests=[server.url(path) for path in paths],
            )
    assert len(done.responses) == 2
    assert min(server.gaps()[-2:]) >= 0.6  # 0.2, doubled twice, and lowered by good answers
    assert done.stats["domain_throttle/slowed_count"] == 1
    assert "another worker found it slow or busy" in caplog.text


class Sleeping(Pages):
    """Stands still for longer than a lease when another worker has the turn of its site."""

    turns: RedisTurns

    async def start(self) -> AsyncIterator[Request]:
        asyncio.get_running_loop().call_later(1, self._stand_still)
        async for request in super().start():
            yield request

    def _stand_still(self) -> None:
        time.sleep(2.5)
        self.turns.end()


@deferred_f_from_coro_f
async def test_what_others_have_since_a_worker_stood_still_is_not_sent(redis: RealRedis) -> None:
    turns = RedisTurns(redis.url, longest=60.0, lease=60.0)
    turns.exchange([Asked(1, "127.0.0.1", 0.0, 1)], [])
    settings = project_settings(
        WIKICRAWLER_FRONTIER=redis.url,
        WIKICRAWLER_FRONTIER_JOB="job",
        WIKICRAWLER_FRONTIER_LEASE=2,
        WIKICRAWLER_TIERS_ENABLED=False,
        ROBOTSTXT_OBEY=False,
    )
    sleeping = type("SleepingPages", (Sleeping,), {"turns": turns})
    with ScriptedServer() as server:
        server.on("/a")
        done = await run(sleeping, settings, requests=[server.url("/a")])
    assert server.paths() == ["/a"]
    assert len(done.responses) == 1
    assert done.stats["scheduler/dequeued"] == 2  # the second time by a lease that has not ended
    assert done.failures == []
