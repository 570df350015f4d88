"""Functions of other rooms that run in the workers, with the limits of a page."""

from __future__ import annotations

import asyncio
import gc
import os
from contextlib import asynccontextmanager
from threading import get_ident
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.content.rendering import page
from wikicrawler.content.workers.pool import MAX_WAITING_BYTES, ConversionPool
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

URL = "https://a.example/"


@asynccontextmanager
async def pool_of(
    workers: int, *, cpu_seconds: float = 10, memory_mb: int = 512
) -> AsyncIterator[ConversionPool]:
    pool = ConversionPool(workers, cpu_seconds=cpu_seconds, wall_seconds=60, memory_mb=memory_mb)
    try:
        yield pool
    finally:
        await pool.close()


def process_and(text: str) -> tuple[int, str]:
    return os.getpid(), text.upper()


def thread_and(text: str) -> tuple[int, str]:
    return get_ident(), text.upper()


def endless(text: str) -> None:
    while text:
        pass


def large(megabytes: int) -> int:
    return len(bytearray(megabytes * 2**20))


KEPT: list[object] = []


def use_up(size: int) -> None:
    """Allocate objects of *size* bytes, and smaller ones at the end, until there is no memory."""
    while size:
        try:
            while True:
                KEPT.append(bytes(size))
        except MemoryError:
            size //= 2
    raise MemoryError


def refuse(text: str) -> str:
    raise ContentError(Reason.EMPTY, text)


def kept_from_garbage(_: str) -> int:
    return gc.get_freeze_count()


def die(_: str) -> None:
    os.kill(os.getpid(), 9)


@deferred_f_from_coro_f
async def test_a_function_runs_in_another_process() -> None:
    async with pool_of(1) as pool:
        process, text = await pool.run(URL, process_and, "a\udc80ä")
        assert text == "A\udc80Ä"
        assert process != os.getpid()
        assert (await pool.convert(page("<p>good</p>"), URL)).markdown == "good"
        assert (await pool.run(URL, process_and, ""))[0] == process


@deferred_f_from_coro_f
async def test_a_worker_does_not_look_for_garbage_among_its_modules() -> None:
    async with pool_of(1) as pool:
        assert await pool.run(URL, kept_from_garbage, "") > 10_000  # objects


@deferred_f_from_coro_f
async def test_without_workers_a_function_runs_in_a_thread() -> None:
    async with pool_of(0) as pool:
        thread, text = await pool.run(URL, thread_and, "a")
    assert text == "A"
    assert thread != get_ident()


@deferred_f_from_coro_f
async def test_a_function_that_returns_nothing_has_succeeded() -> None:
    async with pool_of(1) as pool:
        assert await pool.run(URL, endless, "") is None


@deferred_f_from_coro_f
async def test_a_function_has_the_limits_of_a_page_and_ends_no_other() -> None:
    async with pool_of(1, cpu_seconds=1, memory_mb=256) as pool:
        found = await asyncio.gather(
            pool.run(URL, endless, "x"),
            pool.run(URL, large, 1024),
            pool.run(URL, refuse, "why"),
            pool.run(URL, die, ""),
            pool.run(URL, process_and, "a"),
            return_exceptions=True,
        )
    errors = [error for error in found if isinstance(error, ContentError)]
    assert [error.reason for error in errors] == [
        Reason.CPU_LIMIT,
        Reason.MEMORY_LIMIT,
        Reason.EMPTY,
        Reason.MEMORY_LIMIT,
    ]
    assert errors[2].detail == "why"
    assert isinstance(found[4], tuple)


@deferred_f_from_coro_f
async def test_texts_that_wait_for_a_worker_count_as_waiting_pages() -> None:
    async with pool_of(1) as pool:
        waiting = [
            asyncio.ensure_future(pool.run(URL, process_and, "a" * (MAX_WAITING_BYTES // 2)))
            for _ in range(2)
        ]
        await asyncio.sleep(0)
        room = asyncio.ensure_future(pool.wait_for_room())
        await asyncio.sleep(0)
        assert not room.done()
        await asyncio.gather(*waiting)
        await room


@deferred_f_from_coro_f
async def test_nothing_runs_after_the_end() -> None:
    async with pool_of(1) as pool:
        pass
    with pytest.raises(ContentError, match="the crawl has ended"):
        await pool.run(URL, process_and, "a")


@deferred_f_from_coro_f
async def test_a_worker_whose_memory_is_used_up_to_the_last_byte_says_so():
    async with pool_of(1) as pool:
        with pytest.raises(ContentError) as raised:
            await pool.run(URL, use_up, 65_536)
        assert (raised.value.reason, raised.value.detail) == (Reason.MEMORY_LIMIT, "")
        assert isinstance(await pool.run(URL, process_and, "a"), tuple)
