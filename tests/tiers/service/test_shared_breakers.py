"""Circuit breakers of services that several workers use, over a Redis."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

import pytest
from scrapy import Request, signals
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Outcome, Pages, project_settings, run
from tests.politeness.fleet.test_pauses import until
from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.plugin.test_plugin import TIER, Reader
from wikicrawler.tiers.crawl4ai.client import Crawl4AIClient
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.errors import BrowserUnavailableError
from wikicrawler.tiers.service.breaker import FAILURES, OTHERS_TRIAL, Breaker, BreakerNote
from wikicrawler.tiers.service.breaker_store import PREFIX, BreakerStore, KnownBreaker
from wikicrawler.tiers.service.client import ServiceClient, ServiceDownError
from wikicrawler.tiers.service.shared_breakers import SharedBreakers, service_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.servers.redis import RealRedis

    MakeStore = Callable[[], BreakerStore]

SERVICE = "0123456789abcdef"
FAILED = (SERVICE, BreakerNote(failures=1))
OPEN = (SERVICE, BreakerNote(pause=0.2))
WORKS = (SERVICE, BreakerNote(is_over=True))


# What is kept in Redis


@pytest.fixture
def store(redis: RealRedis) -> Iterator[MakeStore]:
    made: list[BreakerStore] = []

    def make() -> BreakerStore:
        made.append(BreakerStore(redis.url))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_failures_add_up_over_all_workers(store: MakeStore) -> None:
    one, two = store(), store()
    one.exchange([FAILED, FAILED])
    assert two.exchange([FAILED]) == [KnownBreaker(SERVICE, 3, 0.0, 0.0)]
    assert one.exchange([WORKS]) == [KnownBreaker(SERVICE, 0, 0.0, 0.0)]
    assert two.exchange([]) == [KnownBreaker(SERVICE, 0, 0.0, 0.0)]
    assert one.exchange([]) == two.exchange([]) == []


def test_a_pause_that_two_begin_at_the_same_time_is_one(store: MakeStore) -> None:
    one, two = store(), store()
    one.exchange([(SERVICE, BreakerNote(pause=5.0))])
    (known,) = two.exchange([(SERVICE, BreakerNote(pause=5.0)), FAILED])
    assert known.pause == 5.0
    assert 4 < known.remaining <= 5
    assert known.failures == 2, "one that was on its way does not count"


def test_one_worker_tries_when_the_pause_is_over(store: MakeStore, redis: RealRedis) -> None:
    one, two, three = store(), store(), store()
    one.exchange([(SERVICE, BreakerNote(pause=60.0))])
    assert not one.try_service(SERVICE, 30)
    end(redis)
    assert two.try_service(SERVICE, 30)
    assert not one.try_service(SERVICE, 30)
    two.exchange([(SERVICE, BreakerNote(pause=60.0))])
    end(redis)
    assert three.try_service(SERVICE, 30), "the trial of the others has ended"
    one.exchange([(SERVICE, BreakerNote(ends_trial=True))])
    assert not two.try_service(SERVICE, 30), "it is not the trial of that one"
    three.exchange([(SERVICE, BreakerNote(ends_trial=True))])
    assert two.try_service(SERVICE, 30)
    two.exchange([WORKS])
    assert all(worker.try_service(SERVICE, 30) for worker in (one, two, three))


def end(redis: RealRedis) -> None:
    """End the pause of the service."""
    with redis.client() as client:
        client.hset(f"{PREFIX}service:{SERVICE}", "ends", 1)


def test_the_trial_of_a_worker_that_died_goes_to_another_one(store: MakeStore) -> None:
    one, two = store(), store()
    one.exchange([(SERVICE, BreakerNote(pause=0.001))])
    time.sleep(0.01)
    assert one.try_service(SERVICE, 0.2)
    give_up = time.monotonic() + 60
    while not two.try_service(SERVICE, 30) and time.monotonic() < give_up:
        time.sleep(0.01)
    assert not one.try_service(SERVICE, 30)


def test_nothing_is_kept_for_ever(store: MakeStore, redis: RealRedis) -> None:
    one = store()
    one.exchange([FAILED, OPEN])
    time.sleep(0.3)
    one.try_service(SERVICE, 30)
    with redis.client() as client:
        assert {client.ttl(key) > 0 for key in client.keys("*")} == {True}


# What a service is


def test_a_service_is_known_by_its_address_and_the_machine_by_its_network() -> None:
    url = "https://me:secret@render.example:11235/"
    assert service_of("crawl4ai", url) == service_of("crawl4ai", "http://render.example:11235")
    assert service_of("crawl4ai", url) != service_of("crawl4ai", "http://render.example:11236")
    assert service_of("crawl4ai", url) != service_of("reader", url)
    local = [service_of("crawl4ai", f"http://{host}:1") for host in ("localhost", "127.0.0.1")]
    assert local == [service_of("crawl4ai", f"http://{host}:1") for host in ("localhost", "127.1")]


# Workers


class Worker:
    """One of several, with a breaker of the same service."""

    def __init__(self, redis: RealRedis, longest: float = 60.0) -> None:
        self.breaker = Breaker(longest=longest)
        self.crawler = get_crawler()
        self.shared = SharedBreakers(self.crawler, BreakerStore(redis.url))
        self.crawler.signals.send_catch_log(signals.spider_opened)
        self.shared.add("reader", "http://render.example", self.breaker)


@deferred_f_from_coro_f
async def test_a_breaker_that_several_workers_open_is_open_for_all(
    redis: RealRedis, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = Worker(redis), Worker(redis)
    for _ in range(FAILURES - 1):
        assert not one.breaker.failed()
    await until(lambda: two.breaker._failures == FAILURES - 1)
    with caplog.at_level(logging.INFO, "wikicrawler.tiers.service.shared_breakers"):
        assert two.breaker.failed()
        await until(lambda: one.breaker.state == "open")
        assert 0 < one.breaker.remaining <= 5
        late = Worker(redis)
        await until(lambda: late.breaker.state == "open")
        two.breaker.succeeded()
        await until(lambda: one.breaker.state == late.breaker.state == "closed")
    assert caplog.text.count("keeps failing, as another worker found") == 2
    assert caplog.text.count("works again, as another worker found") == 2
    for worker in (one, two, late):
        await worker.shared.close()


@deferred_f_from_coro_f
async def test_one_of_all_workers_tries_and_what_it_finds_holds_for_all(redis: RealRedis) -> None:
    workers = [Worker(redis, longest=0.3) for _ in range(3)]
    one, two, three = workers
    one.breaker.failed(at_once=True)
    await until(lambda: all(worker.breaker.state == "half_open" for worker in workers))
    tried = await asyncio.gather(*(worker.breaker.may_try() for worker in workers))
    assert tried.count(True) == 1
    workers[tried.index(True)].breaker.failed()
    await until(lambda: all(worker.breaker._pause == 0.3 for worker in workers))
    await until(lambda: all(worker.breaker.state == "half_open" for worker in workers))
    assert await two.breaker.may_try()
    assert not await three.breaker.may_try()
    await two.shared.close()  # without an outcome
    assert await three.breaker.may_try()
    three.breaker.succeeded()
    await until(lambda: one.breaker.state == "closed")
    for worker in workers:
        await worker.shared.close()


@deferred_f_from_coro_f
async def test_answers_of_a_service_that_works_are_not_sent(redis: RealRedis) -> None:
    one = Worker(redis)
    await one.shared.ready()
    for _ in range(3):
        one.breaker.succeeded()
    await one.shared.close()
    with redis.client() as client:
        assert client.keys("*") == []


@deferred_f_from_coro_f
async def test_a_redis_that_is_away_leaves_each_worker_its_own_breaker() -> None:
    crawler = get_crawler()
    shared = SharedBreakers(crawler, BreakerStore("redis://127.0.0.1:1/0"))
    crawler.signals.send_catch_log(signals.spider_opened)
    breaker = Breaker()
    shared.add("reader", "http://render.example", breaker)
    breaker.failed(at_once=True)
    assert breaker.state == "open"
    assert await breaker.may_try()
    await shared.close()


async def other_tries() -> bool:
    """Stands for the answer that another worker has the trial."""
    return False


@deferred_f_from_coro_f
async def test_nothing_is_sent_while_another_worker_tries() -> None:
    sent: list[Request] = []

    async def send(request: Request) -> Response:
        sent.append(request)
        return Response(request.url)

    breaker = Breaker(longest=0.0)
    breaker.may_try = other_tries
    client = ServiceClient("reader", send, stats=get_crawler().stats, breaker=breaker)
    breaker.failed(at_once=True)
    with pytest.raises(ServiceDownError) as raised:
        await client.send(Request("http://render.example"))
    assert raised.value.retry_after == OTHERS_TRIAL
    config = Crawl4AIConfig(url="http://render.example")
    with pytest.raises(BrowserUnavailableError) as browser_raised:
        await Crawl4AIClient(config, send, breaker=breaker).crawl("http://site.example")
    assert browser_raised.value.retry_after == OTHERS_TRIAL
    assert sent == []


async def crawl(redis: RealRedis, job: str, reader: Reader, *urls: str) -> Outcome:
    settings = project_settings(
        **reader.settings
        | {
            "WIKICRAWLER_TIERS": TIER,
            "WIKICRAWLER_FRONTIER": redis.url,
            "WIKICRAWLER_FRONTIER_JOB": job,
            "WIKICRAWLER_LONGEST_WAIT": 0,
            "WIKICRAWLER_DISCOVER_WIKIS": False,
        }
    )
    return await run(Pages, settings, requests=urls)


@deferred_f_from_coro_f
async def test_a_service_that_failed_another_worker_is_left_alone(redis: RealRedis) -> None:
    with ScriptedServer() as site, Reader() as reader:
        site.on("/robots.txt", Reply(404))
        reader.refusal = Reply(503)
        urls = [site.url(f"/app{n}") for n in range(8)]
        one = await crawl(redis, "one", reader, *urls[:3])
        two = await crawl(redis, "two", reader, *urls[3:6])
        asked = len(reader.exchanges)
        three = await crawl(redis, "three", reader, *urls[6:])
    assert asked == len(reader.exchanges) == FAILURES
    assert "reader/breaker/opened_count" not in one.stats
    assert two.stats["reader/breaker/opened_count"] == 1
    assert set(three.reasons().values()) == {"service_down"}
