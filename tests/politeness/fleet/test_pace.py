"""What a worker tells the frontier of the sites that it asks."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
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
