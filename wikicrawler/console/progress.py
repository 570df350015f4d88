"""A progress line on the terminal."""

from __future__ import annotations

import logging
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from wikicrawler import options
from wikicrawler.console.live import LiveLine
from wikicrawler.console.summary import clock, counts_under, format_counts, site_delays
from wikicrawler.frontier.delayed import delayed_in
from wikicrawler.process.command import is_crawl
from wikicrawler.process.internals.downloader_slots import active_requests
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_WINDOW = 60.0  # seconds over which the rate is measured
_INTERVAL = 1.0  # seconds


class ProgressLine:
    """Scrapy extension that shows a live line below the log, redrawn every second.

    The line has the elapsed time, the number of records, by tier if there are several, skipped
    pages, queued and active requests, pages per minute and the longest delay of a site. It is shown
    only if stderr is a terminal, for ``scrapy crawl`` (not ``shell``, ``fetch``, ``parse`` and
    ``check``), and unless ``WIKICRAWLER_PROGRESS_ENABLED`` (default: True) is False. With several
    crawls in one process, the first one shows its line.
    """

    _shown: ClassVar[ProgressLine | None] = None

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._line: LiveLine | None = None
        self._task: Any = None
        self._samples: deque[tuple[float, int]] = deque()
        self._started = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        enabled = options.PROGRESS_ENABLED.read(crawler.settings)
        if not enabled or not is_crawl(crawler) or not LiveLine.is_possible():
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        if ProgressLine._shown is not None:
            return
        ProgressLine._shown = self
        self._started = monotonic()
        self._line = LiveLine()
        self._guarded(self._line.start)
        if self._line:
            self._task = create_looping_call(lambda: self._guarded(self._redraw))
            self._task.start(_INTERVAL)

    def spider_closed(self) -> None:
        if self._line:
            self._guarded(self._line.stop)
        self._stop()

    def _guarded(self, action: Callable[[], None]) -> None:
        """Call *action*, which uses the terminal; an error only switches the line off."""
        try:
            action()
        except Exception:
            line, self._line = self._line, None
            try:
                if line:
                    line.stop()
            except Exception:  # noqa: S110 - the terminal is gone; the first error is logged below
                pass
            self._stop()
            logger.warning("The progress line is switched off after an error", exc_info=True)

    def _stop(self) -> None:
        self._line = None
        if self._task and self._task.running:
            self._task.stop()
        if ProgressLine._shown is self:
            ProgressLine._shown = None

    def _redraw(self) -> None:
        stats: Mapping[str, Any] = self._crawler.stats.get_stats()
        now = monotonic()
        self._samples.append((now, stats.get("item_scraped_count", 0)))
        while now - self._samples[0][0] > _WINDOW:
            self._samples.popleft()
        queued, active = _request_counts(self._crawler)
        delayed = delayed_in(self._crawler).requests
        rate, delays = _rate(self._samples), site_delays(self._crawler)
        text = progress_text(stats, queued, active, rate, delays, delayed=delayed)
        if self._line:
            self._line.show(f"{clock(now - self._started)} | {text}")


def progress_text(
    stats: Mapping[str, Any],
    queued: int | None,
    active: int,
    rate: float | None,
    delays: Mapping[str, float],
    *,
    delayed: int = 0,
) -> str:
    """Return the text of the line.

    :param queued: number of requests in the scheduler, None if unknown; *delayed* of them have a
        due time (meta key ``not_before``)
    :param active: number of requests in flight
    :param rate: pages per minute
    :param delays: delays of sites in seconds
    """
    tiers = format_counts(counts_under(stats, "tier/page_count/"))
    parts = [f"{stats.get('item_scraped_count', 0):,} pages" + (f" ({tiers})" if tiers else "")]
    if skipped := stats.get("wikicrawler/skipped/count"):
        parts.append(f"{skipped:,} skipped")
    of_them = f" ({delayed:,} for later)" if delayed else ""
    queue = "" if queued is None else f"{queued:,} queued{of_them}, "
    parts.append(f"{queue}{active} active")
    if rate is not None:
        parts.append(f"{rate:,.0f}/min")
    if delays:
        site, delay = max(delays.items(), key=lambda item: item[1])
        parts.append(f"delay {delay:.1f} s ({one_line(site, 40)})")
    return " | ".join(parts)


def _rate(samples: deque[tuple[float, int]]) -> float | None:
    """Return the pages per minute over *samples*; None if they cover too short a time."""
    (first, before), (last, after) = samples[0], samples[-1]
    return (after - before) * 60 / (last - first) if last - first >= _INTERVAL else None


def _request_counts(crawler: Crawler) -> tuple[int | None, int]:
    """Return the number of requests in the scheduler (None if it has no length) and in flight."""
    engine = crawler.engine
    if engine is None:
        return None, 0
    try:
        queued: int | None = len(engine.scheduler)  # type: ignore[arg-type]
    except (TypeError, NotImplementedError):
        queued = None
    return queued, active_requests(crawler)
