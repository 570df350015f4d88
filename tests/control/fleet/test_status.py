"""A crawl on several workers at one moment, in a real Redis."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.contract import push
from tests.frontier.redis.test_frontier import lose_one
from tests.frontier.redis.workers import Workers
from wikicrawler.control.fleet.given_up import given_up
from wikicrawler.control.fleet.removal import forget_job
from wikicrawler.control.fleet.report_store import ReportStore
from wikicrawler.control.fleet.status_store import StatusStore
from wikicrawler.control.fleet.waits import waits_of
from wikicrawler.control.fleet.worker_report import WorkerReport
from wikicrawler.errors import StoreError
from wikicrawler.frontier.page_limits import PageLimits
from wikicrawler.frontier.redis.server import frontier_keys, prefix_of
from wikicrawler.politeness.fleet.pauses_store import PausesStore
from wikicrawler.politeness.fleet.turns import RedisTurns
from wikicrawler.politeness.pauses import PauseNote
from wikicrawler.politeness.turns import Asked, Note
from wikicrawler.scope.families import FamilyNote
from wikicrawler.scope.fleet.families_store import FamiliesStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.redis import RealRedis
    from wikicrawler.control.fleet.snapshot import Snapshot
    from wikicrawler.frontier.redis.frontier import RedisFrontier

JOB = "wiki:docs"
ONE, OTHER = "0000000a", "0000000b"


@pytest.fixture
def workers(redis: RealRedis, tmp_path: Path) -> Iterator[Workers]:
    found = Workers(redis, tmp_path)
    yield found
    found.end()


async def opened(workers: Workers, name: str = ONE, **options: Any) -> RedisFrontier:
    return await workers.open(job=JOB, clock=None, worker=name, **options)


def seen(redis: RealRedis, sites: int = 10) -> Snapshot:
    return StatusStore(redis.url).snapshot(JOB, sites)


def report(redis: RealRedis, worker: str, report: WorkerReport) -> None:
    store = ReportStore(redis.url, JOB)
    store.put(worker, report)
    store.close()


def whys(redis: RealRedis, what: str) -> list[tuple[str, str]]:
    return [(wait.name, wait.why) for wait in waits_of(seen(redis)) if wait.what == what]


@deferred_f_from_coro_f
async def test_the_largest_sites_come_first(redis: RealRedis, workers: Workers) -> None:
    worker = await opened(workers)
    for site, count in (("a.example", 2), ("b.example", 5), ("c.example", 1)):
        push(worker, site, *(f"{site}/{n}" for n in range(count)))
    push(worker, "d.example", "later", wait=60.0)
    worker.hold("a.example", 60.0)
    await worker.renew()
    found = seen(redis, 2)
    assert [(site.name, site.queued) for site in found.sites] == [
        ("b.example", 5),
        ("a.example", 2),
    ]
    assert (found.queued, found.delayed, found.leased, found.pushed) == (8, 1, 0, 9)
    assert (found.known_sites, found.ready_sites, found.held_sites) == (4, 2, 1)
    assert 0 < (found.first_delayed or 0) <= 60.1
    assert 0 < found.sites[1].next_in <= 60
    assert found.sites[0].next_in == 0
    assert found.all_sites


@deferred_f_from_coro_f
async def test_a_large_site_is_found_among_very_many(redis: RealRedis, workers: Workers) -> None:
    worker = await opened(workers)
    for n in range(1_000):
        push(worker, f"{n}.example", f"{n}")
    push(worker, "large.example", *(f"large {n}" for n in range(1_000)))
    await worker.renew()
    found = seen(redis)
    assert (found.sites[0].name, found.sites[0].queued) == ("large.example", 1_000)
    assert not found.all_sites
    assert len(found.sites) == 10


@deferred_f_from_coro_f
async def test_the_leases_of_each_worker_are_counted(redis: RealRedis, workers: Workers) -> None:
    one = await opened(workers, ahead=2, places=2)
    push(one, "a.example", *"abcde")
    await one.prefetch()
    assert one.pop() is not None
    await one.renew()
    other = await opened(workers, OTHER, ahead=1, places=1)
    await other.prefetch()
    for name in (ONE, OTHER):
        report(redis, name, WorkerReport())
    found = seen(redis)
    assert [(worker.name, worker.leases) for worker in found.workers] == [(ONE, 2), (OTHER, 1)]
    assert (found.queued, found.leased, found.ahead, found.sites[0].ahead) == (2, 3, 2, 2)


@deferred_f_from_coro_f
async def test_nothing_is_read_that_grows_with_the_queue(
    redis: RealRedis, workers: Workers
) -> None:
    worker = await opened(workers)
    push(worker, "a.example", *"abc")
    await worker.renew()
    report(redis, ONE, WorkerReport())
    with redis.client() as client:
        client.config_resetstat()
        store = StatusStore(redis.url)
        store.snapshot(JOB)
        store.jobs()
        used = {name.removeprefix("cmdstat_") for name in client.info("commandstats")}
    looked = {"zcard", "hlen", "scard", "zcount", "zlexcount", "zrange", "zscore", "hget", "hmget"}
    bounded = {"zrandmember", "hkeys", "get", "time", "hgetall"}  # of workers, or of one site
    assert used - looked - bounded <= {
        *("evalsha", "script|load", "config|resetstat", "info", "hello", "client|setinfo"),
        *("select", "script|exists", "eval"),
    }


@deferred_f_from_coro_f
async def test_looking_changes_nothing(redis: RealRedis, workers: Workers) -> None:
    worker = await opened(workers)
    push(worker, "a.example", *"abc")
    await worker.renew()
    with redis.client(decoded=False) as client:
        before = {key: client.dump(key) for key in client.keys("*")}
        seen(redis)
        StatusStore(redis.url).jobs()
        assert {key: client.dump(key) for key in client.keys("*")} == before


# What waits for what


@deferred_f_from_coro_f
async def test_a_job_waits_for_its_seeds(redis: RealRedis, workers: Workers) -> None:
    await opened(workers)
    report(redis, ONE, WorkerReport())
    assert whys(redis, "job") == [("docs", "waits for its seeds: no worker has requested any")]


@deferred_f_from_coro_f
async def test_a_job_without_a_worker_waits_for_one(redis: RealRedis, workers: Workers) -> None:
    worker = await opened(workers)
    push(worker, "a.example", "a")
    await worker.close()
    report(redis, ONE, WorkerReport(state="ended"))
    ((_, why),) = whys(redis, "job")
    assert why == "waits for a worker: none runs; the same command with the same job goes on"


@deferred_f_from_coro_f
async def test_links_wait_for_a_place(redis: RealRedis, workers: Workers) -> None:
    worker = await opened(workers)
    worker.pages.limit(1, lambda url: None)
    for name in "abc":
        worker.push("a.example", 0, name.encode, kind="page", limits=PageLimits())
    worker.commit()
    await worker.prefetch()
    assert seen(redis).waiting_for_place == 2
    why = "has 2 links beyond a limit (max_pages, or the budget of their site)"
    assert ("docs", why) in whys(redis, "job")


@deferred_f_from_coro_f
async def test_the_leases_of_a_worker_that_is_gone_are_waited_for(
    redis: RealRedis, workers: Workers
) -> None:
    worker = await opened(workers)
    push(worker, "a.example", "a")
    await worker.prefetch()
    report(redis, ONE, WorkerReport(every=0.01))
    report(redis, OTHER, WorkerReport())
    await asyncio.sleep(0.05)
    assert whys(redis, "worker") == [
        (
            ONE,
            "is gone: its 1 request goes to others when its lease ends "
            "(WIKICRAWLER_FRONTIER_LEASE)",
        ),
        (OTHER, "has no request: pages of others may bring links"),
    ]


@deferred_f_from_coro_f
async def test_what_a_worker_that_is_gone_had_is_taken_over_next(
    redis: RealRedis, workers: Workers
) -> None:
    worker = await opened(workers, lease_seconds=0.01)
    push(worker, "a.example", "a")
    await worker.prefetch()
    report(redis, OTHER, WorkerReport())
    await asyncio.sleep(0.05)
    assert seen(redis).due == 1
    ((_, why),) = whys(redis, "job")
    assert why == "has work of workers that are gone, which the next one takes over: 1"


@deferred_f_from_coro_f
async def test_a_worker_waits_for_turns_and_for_robots_txt(
    redis: RealRedis, workers: Workers
) -> None:
    worker = await opened(workers)
    push(worker, "a.example", *"ab")
    await worker.prefetch()
    origin = "https://a.example"
    waits = WorkerReport(active=3, waiting=2, robots_awaited=[origin, "https://b.example"])
    report(redis, ONE, waits)
    report(redis, OTHER, WorkerReport(robots_fetched=[origin], state="stopping"))
    assert whys(redis, "worker") == [
        (ONE, "waits for the turns of 2 of its 3 requests"),
        (ONE, f"waits for robots.txt of {origin}, which {OTHER} fetches"),
        (
            ONE,
            "waits for robots.txt of https://b.example, which another worker of this Redis fetches",
        ),
        (OTHER, "finishes its pages, and hands the rest back"),
    ]


@deferred_f_from_coro_f
async def test_a_site_waits_for_an_answer_its_delay_or_a_pause(
    redis: RealRedis, workers: Workers
) -> None:
    worker = await opened(workers)
    sites = ("asked", "delayed", "paused", "blocks", "ready")
    for site in sites:
        push(worker, site, site)
    await worker.renew()
    turns = RedisTurns(redis.url, longest=3_600.0, lease=60.0, worker=OTHER)
    asked = [Asked(1, "asked", 0.0, 1, None), Asked(2, "delayed", 0.0, 1, None)]
    assert turns.exchange(asked, []).numbers == {1, 2}
    turns.exchange([], [Note("delayed", 2, is_ended=True, wait=3_000.0, raised=45.0)])
    turns.exchange([], [Note("paused", 0, is_ended=True, wait=1_800.0)])
    pauses = PausesStore(redis.url)
    pauses.exchange([PauseNote("blocks", pages=0, recognised=0, risk_level=1, pause=600.0)])
    report(redis, ONE, WorkerReport(pauses={"paused": 1_800.0}))
    found = dict(whys(redis, "site"))
    assert found.pop("asked").startswith(f"waits for an answer to {OTHER}, for ")
    assert found == {
        "delayed": "is left alone for 50 min: its delay, raised to 45 s",
        "paused": "is paused for 30 min: Retry-After, or an operator",
        "blocks": "is paused for 10 min: it blocks every tier",
    }
    turns.end()
    pauses.close()


# Jobs


@deferred_f_from_coro_f
async def test_jobs_are_listed_the_last_heard_of_first(redis: RealRedis, workers: Workers) -> None:
    assert StatusStore(redis.url).jobs() == []
    for job in ("wiki:one", "other:two {x}"):
        store = ReportStore(redis.url, job)
        store.put(ONE, WorkerReport())
        store.close()
    found = StatusStore(redis.url).jobs()
    assert [(entry.snapshot.spider, entry.snapshot.name) for entry in found] == [
        ("other", "two {x}"),
        ("wiki", "one"),
    ]


@deferred_f_from_coro_f
async def test_requests_that_were_given_up_are_listed(redis: RealRedis, workers: Workers) -> None:
    worker = await workers.open()
    push(worker, "a.org", '{"v":1,"url":"http://a.org/killer"}')
    await worker.prefetch()
    await worker.close()
    for _ in range(4):
        await lose_one(workers)
    await (await workers.open()).renew()
    (request,) = given_up(redis.url, "job", 10)
    assert (request.url, request.site, request.kind) == ("http://a.org/killer", "a.org", "page")
    assert given_up(redis.url, "job", 0) == []
    with redis.client(decoded=False) as client:
        key = f"{prefix_of('job')}dead"
        (name,) = client.hkeys(key)
        client.hset(key, name, b"short")
    assert given_up(redis.url, "job", 10)[0].url is None


@deferred_f_from_coro_f
async def test_a_job_is_forgotten_and_no_other(redis: RealRedis, workers: Workers) -> None:
    for job in (JOB, "wiki:docs2"):
        worker = await workers.open(job=job, worker=ONE, clock=None)
        push(worker, "a.example", *"abc", wait=0.0)
        push(worker, "b.example", "later", wait=9.0)
        push(worker, "c.example", "leased")
        worker.hold("a.example", 60.0)
        worker.note("a", b"b")
        await worker.prefetch()
        store = ReportStore(redis.url, job)
        store.put(ONE, WorkerReport())
        store.close()
        families = FamiliesStore(redis.url, job)
        note = FamilyNote("place", frozenset(), {1}, 1, {2}, 1, leads_on=False)
        families.exchange([note, note._replace(place="another")])
        families.close()
    with redis.client() as client:
        keys = set(client.keys("*"))
        assert any(key.startswith(f"{prefix_of(JOB)}leases:") for key in keys)
        forget_job(redis.url, JOB)
        left = set(client.keys("*"))
    assert left == {key for key in keys if not key.startswith(prefix_of(JOB))}
    assert [entry.snapshot.name for entry in StatusStore(redis.url).jobs()] == ["docs2"]


def test_all_keys_of_a_frontier_are_known() -> None:
    assert {"about", "queue", "leases", "granted"} <= set(frontier_keys())
    assert len(frontier_keys()) == len(set(frontier_keys()))


def test_a_redis_that_is_away_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match=r"^redis://127\.0\.0\.1:1/0: ") as caught:
        StatusStore("redis://user:secret@127.0.0.1:1/0").jobs()
    assert "secret" not in str(caught.value)
