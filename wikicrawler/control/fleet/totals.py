"""The stats of a crawl over all of its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.control.fleet.worker_report import MAX_STATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikicrawler.control.fleet.snapshot import Worker

_ADDED = (
    *("item_scraped_count", "item_dropped_count", "downloader/request_count"),
    *("downloader/response_bytes", "downloader/exception_count", "log_count/ERROR"),
    *("log_count/WARNING", "tls/refused_count", "store/lost_count", "wikicrawler/skipped/count"),
)
_LARGEST = ("wikicrawler/seeds/refused", "wikicrawler/wikis_discovered")
"""What each worker finds for itself: of several the largest counts."""
_FAMILIES = (
    *("tier/page_count/", "tier/fallback/", "tier/not_tried/", "wikicrawler/skipped/"),
    *("wikicrawler/left_out/", "item_dropped_reasons_count/"),
)

_LONGEST_NAME = 120
"""Characters of a stat that is reported."""


def reported_stats(stats: Mapping[str, Any]) -> dict[str, int]:
    """Return those of a worker's *stats* that :func:`total_stats` adds, the plain ones first."""
    plain = {name: stats[name] for name in (*_ADDED, *_LARGEST) if name in stats}
    families = {
        name: count
        for name, count in stats.items()
        if name.startswith(_FAMILIES) and len(name) <= _LONGEST_NAME and name not in plain
    }
    found = [*plain.items(), *sorted(families.items(), key=lambda item: (-item[1], item[0]))]
    return dict(found[:MAX_STATS])


def total_stats(workers: Iterable[Worker]) -> dict[str, Any]:
    """Return the stats of all *workers* together, those that are gone included: what they said
    last."""
    total: dict[str, Any] = {}
    for worker in workers:
        for name, count in worker.report.stats.items():
            if name in _LARGEST:
                total[name] = max(total.get(name, 0), count)
            elif name in _ADDED or name.startswith(_FAMILIES):
                total[name] = total.get(name, 0) + count
    return total
