"""A progress line on the terminal."""

from __future__ import annotations

import atexit
import logging
import sys
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from wikicrawler import options
from wikicrawler.console.fitting import Form
from wikicrawler.console.summary import clock, counts_under, format_counts, site_delays
from wikicrawler.frontier.delayed import delayed_in
from wikicrawler.process.command import is_crawl
from wikicrawler.process.internals.downloader_slots import active_requests
from wikicrawler.process.stop_signals import before_forced_end
from wikicrawler.scope import CrawlScope
from wikicrawler.scope.outlook import Precision
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.crawler import Crawler

    from wikicrawler.console.fitting import Part
    from wikicrawler.console.live import LiveLine
    from wikicrawler.scope.outlook import PagesLeft

logger = logging.getLogger(__name__)

_WINDOW = 60.0  # seconds over which the rate is measured
_INTERVAL = 1.0  # seconds


class ProgressLine:
    """Scrapy extension that shows a live line below the log, redrawn every second.

    The line has the elapsed time, the number of records, of how many and the time left if that is
    known (``max_pages``, sitemaps, the list of a wiki), the pages of each tier, skipped pages,
    queued and active requests, pages per minute and the longest delay of a site; what does not fit
    the terminal is left out. It is shown only if stderr is a terminal, for ``scrapy crawl`` (not
    ``shell``, ``fetch``, ``parse`` and ``check``), and unless ``WIKICRAWLER_PROGRESS_ENABLED``
    (default: True) is False. With several crawls in one process, the first one shows its line.
    """

    _shown: ClassVar[ProgressLine | None] = None

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._line: LiveLine | None = None
        self._erase: Callable[[], None] | None = None
        self._task: Any = None
        self._samples: deque[tuple[float, int]] = deque()
        self._started = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        enabled = options.PROGRESS_ENABLED.read(crawler.settings)
        if not enabled or not is_crawl(crawler) or not _can_show():
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        if ProgressLine._shown is not None:
            return
        # Imported here because most crawls run without a terminal, and it takes long.
        from wikicrawler.console.live import LiveLine  # noqa: PLC0415

        ProgressLine._shown = self
        self._started = monotonic()
        self._line = LiveLine()
        self._erase = self._line.stop
        atexit.register(self._erase)  # after a second Ctrl-C the spider is not closed
        before_forced_end.append(self._erase)
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
        if self._erase:
            atexit.unregister(self._erase)
            before_forced_end.remove(self._erase)
            self._erase = None
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
        queued, active = request_counts(self._crawler)
        delayed = delayed_in(self._crawler).requests
        rate, delays = pages_per_minute(self._samples), site_delays(self._crawler)
        scope = self._crawler.get_extension(CrawlScope)
        left = scope.pages_left() if scope is not None else None
        parts = progress_parts(stats, queued, active, rate, delays, delayed=delayed, left=left)
        if self._line:
            self._line.show([(Form(clock(now - self._started), 9),), *parts])


def _can_show() -> bool:
    """Return whether ``sys.stderr`` is a terminal that can redraw a line."""
    if sys.stderr is None or not sys.stderr.isatty():
        return False
    from wikicrawler.console.live import LiveLine  # noqa: PLC0415 - as above

    return LiveLine.is_possible()


def progress_parts(
    stats: Mapping[str, Any],
    queued: int | None,
    active: int,
    rate: float | None,
    delays: Mapping[str, float],
    *,
    delayed: int = 0,
    left: PagesLeft | None = None,
) -> list[Part]:
    """Return the parts of the line, without the clock, which has the rank 9.

    :param queued: number of requests in the scheduler, None if unknown; *delayed* of them have a
        due time (meta key ``not_before``)
    :param active: number of requests in flight
    :param rate: pages per minute
    :param delays: delays of sites in seconds
    :param left: number of pages that have no record yet
    """
    written = stats.get("item_scraped_count", 0)
    pages = f"{written:,} {_of(written, left)}pages"
    tiers = format_counts(counts_under(stats, "tier/page_count/"))
    parts: list[Part] = [_either(f"{pages} ({tiers})" if tiers else "", 1, pages, 10)]
    if left and rate and left.precision is not Precision.AT_MOST:
        more = "+" if left.precision is Precision.AT_LEAST else ""
        parts.append((Form(f"{clock(left.pages * 60 / rate)}{more} left", 8),))
    if skipped := stats.get("wikicrawler/skipped/count"):
        parts.append((Form(f"{skipped:,} skipped", 7),))
    parts.append(_queue(queued, active, delayed))
    if rate is not None:
        parts.append((Form(f"{rate:,.0f}/min", 6),))
    if delays:
        site, delay = max(delays.items(), key=lambda item: item[1])
        text = f"delay {delay:.1f} s"
        parts.append(_either(f"{text} ({one_line(site)})", 0, text, 3))
    return parts


def _of(written: int, left: PagesLeft | None) -> str:
    if left is None:
        return ""
    total = f"{written + left.pages:,}"
    return {
        Precision.EXACT: f"of {total} ",
        Precision.ABOUT: f"of about {total} ",
        Precision.AT_LEAST: f"of {total}+ ",
        Precision.AT_MOST: f"of up to {total} ",
    }[left.precision]


def _queue(queued: int | None, active: int, delayed: int) -> Part:
    if queued is None:
        return (Form(f"{active} active", 4),)
    text = f"{queued:,} queued"
    later = f"{text} ({delayed:,} for later), {active} active" if delayed else ""
    return (*_either(later, 2, f"{text}, {active} active", 4), Form(text, 5))


def _either(long: str, rank: int, short: str, rank_of_short: int) -> Part:
    """Return a part of two forms, or of one where *long* is empty."""
    return (*((Form(long, rank),) if long else ()), Form(short, rank_of_short))


def pages_per_minute(samples: deque[tuple[float, int]]) -> float | None:
    """Return the pages per minute over *samples*; None if they cover too short a time."""
    (first, before), (last, after) = samples[0], samples[-1]
    return (after - before) * 60 / (last - first) if last - first >= _INTERVAL else None


def request_counts(crawler: Crawler) -> tuple[int | None, int]:
    """Return the number of requests in the scheduler (None if it has no length) and in flight."""
    engine = crawler.engine
    if engine is None:
        return None, 0
    try:
        queued: int | None = len(engine.scheduler)  # type: ignore[arg-type]
    except (TypeError, NotImplementedError):
        queued = None
    return queued, active_requests(crawler)
