"""Cancellation of pending work when the spider is closed (Ctrl-C)."""

from __future__ import annotations

import asyncio
import math
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from wikicrawler.errors import TierInterruptedError
from wikicrawler.process.internals import engine_slot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy.crawler import Crawler

T = TypeVar("T")

_POLL_INTERVAL = 0.25
"""Seconds between polls: Scrapy sends no signal before the last request of a closing spider is
done."""


def is_closing(crawler: Crawler) -> bool:
    """Return True if *crawler* is closing: it starts nothing new and waits for pending requests."""
    engine = crawler.engine
    if engine is None:
        return False
    return engine_slot.is_closing(engine)


async def run_until_closing(
    is_closing: Callable[[], bool], work: Awaitable[T], grace: float = 0.0
) -> T:
    """Await *work* and return its result.

    Cancel it *grace* seconds after *is_closing* first returns True.

    :raises TierInterruptedError: *work* was cancelled
    """
    task = asyncio.ensure_future(work)
    until = math.inf
    try:
        while not task.done():
            if until == math.inf and is_closing():
                until = monotonic() + grace
            if monotonic() >= until:
                raise TierInterruptedError("the crawl ends before its service has answered")
            await asyncio.wait({task}, timeout=_POLL_INTERVAL)
        return task.result()
    finally:
        task.cancel()
