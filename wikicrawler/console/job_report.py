"""Reports a crawl to the database, where ``scrapy jobs`` sees it, and obeys what operators do."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from time import monotonic, time
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from wikicrawler import options
from wikicrawler.console.job_arguments import arguments_of
from wikicrawler.console.job_progress import JobProgress
from wikicrawler.politeness.throttle import DomainThrottle
from wikicrawler.process.command import is_crawl
from wikicrawler.process.data_folder import has_default_database
from wikicrawler.process.exit_codes import STOPPED
from wikicrawler.process.owner import own_name
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.policy import records_attempts

if TYPE_CHECKING:
    from functools import partial

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from wikicrawler.store.job_writer import JobWriter, Orders

logger = logging.getLogger(__name__)

INTERVAL = 2.0
"""Seconds between two reports."""
_FIRST = 5.0
"""Seconds that the first page waits for the first orders."""
_HOLD = 2.5 * INTERVAL
"""Seconds for which a slot is paused at each report, while an operator pauses its site."""
_LAST = 2.0
"""Seconds that the end of a crawl waits for the last report."""
_LAST_STOPPED = 0.5
_LOOK = 0.01


class JobReport:
    """Scrapy extension: every two seconds the crawl reports how far it is in the table ``jobs`` of
    the project's database, and reads there whether it is to stop and which sites operators have
    paused. No state of the database stops or slows the crawl.

    It reports where the crawl has a database: it records attempts or audits, was requested as a
    job, or the database exists. None is created for it: a crawl that makes the database is reported
    from then on. Not under ``scrapy shell``, ``fetch``, ``parse`` and ``check``.
    Setting: ``WIKICRAWLER_REPORT_JOBS`` (default: True). Stat: ``job/stop_requested``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._writer: JobWriter | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._progress = JobProgress(crawler)
        self._first = asyncio.Event()
        self._task: Any = None
        self._stopping = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not options.REPORT_JOBS.read(settings) or not is_crawl(crawler):
            raise NotConfigured
        if not (_has_database(settings) or _may_exist(settings)):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    async def spider_opened(self, spider: Spider) -> None:
        # Imported here, because a crawl without a database does not need its libraries.
        from wikicrawler.store.database import Database  # noqa: PLC0415
        from wikicrawler.store.job_writer import JobWriter  # noqa: PLC0415
        from wikicrawler.store.jobs import JobRow  # noqa: PLC0415

        self._loop = asyncio.get_running_loop()
        settings, now = self._crawler.settings, time()
        job = JobRow(
            id=options.JOB_ID.read(settings) or str(uuid4()),
            spider=spider.name,
            arguments=json.dumps(arguments_of(spider)),
            requested_at=now,
            owner=own_name(),
            pid=os.getpid(),
            host=socket.gethostname(),
            started=now,
            log_file=str(settings["LOG_FILE"]) if settings["LOG_FILE"] else None,
        )
        self._writer = JobWriter(
            Database.from_settings(settings),
            job,
            self._orders_arrived,
            self._log,
            must_exist=not options.JOB_ID.read(settings),
        )
        self._writer.report(self._progress.figures())
        self._writer.start()
        self._task = create_looping_call(self._report)
        self._task.start(INTERVAL, now=False)
        try:
            async with asyncio.timeout(_FIRST):
                await self._first.wait()
        except TimeoutError:
            logger.warning("What operators do with sites is not known yet: the crawl begins")

    async def spider_closed(self, reason: str) -> None:
        if self._task is not None and self._task.running:
            self._task.stop()
        if self._writer is None:
            return
        stopped = reason == "shutdown"
        shown = "stopped" if stopped and self._stopping else reason
        self._writer.finish(shown, self._progress.figures())
        give_up = monotonic() + (_LAST_STOPPED if stopped else _LAST)
        while not self._writer.is_done and monotonic() < give_up:  # noqa: ASYNC110 - a thread
            await asyncio.sleep(_LOOK)

    def _report(self) -> None:
        try:
            if self._writer is not None:
                self._writer.report(self._progress.figures())
        except Exception:
            logger.exception("The progress of the crawl cannot be reported any more")
            self._task.stop()

    def _orders_arrived(self, orders: Orders) -> None:
        """Called in the writer's thread."""
        self._in_loop(self._obey, orders)

    def _obey(self, orders: Orders) -> None:
        tiers = self._crawler.get_downloader_middleware(TierMiddleware)
        if tiers is not None:
            tiers.unplanned.hold_sites(orders.held, orders.released)
        throttle = self._crawler.get_extension(DomainThrottle)
        if throttle is not None and self._crawler.engine is not None:
            for site in orders.held:
                throttle.hold(site, _HOLD)
        if orders.stop and not self._stopping:
            self._stopping = True
            logger.info("An operator stops the crawl")
            self._crawler.stats.set_value(STOPPED, True)
            deferred_from_coro(self._stop())
        self._first.set()

    async def _stop(self) -> None:
        engine = self._crawler.engine
        # It is being opened.
        while engine is not None and not engine.running:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(_LOOK)
        await self._crawler.stop_async()

    def _log(self, log: partial[None]) -> None:
        """Log from the writer's thread: Scrapy counts the lines, in the loop's."""
        self._in_loop(log)

    def _in_loop(self, function: Any, *arguments: Any) -> None:
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # it has ended
            return


def _has_database(settings: BaseSettings) -> bool:
    """Return whether the crawl writes to a database anyway."""
    return (
        bool(options.JOB_ID.read(settings))
        or options.AUDIT.read(settings)
        or records_attempts(settings)
    )


def _may_exist(settings: BaseSettings) -> bool:
    """Return whether there may be a database, without its libraries."""
    return bool(options.DATABASE_URL.read(settings)) or has_default_database()
