"""Sites that block every tier, in crawls that share a Redis."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest
from scrapy import signals
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Outcome, Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.fleet.pauses import SharedPauses
from wikicrawler.politeness.fleet.pauses_store import PausesStore
from wikicrawler.politeness.pauses import FIRST_PAUSE, PAGES, SitePauses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.servers.redis import RealRedis

SITE = "site.example"
BLOCKED = Reply(403, {"cf-mitigated": "challenge"})
ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"


class Worker:
    """The pauses of one worker, from its opening to its end."""

    def __init__(self, redis: RealRedis) -> None:
        self.pauses = SitePauses()
        self._crawler = get_crawler()
        self.shared = SharedPauses(self._crawler, self.pauses, PausesStore(redis.url))
        self._crawler.signals.send_catch_log(signals.spider_opened)


async def until(is_so: Callable[[], bool]) -> None:
    """Return when it is so."""
    for _ in range(1000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError


@deferred_f_from_coro_f
async def test_the_streak_and_the_pause_are_those_of_all(
    redis: RealRedis, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = Worker(redis), Worker(redis)
    for worker in (one, two):
        await worker.shared.ready()
    assert not one.pauses.blocked(SITE)
    await until(lambda: SITE in two.pauses._blocked)
    assert not two.pauses.blocked(SITE)
    await until(lambda: one.pauses._blocked[SITE] == (2, 2))
    with caplog.at_level(logging.WARNING, "wikicrawler.politeness.fleet.pauses"):
        assert one.pauses.blocked(SITE) == FIRST_PAUSE, "the third one in a row"
        await until(lambda: two.pauses.remaining(SITE) > 0)
    assert caplog.text.count("as another worker found: paused for 10 minutes") == 1
    late = Worker(redis)
    await late.shared.ready()
    assert FIRST_PAUSE - 60 < late.pauses.remaining(SITE) <= FIRST_PAUSE
    assert late.pauses.risk_level(SITE) == 1
    two.pauses.answered(SITE)
    await until(lambda: one.pauses.is_empty and late.pauses.is_empty)
    assert one.pauses.risk_level(SITE) == 0
    for worker in (one, two, late):
        await worker.shared.close()


@deferred_f_from_coro_f
async def test_what_was_noted_last_is_stored(redis: RealRedis) -> None:
    one = Worker(redis)
    await one.shared.ready()
    for _ in range(PAGES):
        one.pauses.blocked(SITE)
    await one.shared.close()
    (known,) = PausesStore(redis.url).exchange([])
    assert known.risk_level == 1


@deferred_f_from_coro_f
async def test_a_pause_of_an_earlier_crawl_stands_if_nobody_has_had_an_answer_since(
    redis: RealRedis,
) -> None:
    old = Worker(redis)
    await old.shared.ready()
    old.pauses.blocked(SITE)
    old.pauses.answered(SITE)
    await old.shared.close()
    new = Worker(redis)
    new.pauses.restore(SITE, 4e9, 1)
    await new.shared.ready()
    assert new.pauses.remaining(SITE) > 0
    await new.shared.close()


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        for n in range(6):
            running.on(f"/{n}", BLOCKED)
        yield running


async def crawl(redis: RealRedis, job: str, *urls: str) -> Outcome:
    settings = project_settings(
        WIKICRAWLER_FRONTIER=redis.url,
        WIKICRAWLER_FRONTIER_JOB=job,
        WIKICRAWLER_TIERS="http",
        WIKICRAWLER_LONGEST_WAIT=0,
    )
    return await run(Pages, settings, requests=urls)


@deferred_f_from_coro_f
async def test_a_site_that_blocks_several_workers_is_left_alone_by_all(
    redis: RealRedis, server: ScriptedServer
) -> None:
    one = await crawl(redis, "one", server.url("/0"), server.url("/1"))
    two = await crawl(redis, "two", server.url("/2"))
    three = await crawl(redis, "three", server.url("/3"))
    assert set(one.reasons().values()) == set(two.reasons().values()) == {"blocked_captcha"}
    assert "tier/site_paused_count" not in one.stats
    assert two.stats["tier/site_paused_count"] == 1
    assert set(three.reasons().values()) == {"paused"}
    assert server.paths() == ["/robots.txt", "/0", "/1", "/2"]


@deferred_f_from_coro_f
async def test_an_answer_to_one_worker_counts_for_all(
    redis: RealRedis, server: ScriptedServer
) -> None:
    await crawl(redis, "one", server.url("/0"), server.url("/1"))
    server.on("/open", Reply(body=ARTICLE))
    await crawl(redis, "two", server.url("/open"))
    three = await crawl(redis, "three", server.url("/2"), server.url("/3"))
    assert set(three.reasons().values()) == {"blocked_captcha"}
    assert "tier/site_paused_count" not in three.stats
