"""Alerts as a part of a crawl."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic, time
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.command import is_crawl
from wikicrawler.signals import credits_low
from wikicrawler.sources.alerts.book import DAY, AlertBook, Notice, Problem
from wikicrawler.sources.alerts.checks import check_credits, check_sources
from wikicrawler.sources.alerts.events import AlertEvent
from wikicrawler.sources.alerts.outbox import Outbox
from wikicrawler.sources.alerts.visit_events import report_visit
from wikicrawler.sources.alerts.worker import DeliveryThread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy.crawler import Crawler

    from wikicrawler.sources.agenda.agenda import Agenda
    from wikicrawler.sources.alerts.outbox import Delivered
    from wikicrawler.sources.visits.visit import SourceVisit
    from wikicrawler.store.source_states import SourceState

logger = logging.getLogger(__name__)

SECONDS_STOPPED = 1.0
"""Seconds for which the end of a crawl that is stopped waits for messages."""
_LOOK_SECONDS = 0.01


class CrawlAlerts:
    """Scrapy extension: raises and resolves alerts, and delivers their messages in a thread.

    The spider ``sources`` reports its visits to it. In any other crawl it reports the use of
    credits and delivers what waits; the add-on uses it there if ``WIKICRAWLER_ALERTS`` or
    ``WIKICRAWLER_CREDITS`` is set.

    Stats: ``alerts/raised_count/{event}``, ``alerts/repeated_count/{event}``,
    ``alerts/resolved_count/{event}``, ``alerts/delivered_count``, ``alerts/failed_count``.

    Raises:
        ConfigError: a setting is wrong.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._book = AlertBook.from_settings(settings)
        self._patience = options.ALERT_UNCHANGED_DAYS.read(settings) * DAY
        self._timeout = options.ALERT_TIMEOUT.read(settings)
        outbox = Outbox(self._book.database, self._book.channels, self._timeout)
        self._thread = DeliveryThread(outbox, self._tell, self._warn)
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        crawler.signals.connect(extension.credits_low, credits_low)
        return extension

    # The crawl

    async def spider_opened(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        self._thread.do(self._check)

    async def spider_closed(self, reason: str) -> None:
        seconds = self._timeout
        if reason == "shutdown":
            seconds = min(seconds, SECONDS_STOPPED)
        give_up = monotonic() + seconds
        self._thread.finish()
        while not self._thread.is_done and monotonic() < give_up:  # noqa: ASYNC110 - a thread
            await asyncio.sleep(_LOOK_SECONDS)
        if self._thread.is_done:
            await asyncio.sleep(0)  # what it told is logged
        else:
            logger.warning(
                "Messages about alerts were not delivered in %g s: the next crawl delivers them",
                seconds,
            )

    def credits_low(
        self, service: str, month: str, used: float, limit: float, forecast: float
    ) -> None:
        """Report that most of the credits of *service* are used."""
        share = f"{100 * used / limit:.0f} %" if limit else "all"
        message = (
            f"{used:g} of the {limit:g} credits for {month} are used ({share}); at this pace it "
            f"will be {forecast:.0f}"
        )
        problem = Problem(AlertEvent.CREDITS, service, message)
        self._thread.do(lambda: self._report_credits(problem))

    # Visits

    async def check(self, agenda: Agenda) -> None:
        """Report what is wrong with the sources of *agenda* before they are visited."""
        await self._apply(
            lambda: check_sources(self._book, agenda.entries(), time(), self._patience)
        )

    async def after_visit(self, visit: SourceVisit, state: SourceState, *, scheduled: bool) -> None:
        """Report what *visit* shows.

        :param state: of the source, after the visit
        """
        await self._apply(
            lambda: report_visit(
                self._book, visit, state, scheduled=scheduled, patience=self._patience
            )
        )

    async def _apply(self, work: Callable[[], list[Notice]]) -> None:
        """Do *work* in a thread and log what came of it. An unavailable database is logged."""
        try:
            notices = await asyncio.to_thread(work)
        except StoreError as error:
            _log_unavailable(error)
            return
        if notices:
            self._log(notices)
            self._thread.wake()

    def _log(self, notices: Iterable[Notice]) -> None:
        for notice in notices:
            logger.log(notice.level, "%s", notice.text)
            self._crawler.stats.inc_value(notice.stat)

    # In the thread

    def _check(self) -> None:
        if self._book.database.has_tables():
            self._book.remind()
            self._in_loop(self._log, check_credits(self._book, self._crawler.settings, time()))

    def _report_credits(self, problem: Problem) -> None:
        notices = check_credits(self._book, self._crawler.settings, time())
        self._in_loop(self._log, notices + self._book.report(problem))

    def _tell(self, delivered: list[Delivered]) -> None:
        self._in_loop(self._log_deliveries, delivered)

    def _warn(self, error: Exception) -> None:
        self._in_loop(_log_unavailable, error)

    def _in_loop(self, work: Callable[[Any], None], argument: Any) -> None:
        """Call *work* in the loop: Scrapy counts the lines of the log there."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(work, argument)
        except RuntimeError:  # it has ended
            work(argument)

    def _log_deliveries(self, delivered: list[Delivered]) -> None:
        stats = self._crawler.stats
        for one in delivered:
            if one.error:
                stats.inc_value("alerts/failed_count")
                logger.warning(
                    "A message about an alert was not delivered to %s: %s. It is tried again at "
                    "the end of the crawl and of the next ones",
                    one.channel,
                    one.error,
                )
            else:
                stats.inc_value("alerts/delivered_count")
                logger.debug("Delivered to %s: %s", one.channel, one.title)


def _log_unavailable(error: Exception) -> None:
    bug = None if isinstance(error, (StoreError, ConfigError)) else error
    logger.warning("Alerts cannot be stored or delivered: %s", error, exc_info=bug)
