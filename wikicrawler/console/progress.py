"""Shows a person at a terminal how the crawl goes."""

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
from wikicrawler.console.summary import clock, counts, site_delays, under
from wikicrawler.frontier.delayed import delayed_in
from wikicrawler.process.command import is_crawl
from wikicrawler.process.internals.downloader_slots import active_requests
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_WINDOW = 60.0  # seconds over which the rate is measured
_INTERVAL = 1.0


class Progress:
    """Scrapy extension: one live line below the log, redrawn each second.

    It shows the records written, by tier where several are at work, what waits, the pages of the
    last minute, the longest delay between two requests to a site, and the time. Only where stderr
    is a terminal, for a crawl (not under ``scrapy shell``, ``fetch``, ``parse`` and ``check``), and
    unless ``WIKICRAWLER_PROGRESS_ENABLED`` (default: True) is False. Of several crawls in one
    process the first has the line.
    """

    _shown: ClassVar[Progress | None] = None

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
        if Progress._shown is not None:
            return
        Progress._shown = self
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
        """Do something with the terminal; what goes wrong there ends the display alone."""
        try:
            action()
        except Exception:
            line, self._line = self._line, None
            try:
                if line:
                    line.stop()
            except Exception:  # noqa: S110 - the terminal is gone, the first error is logged
                pass
            self._stop()
            logger.warning("The progress line is switched off: it failed", exc_info=True)

    def _stop(self) -> None:
        self._line = None
        if self._task and self._task.running:
            self._task.stop()
        if Progress._shown is self:
            Progress._shown = None

    def _redraw(self) -> None:
        stats: Mapping[str, Any] = self._crawler.stats.get_stats()
        now = monotonic()
        self._samples.append((now, stats.get("item_scraped_count", 0)))
        while now - self._samples[0][0] > _WINDOW:
            self._samples.popleft()
        waiting, active = _queue(self._crawler)
        later = delayed_in(self._crawler).requests
        rate, delays = _rate(self._samples), site_delays(self._crawler)
        text = progress_text(stats, waiting, active, rate, delays, later=later)
        if self._line:
            self._line.show(f"{clock(now - self._started)} | {text}")


def progress_text(
    stats: Mapping[str, Any],
    waiting: int | None,
    active: int,
    rate: float | None,
    delays: Mapping[str, float],
    *,
    later: int = 0,
) -> str:
    """The line: *waiting* and *active* requests, *rate* in pages a minute, *delays* in seconds by
    site; *later* of the requests wait for a moment of their own."""
    tiers = counts(under(stats, "tier/page_count/"))
    parts = [f"{stats.get('item_scraped_count', 0):,} pages" + (f" ({tiers})" if tiers else "")]
    if skipped := stats.get("wikicrawler/skipped/count"):
        parts.append(f"{skipped:,} skipped")
    held = f" ({later:,} for later)" if later else ""
    queued = "" if waiting is None else f"{waiting:,} queued{held}, "
    parts.append(f"{queued}{active} active")
    if rate is not None:
        parts.append(f"{rate:,.0f}/min")
    if delays:
        site, delay = max(delays.items(), key=lambda item: item[1])
        parts.append(f"delay {delay:.1f} s ({one_line(site, 40)})")
    return " | ".join(parts)


def _rate(samples: deque[tuple[float, int]]) -> float | None:
    """Pages a minute over the samples; None before there is a span to measure over."""
    (first, before), (last, after) = samples[0], samples[-1]
    return (after - before) * 60 / (last - first) if last - first >= _INTERVAL else None


def _queue(crawler: Crawler) -> tuple[int | None, int]:
    """Requests that wait in the scheduler (None where it cannot count them), and in flight."""
    engine = crawler.engine
    if engine is None:
        return None, 0
    try:
        waiting: int | None = len(engine.scheduler)  # type: ignore[arg-type]
    except (TypeError, NotImplementedError):
        waiting = None
    return waiting, active_requests(crawler)
