"""Workers that another process, the kernel or a crash ends: no page is lost by one such end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.content.rendering import page
from tests.content.workers.running import ENDLESS, children, cpu_seconds_of
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

URL = "https://wiki.example/wiki/T"
GOOD = page("<p>good</p>")
START_SECONDS = 5
"""Seconds of CPU time that the start of a worker never takes."""


@asynccontextmanager
async def pool_of(workers: int) -> AsyncIterator[ConversionPool]:
    """A pool with one worker that has started."""
    pool = ConversionPool(workers, cpu_seconds=600, wall_seconds=600, memory_mb=512)
    try:
        assert (await pool.convert(GOOD, URL)).markdown == "good"
        yield pool
    finally:
        await pool.close()


async def new_worker(*before: int) -> int:
    """Return the process id of the worker that starts next to or after those *before*."""
    while not (new := children() - {*before}):  # noqa: ASYNC110 - no event reports it
        await asyncio.sleep(0.02)
    return new.pop()


async def converting(pid: int) -> None:
    """Wait until the worker has started and is in the middle of a long page."""
    while cpu_seconds_of(pid) < START_SECONDS:  # noqa: ASYNC110 - no event reports it
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS])
@deferred_f_from_coro_f
async def test_a_page_is_converted_once_more_if_its_worker_dies(
    number: signal.Signals, caplog: pytest.LogCaptureFixture
) -> None:
    async with pool_of(1) as pool:
        (pid,) = children()
        os.kill(pid, signal.SIGSTOP)
        tasks = [asyncio.ensure_future(pool.convert(GOOD, f"{URL}{n}")) for n in range(3)]
        await asyncio.sleep(0)
        os.kill(pid, number)
        with suppress(ProcessLookupError):  # SIGKILL ends a stopped process at once
            os.kill(pid, signal.SIGCONT)
        contents = await asyncio.gather(*tasks)
    assert [content.markdown for content in contents] == ["good"] * 3
    (warning,) = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert f"{URL}0 ended unexpectedly (signal {number.value})" in warning


@deferred_f_from_coro_f
async def test_a_page_that_kills_two_workers_fails_alone() -> None:
    async with pool_of(1) as pool:
        (first,) = children()
        deadly, *others = (
            asyncio.ensure_future(pool.convert(body, URL)) for body in (ENDLESS, GOOD, GOOD)
        )
        await converting(first)
        os.kill(first, signal.SIGKILL)
        second = await new_worker(first)
        await converting(second)
        assert not others[0].done()  # the page is alone in its worker
        os.kill(second, signal.SIGKILL)
        with pytest.raises(ContentError, match="the worker was killed") as caught:
            await deadly
        assert caught.value.reason is Reason.MEMORY_LIMIT
        assert [content.markdown for content in await asyncio.gather(*others)] == ["good"] * 2


@deferred_f_from_coro_f
async def test_other_pages_convert_while_a_page_is_converted_once_more() -> None:
    async with pool_of(2) as pool:
        (first,) = children()
        slow = asyncio.ensure_future(pool.convert(ENDLESS, URL))
        await converting(first)
        os.kill(first, signal.SIGKILL)
        second = await new_worker(first)
        for _ in range(5):
            assert (await pool.convert(GOOD, URL)).markdown == "good"
        assert second in children()
        assert not slow.done()
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow


@deferred_f_from_coro_f
async def test_no_page_is_lost_by_many_kills() -> None:
    async with pool_of(2) as pool:
        for _ in range(5):
            workers = children()
            for pid in workers:
                os.kill(pid, signal.SIGSTOP)
            tasks = [asyncio.ensure_future(pool.convert(GOOD, URL)) for _ in range(12)]
            await asyncio.sleep(0)
            for pid in workers:
                os.kill(pid, signal.SIGKILL)
            found = await asyncio.gather(*tasks)
            assert [content.markdown for content in found] == ["good"] * 12


@pytest.mark.parametrize("retried", [False, True])
@deferred_f_from_coro_f
async def test_a_worker_that_is_killed_while_it_starts_costs_no_page(retried: bool) -> None:
    pool = ConversionPool(1, cpu_seconds=60, wall_seconds=60, memory_mb=512)
    try:
        before = set()
        if retried:
            await pool.convert(GOOD, URL)
            before = children()
            os.kill(*before, signal.SIGSTOP)
        tasks = [asyncio.ensure_future(pool.convert(GOOD, URL)) for _ in range(3)]
        await asyncio.sleep(0)
        if retried:
            os.kill(*before, signal.SIGKILL)
        os.kill(await new_worker(*before), signal.SIGKILL)
        contents = await asyncio.gather(*tasks)
        assert [content.markdown for content in contents] == ["good"] * 3
    finally:
        await pool.close()


@deferred_f_from_coro_f
async def test_workers_that_are_always_killed_while_they_start_fail_their_pages() -> None:
    pool = ConversionPool(1, cpu_seconds=60, wall_seconds=60, memory_mb=512)
    task = asyncio.ensure_future(pool.convert(GOOD, URL))
    killed: set[int] = set()
    while not task.done():
        for pid in children() - killed:
            killed.add(pid)
            os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.02)
    with pytest.raises(ContentError, match="did not start"):
        await task
    await pool.close()
    assert len(killed) == 3
