"""Reports a worker of a fleet to Redis, where ``scrapy fleet`` and the other workers see it."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.console.fleet_summary import fleet_heading, fleet_text
from wikicrawler.console.progress import pages_per_minute
from wikicrawler.console.summary import site_delays, terminal_width
from wikicrawler.control.fleet.report_store import ReportStore
from wikicrawler.control.fleet.status_store import StatusStore
from wikicrawler.control.fleet.totals import reported_stats
from wikicrawler.control.fleet.worker_report import WorkerReport, longest, names, shown
from wikicrawler.errors import StoreError
from wikicrawler.frontier.redis.worker_name import worker_of
from wikicrawler.politeness.fleet.pace import FleetPace
from wikicrawler.politeness.robots import SiteRobotsMiddleware
from wikicrawler.politeness.throttle import DomainThrottle
from wikicrawler.process.command import is_crawl
from wikicrawler.process.internals.downloader_slots import active_requests
from wikicrawler.process.internals.engine_slot import is_closing

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider
    from scrapy.crawler import Crawler

    from wikicrawler.control.fleet.snapshot import Snapshot
    from wikicrawler.control.fleet.worker_report import State

logger = logging.getLogger(__name__)

_LONGEST, _SHORTEST = 10.0, 0.5
"""Seconds between two reports."""
_A_LEASE = 6
"""How many reports there are at least in the time after which the leases of a silent worker end."""
_WINDOW = 60.0  # seconds over which the rate is measured
_LAST = 2.0
"""Seconds that the end of a crawl waits for the last report."""
_LAST_STOPPED = 0.5


class FleetReport:
    """Scrapy extension: a worker of several stores a report on itself in their Redis, every ten
    seconds and at its end, and logs a summary of all workers after its own.

    Each worker logs it, because nobody knows which one is the last: workers may join at any time.
    The heading says whether others still run; what the last one logs is complete. The reports have
    a connection and a thread of their own, so that no request waits for them, and a Redis that is
    away costs nothing but a report.

    Settings: ``WIKICRAWLER_FRONTIER``, ``WIKICRAWLER_SUMMARY_ENABLED``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._url = options.FRONTIER.read(settings)
        self._job = f"{crawler.spidercls.name}:{options.FRONTIER_JOB.read(settings)}"
        self._store = ReportStore(self._url, self._job)
        lease = options.FRONTIER_LEASE.read(settings)
        self._every = min(_LONGEST, max(_SHORTEST, lease / _A_LEASE))
        self._thread = ThreadPoolExecutor(1, "fleet-report")
        self._reporting: asyncio.Task[None] | None = None
        self._samples: deque[tuple[float, int]] = deque()
        self._has_run = False
        self._found: Snapshot | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not options.FRONTIER.read(crawler.settings) or not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        if options.SUMMARY_ENABLED.read(crawler.settings):
            crawler.signals.connect(extension.engine_stopped, signals.engine_stopped)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        self._reporting = asyncio.ensure_future(self._report_all())

    async def spider_closed(self, reason: str) -> None:
        if self._reporting is None:
            return
        self._reporting.cancel()
        timeout = _LAST_STOPPED if reason == "shutdown" else _LAST
        try:
            self._found = await asyncio.wait_for(self._end(reason), timeout)
        except StoreError as error:
            logger.debug("The end of the worker is not reported: %s", error)
        except TimeoutError:
            logger.debug("The end of the worker is not reported in time")
        except Exception:
            logger.exception("The end of the worker is not reported")
        self._thread.submit(self._store.close)
        self._thread.shutdown(wait=False)

    def engine_stopped(self) -> None:
        if self._found is None:
            return
        width = None if self._crawler.settings["LOG_FILE"] else terminal_width()
        text = fleet_text(self._found, width=width)
        logger.info("%s\n%s", fleet_heading(self._found), text)

    async def _report_all(self) -> None:
        while True:
            try:
                await self._run(self._put, self.report(self._state()))
            except StoreError:
                pass  # the frontier tells of it
            except Exception:
                logger.exception("The worker is not reported any more")
                return
            await asyncio.sleep(self._every)

    def _state(self) -> State:
        engine = self._crawler.engine
        self._has_run = self._has_run or engine.running  # it is not while the spider is opened
        return "stopping" if self._has_run and is_closing(engine) else "running"

    async def _end(self, reason: str) -> Snapshot:
        """Report the end, then return what all workers have reported: so the last one that does
        has the ends of all."""
        await self._run(self._put, self.report("ended", reason))
        found: Snapshot = await self._run(StatusStore(self._url).snapshot, self._job)
        return found

    async def _run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, call, *arguments)

    def _put(self, report: WorkerReport) -> None:
        self._store.put(worker_of(self._crawler), report)

    def report(self, state: State, reason: str = "") -> WorkerReport:
        """Return what this worker says of itself now."""
        crawler = self._crawler
        stats, now = crawler.stats.get_stats(), monotonic()
        self._samples.append((now, stats.get("item_scraped_count", 0)))
        while now - self._samples[0][0] > _WINDOW:
            self._samples.popleft()
        rate = pages_per_minute(self._samples)
        pace, throttle = crawler.get_extension(FleetPace), crawler.get_extension(DomainThrottle)
        robots = crawler.get_downloader_middleware(SiteRobotsMiddleware)
        shared = robots.shared if robots is not None else None
        return WorkerReport(
            host=shown(socket.gethostname()),
            pid=os.getpid(),
            state=state,
            reason=shown(reason),
            every=self._every,
            stats=reported_stats(stats),
            rate=None if rate is None else round(rate, 1),
            active=active_requests(crawler),
            waiting=pace.waiting if pace is not None else 0,
            robots_fetched=names(shared.fetched) if shared is not None else [],
            robots_awaited=names(shared.awaited) if shared is not None else [],
            delays=longest(dict(site_delays(crawler))),
            pauses=longest(throttle.pauses() if throttle is not None else {}),
            feeds=names(_feeds(crawler)),
        )


def _feeds(crawler: Crawler) -> list[str]:
    """Return the feeds of *crawler*: paths as absolute ones, other places as URLs."""
    found = [str(uri) for uri in crawler.settings.getdict("FEEDS")]
    return [uri if ":" in uri else str(Path(uri).absolute()) for uri in found]
