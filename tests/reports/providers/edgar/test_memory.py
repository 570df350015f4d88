"""Results that several ask for are made once."""

from __future__ import annotations

import asyncio

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from wikicrawler.reports.errors import DocumentNotFoundError, RequestTimeoutError
from wikicrawler.reports.providers.edgar.memory import Memory


class Maker:
    """Makes results slowly, and counts them."""

    def __init__(self, *failures: BaseException) -> None:
        self.failures = list(failures)
        self.made = 0

    async def __call__(self) -> int:
        self.made += 1
        number = self.made
        await asyncio.sleep(0)
        if self.failures:
            raise self.failures.pop(0)
        return number


@deferred_f_from_coro_f
async def test_askers_at_the_same_time_share_a_result() -> None:
    memory, make = Memory[int](5), Maker()
    assert await asyncio.gather(*(memory.get("a", make) for _ in range(9))) == [1] * 9


@deferred_f_from_coro_f
async def test_a_failure_that_may_pass_is_not_kept() -> None:
    memory, make = Memory[int](5), Maker(RequestTimeoutError("slow"), asyncio.CancelledError())
    asks = [memory.get("a", make) for _ in range(4)]
    results = await asyncio.gather(*asks, return_exceptions=True)
    kinds = [type(result) for result in results[:2]]
    assert kinds == [RequestTimeoutError, asyncio.CancelledError]
    assert results[2:] == [3, 3]


@deferred_f_from_coro_f
async def test_that_there_is_none_is_kept() -> None:
    memory, make = Memory[int](5), Maker(DocumentNotFoundError("none"))
    for _ in range(3):
        with pytest.raises(DocumentNotFoundError, match="none"):
            await memory.get("a", make)
    assert make.made == 1


@deferred_f_from_coro_f
async def test_the_results_that_were_used_last_are_kept() -> None:
    memory, make = Memory[int](2), Maker()
    for key in "abaca":
        await memory.get(key, make)
    assert make.made == 3
    await memory.get("b", make)
    assert make.made == 4


@deferred_f_from_coro_f
async def test_a_result_in_the_making_is_not_forgotten() -> None:
    memory, make = Memory[int](1), Maker()
    results = await asyncio.gather(*(memory.get(key, make) for key in "abab"))
    assert results == [1, 2, 1, 2]
