"""Delayed requests are sent at their moment."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.utils.asyncio import call_later

from wikicrawler.frontier.delayed import delayed_in
from wikicrawler.process.internals.engine_slot import wake

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import CallLaterResult

_LEAST_SECONDS = 0.1
"""A request that is due may have to wait: for its site, or for the server of a shared frontier."""


class DueRequests:
    """Scrapy extension that wakes the engine when a delayed request (meta key ``not_before``) is
    due.

    Otherwise an engine with nothing else to do would ask its scheduler only every 5 seconds.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._timer: CallLaterResult | None = None
        self._wakes_at = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension._idle, signals.scheduler_empty)
        crawler.signals.connect(extension._cancel, signals.spider_closed)
        return extension

    def _idle(self) -> None:
        delayed = delayed_in(self._crawler)
        if not delayed.requests:
            return
        seconds = max(delayed.seconds, _LEAST_SECONDS)
        moment = monotonic() + seconds
        if self._timer is not None:
            if self._wakes_at <= moment:
                return
            self._timer.cancel()
        self._wakes_at = moment
        self._timer = call_later(seconds, self._wake)

    def _wake(self) -> None:
        self._timer = None
        wake(self._crawler.engine)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
