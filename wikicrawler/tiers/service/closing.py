"""Work that is given up when the spider is closed, as Ctrl-C does."""

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

_LOOK = 0.25
"""Seconds between looks: no signal says that the spider closes before its last request is done."""


def is_closing(crawler: Crawler) -> bool:
    """Whether *crawler* ends: it starts nothing new, and waits for what is under way."""
    engine = crawler.engine
    if engine is None:
        return False
    return engine_slot.is_closing(engine)


async def unless(ends: Callable[[], bool], work: Awaitable[T], grace: float = 0.0) -> T:
    """What *work* gives; from when *ends* is true it has *grace* seconds more.

    :raises TierInterruptedError: it was given up
    """
    task = asyncio.ensure_future(work)
    until = math.inf
    try:
        while not task.done():
            if until == math.inf and ends():
                until = monotonic() + grace
            if monotonic() >= until:
                raise TierInterruptedError("the crawl ends before its service has answered")
            await asyncio.wait({task}, timeout=_LOOK)
        return task.result()
    finally:
        task.cancel()
