"""What a worker says of itself, in a real Redis."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from wikicrawler.control.fleet.report_store import ReportStore
from wikicrawler.control.fleet.status_store import StatusStore
from wikicrawler.control.fleet.totals import reported_stats, total_stats
from wikicrawler.control.fleet.worker_report import (
    MAX_REPORT,
    MAX_SITES,
    MAX_STATS,
    WorkerReport,
    longest,
    names,
    shown,
)

if TYPE_CHECKING:
    from tests.servers.redis import RealRedis

JOB = "wiki:docs"
PREFIX = "{wikicrawler:wiki:docs}:"


def test_a_report_is_read_as_it_was_written() -> None:
    report = WorkerReport(
        host="a",
        pid=7,
        state="ended",
        reason="finished",
        every=5.0,
        stats={"item_scraped_count": 3},
        rate=2.5,
        active=1,
        waiting=2,
        robots_fetched=["https://a.example"],
        robots_awaited=["https://b.example"],
        delays={"a.example": 1.5},
        pauses={"b.example": 60.0},
        feeds=["/tmp/pages.jsonl"],  # noqa: S108 - is not opened
    )
    assert WorkerReport.of_json(report.to_json()) == report


def test_what_others_have_written_is_no_report() -> None:
    for stored in (b"", b"[]", b"{", b"[" * 100_000, b"\xff", b'{"pid": "x", "stats": [1]}'):
        assert WorkerReport.of_json(stored) == WorkerReport()
    wild = {
        "pid": True,
        "state": "dead",
        "every": -1,
        "rate": 1e400,
        "stats": {"a\n": -5, "b": 2**80},
        "host": "\x1b[31mred\n",
        "feeds": ["s3://key:secret@bucket/pages.jsonl"] * 99,
        "delays": {f"{n}.example": n for n in range(99)},
        "active": "many",
    }
    report = WorkerReport.of_json(json.dumps(wild).encode())
    assert (report.pid, report.state, report.every, report.rate) == (0, "running", 10.0, 0.0)
    assert report.host == "\\x1b[31mred\\n"
    assert report.feeds == ["s3://***@bucket/pages.jsonl"] * 5
    assert len(report.delays) == MAX_SITES
    assert next(iter(report.delays)) == "98.example"
    assert report.stats["b"] < 2**60


def test_no_report_is_large_or_has_secrets() -> None:
    long = "x" * 5_000
    stats = {f"tier/page_count/{n}/{long[:90]}": n for n in range(5_000)}
    assert reported_stats({f"tier/page_count/{long}": 1}) == {}
    report = WorkerReport(
        host=shown(long),
        stats=reported_stats(stats),
        delays=longest({f"{n}{long}": n for n in range(5_000)}),
        feeds=names([f"ftp://user:pass@host/{long}"] * 100),
    )
    assert len(report.stats) == MAX_STATS
    assert len(report.to_json()) <= MAX_REPORT
    assert WorkerReport.of_json(report.to_json()).stats == report.stats
    assert b"pass@" not in report.to_json()
    assert shown("https://host/feed?token=abc") == "https://host/feed?token=***"


def test_plain_stats_are_reported_before_those_of_families() -> None:
    stats = {f"wikicrawler/skipped/{n}": 9 for n in range(MAX_STATS)} | {"item_scraped_count": 1}
    assert reported_stats(stats)["item_scraped_count"] == 1


def test_what_is_reported_last_counts(redis: RealRedis) -> None:
    store = ReportStore(redis.url, JOB)
    for pages in (1, 5):
        store.put("0000000a", WorkerReport(stats={"item_scraped_count": pages, "x": 1}))
    store.put("0000000b", WorkerReport(stats={"item_scraped_count": 2}))
    store.close()
    found = StatusStore(redis.url).snapshot(JOB)
    assert total_stats(found.workers) == {"item_scraped_count": 7}
    first, second = found.workers
    assert (first.name, second.name) == ("0000000a", "0000000b")
    assert first.begun < first.heard <= second.heard <= found.now
    assert abs(found.now - time.time()) < 3600


def test_what_each_worker_finds_for_itself_is_not_added(redis: RealRedis) -> None:
    store = ReportStore(redis.url, JOB)
    for worker in ("0000000a", "0000000b"):
        store.put(worker, WorkerReport(stats={"wikicrawler/seeds/refused": 2}))
    store.close()
    assert total_stats(StatusStore(redis.url).snapshot(JOB).workers) == {
        "wikicrawler/seeds/refused": 2
    }


def test_old_workers_are_forgotten_and_counted(redis: RealRedis) -> None:
    store = ReportStore(redis.url, JOB, max_workers=3)
    for number in range(5):
        store.put(f"0000000{number}", WorkerReport())
    store.close()
    found = StatusStore(redis.url).snapshot(JOB)
    assert [worker.name for worker in found.workers] == ["00000002", "00000003", "00000004"]
    assert found.forgotten == 2


def test_a_silent_worker_is_gone_and_one_that_ended_is_not(redis: RealRedis) -> None:
    store = ReportStore(redis.url, JOB)
    store.put("0000000a", WorkerReport(every=0.02))
    store.put("0000000b", WorkerReport(every=0.02, state="ended"))
    store.put("0000000c", WorkerReport(every=60))
    store.close()
    time.sleep(0.1)
    states = [worker.state for worker in StatusStore(redis.url).snapshot(JOB).workers]
    assert states == ["gone", "ended", "running"]


def test_reports_are_kept_as_long_as_the_crawl(redis: RealRedis) -> None:
    store = ReportStore(redis.url, JOB, max_workers=1)
    for worker in ("0000000a", "0000000b"):
        store.put(worker, WorkerReport())
    store.close()
    with redis.client() as client:
        keys = client.keys("*")
        assert sorted(keys) == sorted(
            [
                "{wikicrawler:jobs}:heard",
                *(f"{PREFIX}{name}" for name in ("reports", "begun", "heard", "forgotten")),
            ]
        )
        assert all(13 * 86_400 < client.ttl(key) <= 14 * 86_400 for key in keys)
