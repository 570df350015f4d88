"""Tasks of which only some run ahead of the one who takes their results."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from tests.fields.llm.wire import run
from wikicrawler.fields.scraper.window import in_window

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Iterator


class Work:
    """Numbered tasks, each of which ends when it is let."""

    def __init__(self, number: int) -> None:
        self.gates = [asyncio.Event() for _ in range(number)]
        self.started: list[int] = []
        self.cancelled: list[int] = []

    async def one(self, number: int) -> int:
        self.started.append(number)
        try:
            await self.gates[number].wait()
        except asyncio.CancelledError:
            self.cancelled.append(number)
            raise
        if number == 13:
            raise ValueError("unlucky")
        return number

    def results(self, size: int) -> AsyncGenerator[int, None]:
        work: Iterator[Coroutine[None, None, int]] = map(self.one, range(len(self.gates)))
        return in_window(lambda room: islice(work, room), size)


async def turns() -> None:
    """Let each task go as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_results_come_in_the_order_in_which_they_are_there() -> None:
    async def work() -> list[int]:
        tasks = Work(3)
        found = []
        tasks.gates[2].set()
        async for number in tasks.results(3):
            found.append(number)
            tasks.gates[1 if number == 2 else 0].set()
        return found

    assert run(work()) == [2, 1, 0]


def test_a_result_that_is_being_worked_on_takes_a_place() -> None:
    async def work() -> None:
        tasks = Work(9)
        for gate in tasks.gates:
            gate.set()
        async with aclosing(tasks.results(3)) as results:
            assert await anext(results) == 0
            await turns()
            assert tasks.started == [0, 1, 2]
            assert await anext(results) == 1
            await turns()
            assert tasks.started == [0, 1, 2, 3]
            assert [number async for number in results] == [2, 3, 4, 5, 6, 7, 8]

    run(work())


def test_the_end_cancels_what_runs() -> None:
    async def work() -> None:
        tasks = Work(9)
        tasks.gates[1].set()
        results = tasks.results(3)
        assert await anext(results) == 1
        await results.aclose()
        assert sorted(tasks.started) == [0, 1, 2]
        assert sorted(tasks.cancelled) == [0, 2]

    run(work())


def test_an_error_comes_in_its_turn_and_cancels_the_others() -> None:
    async def work() -> None:
        tasks = Work(15)
        for number in range(14):
            tasks.gates[number].set()
        results = tasks.results(4)
        assert [await anext(results) for _ in range(13)] == list(range(13))
        with pytest.raises(ValueError, match="unlucky"):
            await anext(results)
        assert tasks.cancelled == [14]

    run(work())


def test_more_may_come_while_some_run() -> None:
    async def work() -> None:
        tasks = Work(4)
        for gate in tasks.gates:
            gate.set()
        waves = [[0, 1], [], [2, 3], []]  # the third one is asked for after two results
        given: list[list[int]] = []

        def more(room: int) -> list[Coroutine[None, None, int]]:
            given.append(waves.pop(0) if waves else [])
            assert len(given[-1]) <= room
            return [tasks.one(number) for number in given[-1]]

        assert sorted([number async for number in in_window(more, 2)]) == [0, 1, 2, 3]

    run(work())
