"""Notices of an idle crawl that waits for delayed requests."""

from __future__ import annotations

import logging
from time import localtime, strftime, time
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from wikicrawler.frontier.delayed import delayed_in
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.process.command import is_crawl
from wikicrawler.process.internals.downloader_slots import active_requests
from wikicrawler.process.internals.engine_slot import is_scraping

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_CHECK_SECONDS = 1.0


class WaitingNotice:
    """Scrapy extension that reports when a crawl waits for delayed requests.

    Logs a line at INFO when only requests that are not due yet (meta key ``not_before``) are left,
    and a warning if the crawl ends before they are due and they are lost. Only for ``scrapy
    crawl``, not for ``shell``, ``fetch``, ``parse`` and ``check``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._checks = create_looping_call(self._check)
        self._idle_after: int | None = None  # number of requests dequeued when it became idle
        self._reported = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension._opened, signals.spider_opened)
        crawler.signals.connect(extension._closed, signals.spider_closed)
        return extension

    def _opened(self) -> None:
        self._checks.start(_CHECK_SECONDS, now=False)

    def _closed(self) -> None:
        if self._checks.running:
            self._checks.stop()
        is_kept = frontier_of(self._crawler) is not None
        lost = 0 if is_kept else delayed_in(self._crawler).requests
        if lost:
            hint = "the next crawl visits them" if self._watches() else "JOBDIR would keep them"
            logger.warning("Delayed requests are lost: %d (%s)", lost, hint)

    def _check(self) -> None:
        delayed = delayed_in(self._crawler)
        if delayed.seconds < _CHECK_SECONDS or self._is_busy(delayed.requests):
            self._idle_after = None
            return
        dequeued = self._crawler.stats.get_value("scheduler/dequeued", 0)
        if self._idle_after != dequeued:  # it may be between two pages: wait for the next check
            self._idle_after, self._reported = dequeued, False
        elif not self._reported:
            self._reported = True
            logger.info(
                "Nothing to do until %s (delayed requests: %d)",
                strftime("%H:%M:%S", localtime(time() + delayed.seconds)),
                delayed.requests,
            )

    def _watches(self) -> bool:
        """Return whether the crawl visits sources, and knows what is left to do without JOBDIR."""
        return self._crawler.stats.get_value("sources/visit_count") is not None

    def _is_busy(self, delayed: int) -> bool:
        """Return whether there is anything to do besides the *delayed* requests."""
        engine = self._crawler.engine
        return (
            active_requests(self._crawler) > 0
            or is_scraping(engine)
            or len(engine.scheduler) > delayed  # type: ignore[arg-type]
        )
