"""Says that a crawl which does nothing has not ended."""

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

_LOOK_SECONDS = 1.0


class WaitingNotice:
    """Scrapy extension: one line at INFO when nothing is left to do for a while but to wait for
    requests whose moment (meta key ``not_before``) has not come, and one when the crawl ends before
    it, and they are lost. Not under ``scrapy shell``,
    ``fetch``, ``parse`` and ``check``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._look = create_looping_call(self._check)
        self._idle_since: int | None = None  # the request, by number, after which nothing was done
        self._told = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension._opened, signals.spider_opened)
        crawler.signals.connect(extension._closed, signals.spider_closed)
        return extension

    def _opened(self) -> None:
        self._look.start(_LOOK_SECONDS, now=False)

    def _closed(self) -> None:
        if self._look.running:
            self._look.stop()
        kept = frontier_of(self._crawler) is not None
        lost = 0 if kept else delayed_in(self._crawler).requests
        if lost:
            logger.warning(
                "Requests that still waited for their time are lost: %d (JOBDIR keeps them)", lost
            )

    def _check(self) -> None:
        delayed = delayed_in(self._crawler)
        if delayed.seconds < _LOOK_SECONDS or self._is_busy(delayed.requests):
            self._idle_since = None
            return
        done = self._crawler.stats.get_value("scheduler/dequeued", 0)
        if self._idle_since != done:  # it may be between two pages
            self._idle_since, self._told = done, False
        elif not self._told:
            self._told = True
            logger.info(
                "Nothing to do until %s (requests that wait for their time: %d)",
                strftime("%H:%M:%S", localtime(time() + delayed.seconds)),
                delayed.requests,
            )

    def _is_busy(self, delayed: int) -> bool:
        """Return True if there is anything but those *delayed* requests."""
        engine = self._crawler.engine
        return (
            active_requests(self._crawler) > 0
            or is_scraping(engine)
            or len(engine.scheduler) > delayed  # type: ignore[arg-type]
        )
