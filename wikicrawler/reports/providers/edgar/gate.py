"""The way of all requests to SEC: one at a time, at most so many a second, none after a block."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from typing import TYPE_CHECKING, TypeVar

from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    RateLimitExceededError,
    ReportError,
)
from wikicrawler.reports.providers.edgar.blocks import (
    MAX_BLOCK_PAGE,
    BlockedError,
    check,
    check_error,
    is_temporary,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from wikicrawler.reports.fetching import Answer, Fetcher, SavedFile

logger = logging.getLogger(__name__)

SLOT = "sec.gov"
"""Politeness budget of all requests."""
RETRY_DELAYS = (2.0, 8.0)
"""Seconds before a request is sent again that failed by a time-out or a status above 499."""
T = TypeVar("T")


class Gate:
    """Sends requests, whichever host of SEC they are for.

    After a block there is no request for *silence* seconds; then the request is sent once more. If
    that is blocked, too, it fails, and so does every other request until the next silence has
    passed: a crawl does not wait for hours, and does not lengthen the block.

    :param rate: requests a second
    :param silence: seconds
    :param clock: a monotonic clock, in seconds
    """

    def __init__(
        self, rate: float, silence: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval = 1.0 / rate
        self._silence = silence
        self._clock = clock
        self._lock = asyncio.Lock()
        self._next_start = float("-inf")
        # A request arrives between its start here and its answer. That so many arrive in no second,
        # whichever it begins with, takes more than a distance between the starts.
        self._ends: deque[float] = deque(maxlen=max(1, int(rate)))
        self._silent_until = float("-inf")
        self._blocks = 0  # in a row

    async def get(self, fetch: Fetcher, url: str, max_bytes: int) -> Answer:
        """Return an answer with status 200.

        :raises DocumentNotFoundError: there is no such file
        :raises RateLimitExceededError: SEC blocks this address
        :raises ReportError: any other failure, after the retries
        """

        async def send() -> Answer:
            answer = await fetch.get(url, max_bytes=max_bytes, slot=SLOT, retries=False)
            check(answer.status, answer.body)
            return answer

        return await self._retried(fetch, url, send)

    async def save(self, fetch: Fetcher, url: str, target: Path) -> SavedFile:
        """Download a file to *target*; errors as of :meth:`get`."""

        async def send() -> SavedFile:
            try:
                saved = await fetch.save(url, target, slot=SLOT, retries=False)
            except ReportError as error:
                check_error(error)
                raise
            if saved.size <= MAX_BLOCK_PAGE:
                await asyncio.to_thread(_check_file, saved.path)
            return saved

        return await self._retried(fetch, url, send)

    async def _retried(self, fetch: Fetcher, url: str, send: Callable[[], Awaitable[T]]) -> T:
        for delay in (*RETRY_DELAYS, None):
            try:
                return await self._send(fetch, url, send)
            except ReportError as error:
                if delay is None or not is_temporary(error):
                    raise _about(error, url) from None
                logger.info("%s: %s: retrying in %g s", url, error, delay)
            await fetch.sleep(delay)
        raise AssertionError("unreachable")  # pragma: no cover

    async def _send(self, fetch: Fetcher, url: str, send: Callable[[], Awaitable[T]]) -> T:
        async with self._lock:
            while True:
                await self._wait(fetch)
                try:
                    result = await send()
                except BlockedError as block:
                    self._note_block(url, block)
                except DocumentNotFoundError:
                    self._blocks = 0
                    raise
                else:
                    self._blocks = 0
                    return result
                finally:
                    self._ends.append(self._clock())

    async def _wait(self, fetch: Fetcher) -> None:
        """Wait for the turn of a request: its distance to the others, and the end of a silence.

        :raises RateLimitExceededError: SEC has blocked the request that was sent after a silence
        """
        silent = self._silent_until - self._clock()
        if self._blocks > 1 and silent > 0:
            raise RateLimitExceededError(
                f"not sent: SEC blocks this address, for another {silent:.0f} s at least", silent
            )
        while (due := self._due() - self._clock()) > 0:
            await fetch.sleep(due)
        self._next_start = self._clock() + self._interval

    def _due(self) -> float:
        due = max(self._next_start, self._silent_until)
        if len(self._ends) == self._ends.maxlen:
            due = max(due, self._ends[0] + len(self._ends) * self._interval)
        return due

    def _note_block(self, url: str, block: BlockedError) -> None:
        self._blocks += 1
        self._silent_until = self._clock() + self._silence
        logger.warning(
            "SEC blocks this address: %s %s. No request to SEC for %g s", url, block, self._silence
        )
        if self._blocks > 1:
            raise RateLimitExceededError(str(block), self._silence) from None


def _check_file(path: Path) -> None:
    """Delete the file if it is a page of SEC that blocks.

    :raises BlockedError: it is
    """
    with path.open("rb") as file:
        body = file.read(MAX_BLOCK_PAGE + 1)
    try:
        check(200, body)
    except BlockedError:
        path.unlink()
        raise


def _about(error: ReportError, url: str) -> ReportError:
    """Put the URL before the message of *error*, if it does not have it."""
    if url not in str(error):
        error.args = (f"{url}: {error}", *error.args[1:])
    return error
