"""The end of a crawl that is to stop: by Ctrl-C or SIGTERM, or because it cannot write."""

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
"""How long pages that are under way may take when the crawl is told to stop."""
_LOOK_SECONDS = 0.25
_NAMED = 10


class StopDeadline:
    """Scrapy extension: a crawl that is told to stop (Ctrl-C, SIGTERM) waits 8 s for the pages
    under way. What has not come then is left: with ``JOBDIR`` it is fetched when the crawl goes
    on, without it is named in the log.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._since: float | None = None
        self._look = create_looping_call(self._check)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension._started, signals.engine_started)
        crawler.signals.connect(extension._ended, signals.spider_closed)
        crawler.signals.connect(extension._ended, signals.engine_stopped)
        return extension

    def _started(self) -> None:
        self._look.start(_LOOK_SECONDS, now=False)

    def _ended(self) -> None:
        if self._look.running:
            self._look.stop()

    def _check(self) -> None:
        if self._crawler.engine.running:
            return
        self._since = monotonic() if self._since is None else self._since
        if monotonic() - self._since >= STOP_SECONDS:
            give_up(self._crawler)


def stop(crawler: Crawler, reason: str) -> None:
    """Close *crawler* at once with that finish reason; what is under way is given up."""
    engine = crawler.engine
    deferred_from_coro(engine.close_spider_async(reason=reason))

    def end() -> None:
        if engine.spider is not None:
            give_up(crawler)
            call_later(_LOOK_SECONDS, end)

    call_later(_LOOK_SECONDS, end)


def give_up(crawler: Crawler) -> None:
    """Wait no longer for what is under way in *crawler*, which is being closed."""
    scheduler = crawler.engine.scheduler
    kept = getattr(scheduler, "give_up", None)
    if kept is not None:
        kept()
    if waiting := engine_slot.under_way(crawler.engine):
        urls = ", ".join(one_line(request.url, 200) for request in waiting[:_NAMED])
        more = f" and {len(waiting) - _NAMED} more" if len(waiting) > _NAMED else ""
        logger.warning(
            "Pages under way are given up, and %s: %s%s",
            "fetched when the crawl goes on" if kept else "lost",
            urls,
            more,
        )
    engine_slot.put_back(crawler.engine)
