"""robots.txt in crawls that share a Redis."""

from __future__ import annotations

import asyncio
import logging
from time import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Outcome, Pages, project_settings, run
from tests.servers.faults import FaultyProxy
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.fetch_errors import NETWORK_ERRORS
from wikicrawler.politeness.fleet.robots import SharedRobots
from wikicrawler.politeness.fleet.robots_store import AskedRobots, RobotsStore
from wikicrawler.politeness.robots import RobotsDisallowed
from wikicrawler.politeness.robots_answer import RobotsAnswer
from wikicrawler.politeness.robots_cache import FETCH_FAILED_SINCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.redis import RealRedis

RULES = Reply(headers={"Content-Type": "text/plain"}, body="User-agent: *\nDisallow: /b\n")
ROBOTS = "/robots.txt"
ALWAYS = float("inf")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running.on("/a").on("/b").on("/c")


async def crawl(redis: RealRedis, job: str, *requests: Request | str, **settings: Any) -> Outcome:
    chosen = project_settings(
        WIKICRAWLER_FRONTIER=settings.pop("url", redis.url),
        WIKICRAWLER_FRONTIER_JOB=job,
        **{"WIKICRAWLER_TIERS_ENABLED": False, **settings},
    )
    return await run(Pages, chosen, requests=requests)


def fetched(outcome: Outcome) -> int:
    return int(outcome.stats.get("robotstxt/request_count", 0))


@deferred_f_from_coro_f
async def test_a_worker_obeys_what_another_one_fetched(
    redis: RealRedis, server: ScriptedServer
) -> None:
    server.on(ROBOTS, RULES)
    one = await crawl(redis, "one", server.url("/a"))
    two = await crawl(redis, "two", server.url("/b"), server.url("/c"))
    assert server.paths() == [ROBOTS, "/a", "/c"]
    assert [type(failure) for failure in two.failures] == [RobotsDisallowed]
    assert (fetched(one), fetched(two)) == (1, 0)
    assert "robotstxt/shared_count" not in one.stats
    assert two.stats["robotstxt/shared_count"] == 1


@deferred_f_from_coro_f
async def test_its_delay_holds_for_a_worker_that_did_not_fetch_it(
    redis: RealRedis, server: ScriptedServer
) -> None:
    server.on(ROBOTS, Reply(body="User-agent: *\nCrawl-delay: 0.5\n"))
    for job, path in (("one", "/a"), ("two", "/b"), ("three", "/c")):
        await crawl(redis, job, server.url(path))
    assert server.paths() == [ROBOTS, "/a", "/b", "/c"]
    assert min(server.gaps()) >= 0.5


@deferred_f_from_coro_f
async def test_workers_that_come_at_the_same_time_wait_for_one(
    redis: RealRedis, server: ScriptedServer
) -> None:
    server.on(ROBOTS, Reply(body=RULES.body, delay=0.5))
    jobs = [crawl(redis, f"job {n}", server.url("/a"), server.url("/b")) for n in range(3)]
    done = await asyncio.gather(*jobs)
    assert sorted(server.paths()) == ["/a", "/a", "/a", ROBOTS]
    assert sum(fetched(outcome) for outcome in done) == 1
    assert [len(outcome.failures) for outcome in done] == [1, 1, 1]


@pytest.mark.parametrize(
    ("reply", "has_cause"), [(Reply(503), False), (Reply(drop=True), True)], ids=["503", "dropped"]
)
@deferred_f_from_coro_f
async def test_a_failed_fetch_is_known_to_all(
    redis: RealRedis,
    server: ScriptedServer,
    reply: Reply,
    has_cause: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.on(ROBOTS, reply)
    found = []
    with caplog.at_level(logging.WARNING, "wikicrawler.politeness.robots"):
        for job in ("one", "two"):
            done = await crawl(redis, job, server.url("/a"))
            found += done.failures
            assert done.stats["robotstxt/unreachable_count"] == 1
    assert server.paths() == [ROBOTS] * 2  # with its retry
    assert [type(failure) for failure in found] == [RobotsDisallowed] * 2
    assert str(found[0]) == str(found[1])
    assert [isinstance(failure.cause, NETWORK_ERRORS) for failure in found] == [has_cause] * 2
    assert caplog.text.count("could not be fetched") == 2


@deferred_f_from_coro_f
async def test_a_page_that_comes_back_has_a_failed_fetch_repeated_by_any_worker(
    redis: RealRedis, server: ScriptedServer
) -> None:
    server.on(ROBOTS, Reply(drop=True), Reply(drop=True), RULES)
    await crawl(redis, "one", server.url("/a"))
    again = Request(server.url("/a"), meta={FETCH_FAILED_SINCE: time()})
    done = await crawl(redis, "two", again, server.url("/b"))
    assert server.paths() == [ROBOTS] * 3 + ["/a"]
    assert [type(failure) for failure in done.failures] == [RobotsDisallowed]


@deferred_f_from_coro_f
async def test_what_a_dead_worker_was_fetching_is_fetched_by_another(
    redis: RealRedis, server: ScriptedServer
) -> None:
    server.on(ROBOTS, RULES)
    dead = RobotsStore(redis.url, lease=1.0)
    assert dead.exchange([AskedRobots(server.url(""), ALWAYS)]) == [True]
    dead.close()
    done = await crawl(redis, "one", server.url("/a"), server.url("/b"))
    assert server.paths() == [ROBOTS, "/a"]
    assert fetched(done) == 1


@deferred_f_from_coro_f
async def test_a_worker_that_ends_lets_another_one_fetch(redis: RealRedis) -> None:
    other = RobotsStore(redis.url)
    shared = SharedRobots(get_crawler(), RobotsStore(redis.url))
    assert await shared.get("https://a.example", ALWAYS) is None
    assert other.exchange([AskedRobots("https://b.example", ALWAYS)]) == [True]
    waits = asyncio.ensure_future(shared.get("https://b.example", ALWAYS))
    await asyncio.sleep(0)
    await shared.close()
    with pytest.raises(IgnoreRequest, match="the crawl has ended"):
        await waits
    with pytest.raises(IgnoreRequest, match="the crawl has ended"):
        await shared.get("https://c.example", ALWAYS)
    assert other.exchange([AskedRobots("https://a.example", ALWAYS)]) == [True]
    other.close()


@deferred_f_from_coro_f
async def test_a_request_that_comes_while_another_one_is_asked_for_is_answered(
    redis: RealRedis,
) -> None:
    shared = SharedRobots(get_crawler(), RobotsStore(redis.url))
    asked = []
    for name in "abc":
        asked.append(asyncio.ensure_future(shared.get(f"https://{name}.example", ALWAYS)))
        for _ in range(5):  # until Redis is asked
            await asyncio.sleep(0)
    assert await asyncio.wait_for(asyncio.gather(*asked), 30) == [None] * 3
    await shared.close()


@deferred_f_from_coro_f
async def test_a_request_that_is_cancelled_has_nobody_wait(redis: RealRedis) -> None:
    other = RobotsStore(redis.url)
    shared = SharedRobots(get_crawler(), RobotsStore(redis.url))
    asked = AskedRobots("https://a.example", ALWAYS)
    request = asyncio.ensure_future(shared.get(*asked))
    for _ in range(5):  # until it has asked
        await asyncio.sleep(0)
    request.cancel()
    await asyncio.sleep(0.5)
    assert other.exchange([asked]) == [True]
    await shared.close()
    other.close()


@deferred_f_from_coro_f
async def test_a_fetch_may_take_longer_than_a_claim(redis: RealRedis) -> None:
    other = RobotsStore(redis.url)
    shared = SharedRobots(get_crawler(), RobotsStore(redis.url, lease=0.6))
    asked = AskedRobots("https://a.example", ALWAYS)
    assert await shared.get(*asked) is None
    for _ in range(30):
        await asyncio.sleep(0.05)
        assert other.exchange([asked]) == [False]
    shared.put(asked.origin, RobotsAnswer(b"# fetched"))
    await shared.close()
    (answer,) = other.exchange([asked])
    assert isinstance(answer, RobotsAnswer)
    assert answer.body == b"# fetched"
    other.close()


class Broken:
    """A downloader middleware of a project that fails on robots.txt."""

    def process_request(self, request: Request) -> None:
        if request.url.endswith(ROBOTS):
            raise ValueError("a bug")


@deferred_f_from_coro_f
async def test_a_failure_of_a_workers_own_is_not_shared(
    redis: RealRedis, server: ScriptedServer
) -> None:
    server.on(ROBOTS, RULES)
    broken = await crawl(
        redis, "one", server.url("/a"), DOWNLOADER_MIDDLEWARES={f"{__name__}.Broken": 900}
    )
    assert len(broken.responses) == 1
    await crawl(redis, "two", server.url("/b"))
    assert server.paths() == ["/a", ROBOTS]


@deferred_f_from_coro_f
async def test_nothing_is_sent_unchecked_while_redis_is_away(
    redis: RealRedis, server: ScriptedServer
) -> None:
    server.on(ROBOTS, RULES)
    with FaultyProxy(redis.port) as proxy:

        class Leaving(Pages):
            async def start(self) -> Any:
                await asyncio.sleep(0.5)
                proxy.is_away = True
                asyncio.get_running_loop().call_later(1.5, self.back)
                async for request in super().start():
                    yield request

            def back(self) -> None:
                self.paths = server.paths()
                proxy.is_away = False

        settings = project_settings(
            WIKICRAWLER_FRONTIER=f"redis://127.0.0.1:{proxy.port}/0",
            WIKICRAWLER_FRONTIER_JOB="job",
            WIKICRAWLER_TIERS_ENABLED=False,
        )
        done = await run(Leaving, settings, requests=[server.url("/a"), server.url("/b")])
    assert done.spider is not None
    assert done.spider.paths == []  # type: ignore[attr-defined]
    assert server.paths() == [ROBOTS, "/a"]
    assert [type(failure) for failure in done.failures] == [RobotsDisallowed]
