"""Tasks of which only some run ahead of the one who takes their results."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable

T = TypeVar("T")


async def in_window(
    more: Callable[[int], Iterable[Coroutine[Any, Any, T]]], size: int
) -> AsyncGenerator[T, None]:
    """Run coroutines, and yield their results in the order in which they are there.

    At most *size* of them were started without that their results were taken. The first exception
    is raised in its turn. At the end, whatever the reason, those that still run are cancelled.

    :param more: returns those to start now, at most as many as its argument says. It is called at
        the start, and each time that a result was taken; once none runs, nothing is the end
    """
    running: set[asyncio.Task[T]] = set()  # until their results were taken
    ended: deque[asyncio.Task[T]] = deque()
    try:
        while True:
            for one in more(size - len(running)):
                task = asyncio.ensure_future(one)
                running.add(task)
                task.add_done_callback(ended.append)
            if not running:
                return
            while not ended:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            task = ended[0]
            yield task.result()
            running.discard(task)
            ended.popleft()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
