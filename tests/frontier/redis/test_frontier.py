"""What workers of a Redis see of each other, beyond the contract of frontiers."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.contract import Downloader, drain, pop, push
from tests.frontier.redis.workers import PREFIX
from wikicrawler.frontier.protocol import Unreadable
from wikicrawler.frontier.redis.exchange import MOST_CHANGES, as_rank
from wikicrawler.frontier.redis.known import Known

if TYPE_CHECKING:
    from tests.frontier.redis.workers import Workers
    from wikicrawler.frontier.redis.frontier import RedisFrontier

LEASE_SECONDS = 60.0


# Redelivery


async def lose_one(workers: Workers, *, popped: bool = True) -> str | None:
    """Have a worker lease a request, and vanish; return what it popped."""
    worker = await workers.open(ahead=1)
    await worker.prefetch()
    lease = worker.pop() if popped else None
    await worker.renew()
    workers.lose(worker)
    workers.clock.move(LEASE_SECONDS)
    if lease is None:
        return None
    assert isinstance(lease.request, bytes)
    return lease.request.decode()


@deferred_f_from_coro_f
async def test_a_request_is_given_up_after_three_redeliveries(
    workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    worker = await workers.open()
    killer = '{"v":1,"url":"http://a.org/killer"}'
    push(worker, "a.org", killer)
    await worker.prefetch()
    await worker.close()
    assert [await lose_one(workers) for _ in range(4)] == [killer] * 4
    watcher = await workers.open()
    assert await drain(watcher) == []
    assert not watcher.has_pending()
    assert watcher.counts("page") == {}
    assert watcher.dead == 1
    assert caplog.text.count("http://a.org/killer") == 1
    with workers.server.client() as client:
        assert client.hlen(f"{PREFIX}dead") == 1


@deferred_f_from_coro_f
async def test_what_was_never_popped_is_not_given_up_so_soon(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", "a")
    await worker.prefetch()
    await worker.close()
    for _ in range(12):
        await lose_one(workers, popped=False)
    assert await drain(await workers.open()) == ["a"]


@deferred_f_from_coro_f
async def test_what_waited_for_its_turn_is_not_given_up_so_soon(workers: Workers) -> None:
    worker = await workers.open(tells_tries=True)
    push(worker, "a.org", "tried", "waited")
    await worker.prefetch()
    await worker.close()
    for _ in range(4):
        worker = await workers.open(tells_tries=True)
        await worker.prefetch()
        while (lease := worker.pop()) is not None:
            if lease.request == b"tried":
                worker.tried(lease.number)
        await worker.renew()
        workers.lose(worker)
        workers.clock.move(60)
    assert await drain(await workers.open()) == ["waited"]


@deferred_f_from_coro_f
async def test_what_is_handed_back_does_not_count_as_redelivered(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", "a")
    for _ in range(6):
        assert await pop(worker) is not None
        await worker.close()
        worker = await workers.open()
    assert await drain(worker) == ["a"]
    assert worker.dead == 0


@deferred_f_from_coro_f
async def test_closing_hands_back_what_is_just_being_leased(workers: Workers) -> None:
    one, other = [await workers.open() for _ in range(2)]
    push(one, "a.org", *"abc")
    fetching = asyncio.ensure_future(one.prefetch())
    await asyncio.sleep(0)
    await one.close()
    await fetching
    assert await drain(other) == ["a", "b", "c"]


@pytest.mark.parametrize("popped", [True, False])
@deferred_f_from_coro_f
async def test_a_crawl_goes_on_with_what_its_only_worker_held_for_too_long(
    workers: Workers, *, popped: bool
) -> None:
    worker = await workers.open()
    push(worker, "a.org", "a")
    await worker.prefetch()
    lease = worker.pop() if popped else None
    workers.clock.move(LEASE_SECONDS)
    if lease is not None:
        assert not worker.tried(lease.number)
    assert worker.has_pending()
    worker.commit()
    assert worker.has_pending()
    assert await drain(worker) == ["a"]
    assert not worker.has_pending()


# Pace


@deferred_f_from_coro_f
async def test_a_lost_worker_may_have_popped_until_its_lease_ended(workers: Workers) -> None:
    one, other = [await workers.open() for _ in range(2)]
    one.set_pace("a.org", 10)
    push(one, "a.org", "a")
    await one.prefetch()
    workers.clock.move(LEASE_SECONDS - 1)
    assert one.pop() is not None
    workers.lose(one)
    workers.clock.move(10)  # 9 s after the end of its lease
    assert await pop(other) is None
    workers.clock.move(1)
    assert await drain(other) == ["a"]


@deferred_f_from_coro_f
async def test_a_request_is_leased_before_its_sites_time_and_popped_at_it(
    workers: Workers,
) -> None:
    worker = await workers.open()
    worker.set_pace("a.org", 10)
    push(worker, "a.org", *"ab")
    assert await drain(worker) == ["a"]
    workers.clock.move(9.5)
    await worker.prefetch()
    assert worker.pop() is None
    assert worker.next_due_in() == 0.5
    workers.clock.move(0.5)
    assert worker.next_due_in() == 0
    assert worker.pop() is not None  # without another exchange


@deferred_f_from_coro_f
async def test_a_site_of_a_pace_has_one_request_ahead_in_all_workers(workers: Workers) -> None:
    one, other = [await workers.open() for _ in range(2)]
    one.set_pace("a.org", 10)
    push(one, "a.org", *"abc")
    await one.prefetch()
    await other.prefetch()
    assert other.pop() is None
    assert one.pop() is not None
    workers.clock.move(3)
    await one.prefetch()  # it says only now that it has popped, 3 s ago
    workers.clock.move(7)
    assert (await pop(other) or ("", ""))[1] == "b"


@deferred_f_from_coro_f
async def test_a_pace_that_is_set_during_an_exchange_holds_after_it(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", *"ab")
    fetching = asyncio.ensure_future(worker.prefetch())
    await asyncio.sleep(0)
    worker.set_pace("a.org", 10)
    await fetching
    assert worker.pop() is not None
    assert worker.pop() is None


@deferred_f_from_coro_f
async def test_a_hold_of_another_worker_counts_for_what_was_prefetched(workers: Workers) -> None:
    one, other = [await workers.open() for _ in range(2)]
    push(one, "a.org", "a")
    await one.prefetch()
    other.hold("a.org", 30)
    await other.prefetch()
    await one.prefetch()
    assert one.pop() is None
    workers.clock.move(30)
    assert one.pop() is not None


# Time


@deferred_f_from_coro_f
async def test_the_time_is_that_of_redis(workers: Workers) -> None:
    one, other = [await workers.open(clock=None) for _ in range(2)]
    start = time.monotonic()
    push(one, "a.org", "late", wait=0.3)
    await one.prefetch()
    while (names := await drain(other)) == []:
        assert other.delayed().seconds <= 0.4
        await asyncio.sleep(0.01)
    assert names == ["late"]
    assert time.monotonic() - start >= 0.3


# What is stored


@deferred_f_from_coro_f
async def test_a_request_of_damaged_bytes_is_handed_out_as_such(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", "a", "b")
    await worker.renew()
    with workers.server.client(decoded=False) as client:
        (whole, _) = client.zrange(f"{PREFIX}queue", 0, -1)
        client.zrem(f"{PREFIX}queue", whole)
        client.zadd(f"{PREFIX}queue", {whole[:-2] + b"\x09a": 0})
    await worker.prefetch()
    lease = worker.pop()
    assert lease is not None
    assert lease.request == Unreadable("")
    assert worker.done(lease.number)
    assert await drain(worker) == ["b"]


# Names and sizes


@pytest.mark.parametrize(
    "site",
    [
        "",
        "{}",
        "}{a",
        ":",
        "a:b",
        "\0",
        "\r\n*1\r\n",
        "\udc80",
        "ü.org",
        "x" * 5000,
        "(",
        "[",
        "-inf",
    ],
)
@deferred_f_from_coro_f
async def test_a_site_may_have_any_name(workers: Workers, site: str) -> None:
    worker = await workers.open()
    push(worker, site, "a", "b")
    push(worker, "other", "c")
    assert worker.counts("page") == {site: 2, "other": 1}
    assert sorted(await drain(worker)) == ["a", "b", "c"]
    assert worker.counts("page") == {site: 2, "other": 1}
    worker.hold(site, 10)
    push(worker, site, "d")
    assert await drain(worker) == []
    with workers.server.client(decoded=False) as client:
        assert all(key.startswith(PREFIX.encode()) for key in client.keys("*"))


@deferred_f_from_coro_f
async def test_crawls_do_not_see_each_other(workers: Workers) -> None:
    jobs = ["a", "a:b", "}", "{", "a}:{wikicrawler:b", "ü", "%"]
    opened = [await workers.open(job=job) for job in jobs]
    assert not any(worker.resumed for worker in opened)
    for job, worker in zip(jobs, opened, strict=True):
        push(worker, "a.org", job)
        await worker.prefetch()
    assert [await drain(worker) for worker in opened] == [[job] for job in jobs]
    with workers.server.client() as client:
        keys = client.keys("*")
        assert all(key.count("{") == key.count("}") == 1 for key in keys)
        assert len({key[: key.index("}")] for key in keys}) == len(jobs)


def test_ranks_sort_as_bytes() -> None:
    ranks = [-(10**30), -(10**9), -257, -256, -2, -1, 0, 1, 2, 255, 256, 10**9, 10**30]
    assert sorted(ranks, key=as_rank) == ranks
    assert [as_rank(rank)[-1] & 1 for rank in ranks] == [rank & 1 for rank in ranks]


@deferred_f_from_coro_f
async def test_many_changes_are_several_exchanges(workers: Workers) -> None:
    worker = await workers.open()
    names = [f"{n}" for n in range(2 * MOST_CHANGES + 1)]
    push(worker, "a.org", *names)
    for n in range(1500):
        worker.note("name", f"{n}".encode())
    assert worker.waiting() == len(names)
    await worker.prefetch()
    assert worker.waiting() == len(names)
    again = await workers.open()
    assert len(again.noted("name")) == 1500
    assert await drain(worker) + await drain(again) == names


def test_the_memory_of_what_was_pushed_is_bounded() -> None:
    known = Known(time.monotonic)
    for n in range(300_000):
        known.see(n.to_bytes(12))
    assert known.has_seen((299_999).to_bytes(12))
    assert sum(map(len, known._seen)) <= 200_000


@deferred_f_from_coro_f
async def test_all_keys_end_some_time_after_the_last_worker(workers: Workers) -> None:
    worker = await workers.open(ttl=1000.0)
    worker.set_pace("b.org", 5)
    push(worker, "a.org", "a", "b", wait=5)
    push(worker, "b.org", "c", "d")
    worker.note("name", b"value")
    assert await pop(worker) is not None
    await worker.prefetch()
    with workers.server.client() as client:
        assert len(client.keys("*")) > 10
        assert {0 < client.ttl(key) <= 1000 for key in client.keys("*")} == {True}


async def commands_of_an_exchange(workers: Workers, worker: RedisFrontier) -> int:
    """How many commands Redis runs for a prefetch."""
    with workers.server.client() as client:
        client.config_resetstat()
        await worker.prefetch()
        return sum(stat["calls"] for stat in client.info("commandstats").values())


@deferred_f_from_coro_f
async def test_an_exchange_costs_the_same_with_many_sites_and_requests(workers: Workers) -> None:
    costs = []
    for sites in (100, 3000):
        worker = await workers.open(job=f"{sites}")
        for n in range(sites):
            push(worker, f"{n}.org", "a", "b")
            worker.hold(f"late-{n}.org", 100)
            push(worker, f"late-{n}.org", "a")
        await worker.renew()
        costs.append(await commands_of_an_exchange(workers, worker))
    assert costs[0] == costs[1]


# Leaving


@deferred_f_from_coro_f
async def test_what_was_not_written_is_written_when_it_closes(workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", "a")
    await worker.close()
    with workers.server.client() as client:
        assert client.zcard(f"{PREFIX}queue") == 1
        assert not client.exists(f"{PREFIX}workers")
    assert not worker._database.is_due


@deferred_f_from_coro_f
async def test_workers_take_turns_at_places(workers: Workers) -> None:
    """What a worker has ahead counts as a place, so that one site does not take them all."""
    worker = workers.make(ahead=8)
    await worker.open(Downloader(most=2))
    push(worker, "large.org", *(f"{n}" for n in range(50)))
    await worker.prefetch()
    push(worker, "small.org", "small")
    await worker.prefetch()
    names = []
    while (lease := worker.pop()) is not None:
        names.append(lease.request)
    assert b"small" in names


@deferred_f_from_coro_f
async def test_more_is_leased_ahead_of_a_site_that_answers(workers: Workers) -> None:
    """As a site may answer several times until the next exchange."""
    downloader = Downloader(most=2)
    worker = workers.make(ahead=64)
    await worker.open(downloader)
    push(worker, "fast.org", *(f"{n}" for n in range(100)))
    counts = []
    for _ in range(4):
        await worker.prefetch()
        downloader.places["fast.org"] = 0
        counts.append(len(all_popped(worker)))
        downloader.places["fast.org"] = 3  # it has no room now, but will until the next exchange
    assert counts == [3, 6, 12, 24]
    await worker.prefetch()
    assert worker.pop() is None
    await worker.prefetch()  # nor has it answered meanwhile
    downloader.places["fast.org"] = 0
    assert len(all_popped(worker)) == 48


@deferred_f_from_coro_f
async def test_a_worker_that_pops_few_requests_leaves_the_others_to_other_workers(
    workers: Workers,
) -> None:
    slow = await workers.open(places=2)
    for n in range(30):
        push(slow, f"site{n}.org", f"{n}")
    counts = []
    for _ in range(4):
        await slow.prefetch()
        counts.append(len(slow._leases.ahead()))
        slow.pop()
    assert counts == [2, 2, 2, 2]
    counts = []
    for _ in range(3):  # it pops more now
        await slow.prefetch()
        counts.append(len(all_popped(slow)))
    assert counts == [2, 4, 8]


def all_popped(worker: RedisFrontier) -> list[object]:
    found = []
    while (lease := worker.pop()) is not None:
        found.append(lease.request)
    return found
