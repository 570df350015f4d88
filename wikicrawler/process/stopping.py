"""Ending a crawl early: after Ctrl-C or SIGTERM, or because a write failed."""

from __future__ import annotations

import logging
from time import monotonic
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import deferred_from_coro

from wikicrawler.process.internals import engine_slot
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

STOP_SECONDS = 8.0
"""Maximum time in seconds to wait for unfinished pages when the crawl is stopped."""
_CHECK_SECONDS = 0.25
_MAX_NAMED = 10


class StopDeadline:
    """Scrapy extension that limits the time to stop after Ctrl-C or SIGTERM.

    The crawl waits 8 s for unfinished pages, then abandons the rest: with ``JOBDIR`` they are
    fetched when the crawl is resumed, without it they are listed in the log.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._stopping_since: float | None = None
        self._checks = create_looping_call(self._check)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension._started, signals.engine_started)
        crawler.signals.connect(extension._ended, signals.spider_closed)
        crawler.signals.connect(extension._ended, signals.engine_stopped)
        return extension

    def _started(self) -> None:
        engine_slot.watch_requests(self._crawler.engine)
        self._checks.start(_CHECK_SECONDS, now=False)

    def _ended(self) -> None:
        if self._checks.running:
            self._checks.stop()

    def _check(self) -> None:
        if self._crawler.engine.running:
            return
        if self._stopping_since is None:
            self._stopping_since = monotonic()
        if monotonic() - self._stopping_since >= STOP_SECONDS:
            abandon_requests(self._crawler)


def stop(crawler: Crawler, reason: str) -> None:
    """Close *crawler* at once with the finish reason *reason*; unfinished pages are abandoned."""
    engine = crawler.engine
    deferred_from_coro(engine.close_spider_async(reason=reason))

    def end() -> None:
        if engine.spider is not None:
            abandon_requests(crawler)
            call_later(_CHECK_SECONDS, end)

    call_later(_CHECK_SECONDS, end)


def abandon_requests(crawler: Crawler) -> None:
    """Stop waiting for unfinished requests of *crawler*, which is being closed."""
    # Only our frontier, which keeps unfinished requests for the next run, has this method.
    scheduler = crawler.engine.scheduler
    give_up = getattr(scheduler, "give_up", None)
    if give_up is not None:
        give_up()
    if unfinished := engine_slot.unfinished_requests(crawler.engine):
        urls = ", ".join(one_line(request.url, 200) for request in unfinished[:_MAX_NAMED])
        more = f" and {len(unfinished) - _MAX_NAMED} more" if len(unfinished) > _MAX_NAMED else ""
        logger.warning(
            "Unfinished pages are %s: %s%s",
            _what_becomes(scheduler) if give_up else "lost",
            urls,
            more,
        )
    engine_slot.drop_unfinished(crawler.engine)


def _what_becomes(scheduler: object) -> str:
    """Return what becomes of requests that a frontier keeps."""
    frontier = getattr(scheduler, "frontier", None)
    if getattr(frontier, "lease_seconds", None) is not None:
        return "handed back to the workers of the crawl"
    return "abandoned until the crawl is resumed"
