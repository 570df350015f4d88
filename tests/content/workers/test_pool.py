"""The pool of worker processes: limits, replacement, order of results, shutdown."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import warnings

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.content.rendering import page
from tests.content.workers.running import ENDLESS, children
from wikicrawler.content.workers.pool import MAX_WAITING_BYTES, ConversionPool
from wikicrawler.errors import ContentError, Reason
from wikicrawler.items import hash_text
from wikicrawler.text.json_text import json_text

URL = "https://wiki.example/wiki/T"
GOOD = page("<p>good</p>")


async def error_of(pool: ConversionPool, body: bytes | str) -> ContentError:
    with pytest.raises(ContentError) as caught:
        await pool.convert(body, URL)
    return caught.value


async def reason_of(pool: ConversionPool, body: bytes | str) -> Reason:
    return (await error_of(pool, body)).reason


@deferred_f_from_coro_f
async def test_a_page_over_its_cpu_limit_is_stopped_and_the_next_converts():
    pool = ConversionPool(1, cpu_seconds=1, wall_seconds=60, memory_mb=512)
    try:
        error = await error_of(pool, ENDLESS)
        assert error.reason is Reason.CPU_LIMIT
        assert "CPU time" in error.detail
        assert (await pool.convert(GOOD, URL)).markdown == "good"
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_only_the_page_that_kills_its_worker_fails():
    pool = ConversionPool(1, cpu_seconds=1, wall_seconds=60, memory_mb=512)
    bodies = [GOOD, ENDLESS, *(page(f"<p>{number}</p>") for number in range(5)), ENDLESS, GOOD]
    try:
        found = await asyncio.gather(
            *(pool.convert(body, URL) for body in bodies), return_exceptions=True
        )
    finally:
        await pool.close()
    assert [getattr(f, "markdown", None) or f.reason for f in found] == [
        "good",
        Reason.CPU_LIMIT,
        *"01234",
        Reason.CPU_LIMIT,
        "good",
    ]


@deferred_f_from_coro_f
async def test_pages_of_a_site_return_in_order_without_delaying_other_sites():
    pool = ConversionPool(2, cpu_seconds=1, wall_seconds=60, memory_mb=512)
    finished = []

    async def convert(name: str, body: str, site: str) -> None:
        try:
            await pool.convert(body, URL, site=site)
        except ContentError:
            name += " failed"
        finished.append(name)

    try:
        await asyncio.gather(
            convert("slow", ENDLESS, "a"),
            convert("quick", GOOD, "a"),
            convert("other", GOOD, "b"),
            convert("last", "", "a"),
        )
    finally:
        await pool.close()
    assert finished == ["other", "slow failed", "quick", "last failed"]


@deferred_f_from_coro_f
async def test_no_more_pages_are_requested_while_the_queue_is_full():
    pool = ConversionPool(1, cpu_seconds=60, wall_seconds=60, memory_mb=512)
    try:
        await pool.convert(GOOD, URL)
        (pid,) = children()
        os.kill(pid, signal.SIGSTOP)
        big = page(f"<p>good</p><!--{'x' * (MAX_WAITING_BYTES // 4)}-->")
        waiting = [asyncio.ensure_future(pool.convert(big, URL)) for _ in range(4)]
        await asyncio.sleep(0)
        room = asyncio.ensure_future(pool.wait_for_room())
        await asyncio.sleep(0)
        assert not room.done()
        os.kill(pid, signal.SIGCONT)
        await room
        assert any(task.done() for task in waiting)
        assert {content.markdown for content in await asyncio.gather(*waiting)} == {"good"}
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_a_worker_starts_at_the_first_request_and_another_when_a_page_waits():
    pool = ConversionPool(2, cpu_seconds=10, wall_seconds=60, memory_mb=512)
    try:
        assert not children()
        await pool.wait_for_room()
        await pool.convert(GOOD, URL)
        await pool.convert(GOOD, URL)
        assert len(children()) == 1
        await asyncio.gather(pool.convert(GOOD, URL), pool.convert(GOOD, URL))
        assert len(children()) == 2
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_a_worker_imports_nothing_from_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "wikicrawler").mkdir()
    (tmp_path / "wikicrawler" / "__init__.py").write_text("raise SystemExit('not ours')")
    monkeypatch.chdir(tmp_path)
    pool = ConversionPool(1, cpu_seconds=10, wall_seconds=60, memory_mb=512)
    try:
        assert (await pool.convert(GOOD, URL)).markdown == "good"
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_transports_of_workers_are_closed(recwarn):
    warnings.simplefilter("always", ResourceWarning)
    pool = ConversionPool(1, cpu_seconds=1, wall_seconds=60, memory_mb=512)
    await pool.convert(GOOD, URL)
    (first,) = children()
    assert await reason_of(pool, ENDLESS) is Reason.CPU_LIMIT  # which ends the worker
    await pool.convert(GOOD, URL)
    assert children() != {first}
    await pool.close()
    del pool
    gc.collect()
    assert [str(one.message) for one in recwarn if "transport" in str(one.message)] == []


@deferred_f_from_coro_f
async def test_a_worker_that_cannot_start_fails_its_pages():
    pool = ConversionPool(2, cpu_seconds=10, wall_seconds=60, memory_mb=2**70)
    try:
        found = await asyncio.gather(*(error_of(pool, GOOD) for _ in range(3)))
        assert {error.reason for error in found} == {Reason.CONVERSION}
        assert "did not start" in str(found[0])
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_pages_left_at_the_end_of_the_crawl_fail():
    pool = ConversionPool(1, cpu_seconds=60, wall_seconds=60, memory_mb=512)
    await pool.convert(GOOD, URL)
    (pid,) = children()
    os.kill(pid, signal.SIGSTOP)
    waiting = [asyncio.ensure_future(pool.convert(GOOD, URL)) for _ in range(9)]
    await asyncio.sleep(0)
    await pool.close()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert {str(error) for error in found} == {"conversion: the crawl has ended"}
    assert not children()


@deferred_f_from_coro_f
async def test_a_page_over_its_memory_limit_is_stopped_and_the_next_converts():
    pool = ConversionPool(1, cpu_seconds=30, wall_seconds=60, memory_mb=150)
    try:
        assert await reason_of(pool, page("<p><b>x</b></p>" * 1_000_000)) is Reason.MEMORY_LIMIT
        assert (await pool.convert(GOOD, URL)).markdown == "good"
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_a_stopped_worker_is_replaced_after_the_wall_time():
    pool = ConversionPool(1, cpu_seconds=10, wall_seconds=1, memory_mb=512)
    try:
        await pool.convert(GOOD, URL)
        (pid,) = children()
        os.kill(pid, signal.SIGSTOP)
        assert await reason_of(pool, GOOD) is Reason.CPU_LIMIT
        assert (await pool.convert(GOOD, URL)).markdown == "good"
        assert pid not in children()
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_workers_ignore_terminal_signals_and_exit_with_the_pool():
    pool = ConversionPool(2, cpu_seconds=10, wall_seconds=60, memory_mb=512)
    contents = await asyncio.gather(
        *(pool.convert(page(f"<p>{number}</p>"), URL) for number in range(6))
    )
    assert [content.markdown for content in contents] == list("012345")
    workers = children()
    assert len(workers) == 2
    for pid in workers:
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGTERM)
    assert (await pool.convert(GOOD, URL)).markdown == "good"
    assert children() == workers
    await pool.close()
    assert not children()
    assert str(await error_of(pool, GOOD)) == "conversion: the crawl has ended"


@deferred_f_from_coro_f
async def test_cancelling_a_page_kills_its_busy_worker():
    pool = ConversionPool(1, cpu_seconds=600, wall_seconds=600, memory_mb=512)
    try:
        await pool.convert(GOOD, URL)
        before = children()
        task = asyncio.ensure_future(pool.convert(ENDLESS, URL))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while before & children():  # noqa: ASYNC110 - a killed process takes a moment to exit
            await asyncio.sleep(0.01)
        assert (await pool.convert(GOOD, URL)).markdown == "good"
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_a_pool_without_workers_converts_in_its_own_process():
    pool = ConversionPool(0, cpu_seconds=10, wall_seconds=60, memory_mb=512)
    assert (await pool.convert(GOOD, URL)).markdown == "good"
    assert not children()
    assert await reason_of(pool, "") is Reason.EMPTY
    await pool.close()


@deferred_f_from_coro_f
async def test_a_crawler_has_one_pool_that_closes_with_its_engine():
    from scrapy import signals

    crawler = get_crawler(settings_dict={"WIKICRAWLER_CONTENT_WORKERS": 1})
    pool = ConversionPool.for_crawler(crawler)
    assert ConversionPool.for_crawler(crawler) is pool
    assert ConversionPool.for_crawler(get_crawler()) is not pool
    await pool.convert(GOOD, URL)
    assert len(children()) == 1
    await crawler.signals.send_catch_log_async(signals.engine_stopped)
    assert not children()


def test_a_worker_exits_when_its_stdin_ends():
    done = subprocess.run(
        [sys.executable, "-m", "wikicrawler.content.workers.worker", "10", "512"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0


WORST = {
    "spaces": "<p>a" + " " * 40_000 + "b</p><p>after</p>",
    "1,000 tags": "<div>" * 1000 + "deep" + "</div>" * 1000 + "<p>after</p>",
    "3,000 formatting tags": "<b>" * 3000 + "deep" + "</b>" * 3000 + "<p>after</p>",
    "3,000 blocks": "<div>" * 3000 + "deep" + "</div>" * 3000 + "<p>after</p>",
    "nested lists": "<ul><li>deep" * 900 + "<p>after</p>",
    "flat list": "<ol>" + "<li>deep</li>" * 10_000 + "</ol><p>after</p>",
    "spans": "<table>" + "<tr><td rowspan=65534 colspan=1000>deep<td>y" * 300 + "</table><p>after",
    "brackets": "<p>" + "[" * 50_000 + "deep</p><p>after</p>",
    "emphasis": "<p>" + "<i>a</i>b*" * 20_000 + "deep</p><p>after</p>",
    "rows": "<table>" + "<tr><td>deep<td>b</tr>" * 100_000 + "</table><p>after</p>",
    "links": "".join(f"<p><a href=/wiki/{n}>deep {n}</a></p>" for n in range(200_000)) + "after",
    "attributes": "<p " + " ".join(f"a{n}=''" for n in range(200_000)) + ">deep</p><p>after</p>",
}


@deferred_f_from_coro_f
async def test_expensive_pages_convert_completely_or_fail_with_a_reason():
    pool = ConversionPool(2, cpu_seconds=10, wall_seconds=120, memory_mb=512)

    async def outcome(body: str) -> str:
        try:
            markdown = (await pool.convert(page(body), URL)).markdown
        except ContentError as error:
            return error.reason
        assert len(markdown) < 4 * len(body) + 2_000_000
        return (
            "converted" if "after" in markdown and ("deep" in markdown or "a" in body) else markdown
        )

    try:
        found = dict(zip(WORST, await asyncio.gather(*map(outcome, WORST.values())), strict=True))
        assert (await pool.convert(GOOD, URL)).markdown == "good"
    finally:
        await pool.close()
    limits = {"converted", Reason.CPU_LIMIT, Reason.MEMORY_LIMIT}
    assert {found.pop(name) for name in ("rows", "links", "attributes")} <= limits
    assert set(found.values()) == {"converted"}, found


@pytest.mark.parametrize(
    ("feeds", "written"),
    [({"a.jsonl": {"format": "jsonlines"}}, True), ({"a.csv": {"format": "csv"}}, False)],
)
@deferred_f_from_coro_f
async def test_a_worker_writes_the_markdown_as_json_for_feeds_of_json_lines(feeds, written):
    crawler = get_crawler(settings_dict={"FEEDS": feeds, "WIKICRAWLER_CONTENT_WORKERS": 1})
    pool = ConversionPool.from_crawler(crawler)
    try:
        content = await pool.convert(page("<p>A “good”</p><p>page\u2028</p>"), URL)
    finally:
        await pool.close()
    assert content.markdown_hash == hash_text(content.markdown)
    assert content.markdown_json == (json_text(content.markdown) if written else b"")
