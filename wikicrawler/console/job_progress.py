"""How far a crawl is, as data."""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any

from wikicrawler.console.progress import pages_per_minute, request_counts
from wikicrawler.console.summary import counts_under, site_delays
from wikicrawler.errors import Reason
from wikicrawler.frontier.delayed import delayed_in
from wikicrawler.politeness.throttle import DomainThrottle
from wikicrawler.scope import CrawlScope

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MAX_SITES = 50
"""Number of sites whose delays are reported, the longest ones."""
_WINDOW = 60.0  # seconds over which the rate is measured
_REASONS = frozenset(Reason)


class JobProgress:
    """Measures the progress of *crawler*, in its event loop."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._started = monotonic()
        self._samples: deque[tuple[float, int]] = deque()

    def figures(self) -> dict[str, Any]:
        """Return how far the crawl is; ``docs/jobs.md`` lists the keys."""
        stats = self._crawler.stats.get_stats()
        items, now = stats.get("item_scraped_count", 0), monotonic()
        self._samples.append((now, items))
        while now - self._samples[0][0] > _WINDOW:
            self._samples.popleft()
        queued, active = request_counts(self._crawler)
        scope = self._crawler.get_extension(CrawlScope)
        left = scope.pages_left() if scope is not None else None
        rate = pages_per_minute(self._samples)
        skipped = dict(counts_under(stats, "wikicrawler/skipped/"))
        return {
            "seconds": round(now - self._started, 1),
            "items": items,
            "pages_left": left.pages if left else None,
            "pages_left_precision": left.precision.name.lower() if left else None,
            "pages_by_tier": dict(counts_under(stats, "tier/page_count/")),
            "skipped": {reason: n for reason, n in skipped.items() if reason in _REASONS},
            "requests": stats.get("downloader/request_count", 0),
            "received_bytes": stats.get("downloader/response_bytes", 0),
            "queued": queued,
            "delayed": delayed_in(self._crawler).requests,
            "active": active,
            "pages_per_minute": round(rate, 1) if rate is not None else None,
            "delays": _longest(site_delays(self._crawler)),
            "pauses": _longest(self._pauses()),
            "sources_visited": stats.get("sources/visit_count"),
            "documents": dict(counts_under(stats, "sources/document_count/")),
            "warnings": stats.get("log_count/WARNING", 0),
            "errors": stats.get("log_count/ERROR", 0),
        }

    def _pauses(self) -> dict[str, float]:
        throttle = self._crawler.get_extension(DomainThrottle)
        return throttle.pauses() if throttle is not None else {}


def _longest(seconds: Any) -> dict[str, float]:
    """Return the longest of the times of sites, in seconds, longest first."""
    longest = sorted(seconds.items(), key=lambda item: (-item[1], item[0]))[:MAX_SITES]
    return {site[:200]: round(value, 2) for site, value in longest}
