"""A Redis that is away, that answers into nothing, or that has lost what it had."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.contract import Downloader, drain, pop, push
from tests.frontier.redis.workers import PREFIX, Snapshot
from tests.servers.faults import FaultyProxy
from wikicrawler.frontier.protocol import FrontierError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.frontier.redis.workers import Workers
    from tests.servers.redis import RealRedis


@pytest.fixture
def proxy(redis: RealRedis) -> Iterator[FaultyProxy]:
    with FaultyProxy(redis.port) as found:
        yield found


def url_of(proxy: FaultyProxy) -> str:
    return f"redis://127.0.0.1:{proxy.port}/0"


@deferred_f_from_coro_f
async def test_what_is_sent_again_is_done_once(workers: Workers, proxy: FaultyProxy) -> None:
    worker = await workers.open(url_of(proxy), patience=30.0)
    push(worker, "a.org", "a", "b")
    proxy.lose_reply()
    await worker.prefetch()
    assert proxy.has_lost_it
    assert worker.waiting() == 2
    first = await pop(worker)
    assert first is not None
    worker.done(first[0])
    worker.note("name", b"value")
    proxy.lose_reply()
    await worker.prefetch()
    assert proxy.has_lost_it
    assert [first[1], *await drain(worker)] == ["a", "b"]
    assert worker.noted("name") == {b"value"}
    with workers.server.client() as client:
        assert client.hlen(f"{PREFIX}leases") == 1


@deferred_f_from_coro_f
async def test_the_answer_to_opening_may_be_lost(workers: Workers, proxy: FaultyProxy) -> None:
    worker = workers.make(url_of(proxy), patience=30.0)
    worker._server._script = worker._server._connect()  # what is lost is the answer of the script
    proxy.lose_reply()
    await worker.open(places=Downloader())
    assert proxy.has_lost_it
    assert not worker.resumed


@deferred_f_from_coro_f
async def test_workers_wait_for_a_redis_that_is_away(
    workers: Workers, proxy: FaultyProxy, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    worker = await workers.open(url_of(proxy), patience=60.0)
    proxy.is_away = True
    push(worker, "a.org", "a", "b")
    worker.commit()
    waits = asyncio.ensure_future(worker.prefetch())
    while "Redis is away" not in caplog.text:  # noqa: ASYNC110 - a thread writes it
        await asyncio.sleep(0.01)
    push(worker, "a.org", "c")  # the crawl goes on meanwhile
    assert worker.waiting() == 3
    assert not waits.done()
    proxy.is_away = False
    await waits
    assert await drain(worker) == ["a", "b", "c"]
    assert caplog.text.count("Redis is away") == caplog.text.count("Redis is back") == 1


@deferred_f_from_coro_f
async def test_what_a_worker_has_that_is_cut_off_goes_to_others(
    workers: Workers, proxy: FaultyProxy
) -> None:
    worker, other = await workers.open(url_of(proxy), patience=60.0), await workers.open()
    push(worker, "a.org", *"abc")
    first = await pop(worker)
    assert first is not None
    proxy.is_cut = True
    waits = asyncio.ensure_future(worker.renew())
    workers.clock.move(61)
    assert await drain(other) == ["a", "b", "c"]
    proxy.is_cut = False
    await waits
    assert not worker.tried(first[0])
    assert not worker.done(first[0])
    assert await drain(worker) == []


@deferred_f_from_coro_f
async def test_a_redis_that_is_far_away_gives_each_request_once(
    workers: Workers, redis: RealRedis
) -> None:
    with FaultyProxy(redis.port, delay=0.025) as one, FaultyProxy(redis.port, delay=0.025) as two:
        first, second = [await workers.open(url_of(proxy)) for proxy in (one, two)]
        names = [str(number) for number in range(40)]
        push(first, "a.org", *names)
        push(second, "b.org", *names)
        await asyncio.gather(first.renew(), second.renew())
        drained = await asyncio.gather(drain(first), drain(second))
    assert sorted([*drained[0], *drained[1]]) == sorted(names * 2)


@deferred_f_from_coro_f
async def test_but_not_for_ever(workers: Workers, proxy: FaultyProxy) -> None:
    worker = await workers.open(url_of(proxy))
    push(worker, "a.org", "a")
    proxy.is_away = True
    with pytest.raises(FrontierError, match="Redis is away") as failed:
        await worker.prefetch()
    assert failed.value.advice
    assert not worker.is_open
    await worker.close()


@deferred_f_from_coro_f
async def test_a_failure_beside_the_crawl_is_raised_by_the_next_call(
    workers: Workers, proxy: FaultyProxy
) -> None:
    worker = await workers.open(url_of(proxy))
    proxy.is_away = True
    push(worker, "a.org", "a")
    worker.commit()
    assert worker._session is not None
    while worker._session.failure is None:  # noqa: ASYNC110 - no event reports it
        await asyncio.sleep(0.01)
    assert worker.is_open
    with pytest.raises(FrontierError, match="Redis is away"):
        worker.waiting()
    assert not worker.is_open


@deferred_f_from_coro_f
async def test_what_was_done_is_fetched_again_where_redis_has_lost_it(
    workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = [await workers.open() for _ in range(2)]
    push(one, "a.org", *"abc")
    first, _ = await pop(one), await pop(other)
    assert first is not None
    await one.prefetch()
    snapshot = Snapshot(workers.server)
    assert one.push("b.org", 0, b"x".__bytes__, fingerprint=b"x")
    one.note("name", b"value", after=first[0])
    one.done(first[0])
    await one.prefetch()
    second = await pop(one)
    assert second is not None
    snapshot.restore()
    assert not one.done(second[0] + 1)
    await one.prefetch()
    assert "Redis has lost its last writes" in caplog.text
    assert not one.done(second[0])
    assert one.noted("name") == set()
    assert one.push("b.org", 0, b"x".__bytes__, fingerprint=b"x")  # as its page is fetched again
    await other.close()
    assert sorted(await drain(one)) == ["a", "b", "c", "x"]


@deferred_f_from_coro_f
async def test_numbers_of_leases_are_not_given_again_after_a_loss(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", *"abc")
    await worker.prefetch()
    await worker.close()
    again = await workers.open()
    snapshot = Snapshot(workers.server)
    before = {(await pop(again) or (0,))[0] for _ in range(3)}
    snapshot.restore()
    workers.clock.move(1)
    after = {(await pop(again) or (0,))[0] for _ in range(3)}
    assert len(before | after) == 6


@deferred_f_from_coro_f
async def test_a_pace_holds_over_a_loss(workers: Workers) -> None:
    worker = await workers.open()
    worker.set_pace("a.org", 10)
    push(worker, "a.org", *"ab")
    await worker.renew()
    snapshot = Snapshot(workers.server)
    assert await pop(worker) is not None
    await worker.prefetch()
    snapshot.restore()
    workers.clock.move(9)
    assert await pop(worker) is None
    workers.clock.move(1)
    assert await drain(worker) == ["a"]


@deferred_f_from_coro_f
async def test_a_redis_that_was_emptied_is_no_crawl_that_is_finished(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", "a")
    await worker.prefetch()
    workers.server.empty()
    with pytest.raises(FrontierError, match="the crawl is gone from Redis") as failed:
        await worker.prefetch()
    assert "appendonly" in failed.value.advice


@deferred_f_from_coro_f
async def test_a_redis_without_room_is_named_as_such(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", "a")
    with workers.server.client() as client:
        client.config_set("maxmemory", 1)
        try:
            with pytest.raises(FrontierError, match="no memory left") as failed:
                await worker.prefetch()
        finally:
            client.config_set("maxmemory", 0)
    assert failed.value.out_of_space
