"""Reads from the database beside a crawl that starts: in a thread, once, for a bounded time."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from wikicrawler.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.store.database import Database

logger = logging.getLogger(__name__)
T = TypeVar("T")


class StartupReading(Generic[T]):
    """What the first pages of a crawl wait for, read once from *database*. No error stops the
    crawl: each is logged.

    :param subject: names what is read, as the subject of a log line
    :param read: returns it; called in a thread, so it may take long
    :param use: receives it in the event loop, also if the pages no longer wait for it
    :param longest: seconds that pages wait at most
    """

    def __init__(
        self,
        database: Database,
        subject: str,
        read: Callable[[], T],
        use: Callable[[T], object],
        longest: float,
    ) -> None:
        self._database = database
        self._subject = subject
        self._read = read
        self._use = use
        self._longest = longest
        self._reading: asyncio.Task[None] | None = None
        self._is_ready = False
        self._turns = asyncio.Lock()  # fair: pages go on in the order in which they came
        self._waiting = 0

    async def ready(self) -> None:
        """Return when pages need not wait any longer, to one after another in the order of their
        calls. The first call begins to read."""
        if self._is_ready and not self._waiting:
            return
        self._waiting += 1
        try:
            async with self._turns:
                await self._wait()
        finally:
            self._waiting -= 1

    async def _wait(self) -> None:
        if self._is_ready:
            return
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._take_up())
        try:
            async with asyncio.timeout(self._longest):
                await asyncio.shield(self._reading)
        except TimeoutError:
            if not self._is_ready:
                logger.warning(
                    "%s takes long to read from %s: the first pages go without it",
                    self._subject,
                    self._database,
                )
        self._is_ready = True

    async def _take_up(self) -> None:
        try:
            self._use(await aside(self._read_and_close))
        except StoreError as error:
            logger.warning("%s is not known: %s", self._subject, error)
        except Exception:  # whatever is wrong with it, no page is lost for that
            logger.exception("%s cannot be read from %s", self._subject, self._database)

    def _read_and_close(self) -> T:
        try:
            return self._read()
        finally:
            self._database.close()


async def aside(function: Callable[[], T]) -> T:
    """What *function* gives, called in a thread that the end of the process does not wait for: a
    crawl that is stopped meanwhile is stopped."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def call() -> None:
        try:
            tell = partial(future.set_result, function())
        except Exception as error:  # it is raised where this is waited for
            tell = partial(future.set_exception, error)
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(tell_who_waits, tell)

    def tell_who_waits(tell: Callable[[], None]) -> None:
        if not future.done():  # the waiting task may have been cancelled meanwhile
            tell()

    Thread(target=call, name="reading", daemon=True).start()
    return await future
