"""An event loop of its own for those who have none, or are inside of one."""

from __future__ import annotations

import asyncio
from concurrent.futures import CancelledError, Future, wait
from threading import Thread, current_thread
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

T = TypeVar("T")


class LoopThread:
    """Runs coroutines in the event loop of a thread, and waits for them in the caller's.

    It makes no difference whether a loop runs in the caller's thread: that loop stands still for
    the time, as for any function that blocks.

    :param last: is awaited in the loop when it is closed
    """

    def __init__(self, last: Callable[[], Awaitable[object]]) -> None:
        self._started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._last = last
        self._thread = Thread(target=self._serve, name="scraper", daemon=True)
        self._thread.start()
        self._loop, self._closed = self._started.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _serve(self) -> None:
        try:
            asyncio.run(self._until_closed())
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)

    async def _until_closed(self) -> None:
        closed = asyncio.Event()
        self._started.set_result((asyncio.get_running_loop(), closed))
        await closed.wait()
        await self._last()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of *work*. If the wait for it is interrupted, it is cancelled."""
        outcome: Future[T] = Future()
        tasks: list[asyncio.Task[T]] = []

        def begin() -> None:
            tasks.append(self._loop.create_task(work))
            tasks[0].add_done_callback(lambda task: _hand_over(task, outcome))

        def cancel() -> None:
            tasks[0].cancel()  # it was begun, as the loop keeps the order

        self._loop.call_soon_threadsafe(begin)
        try:
            return outcome.result()
        except BaseException:
            if not outcome.done():
                self._loop.call_soon_threadsafe(cancel)
                wait([outcome])
            raise

    def close(self, *, waits: bool = True) -> None:
        """End the loop, and wait until the thread has ended. A second time it does nothing."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closed.set)
            if waits and current_thread() is not self._thread:
                self._thread.join()


def _hand_over(task: asyncio.Task[T], outcome: Future[T]) -> None:
    if task.cancelled():
        outcome.set_exception(CancelledError())
    elif (error := task.exception()) is not None:
        outcome.set_exception(error)
    else:
        outcome.set_result(task.result())
