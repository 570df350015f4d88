"""The attempts at a site as pictures."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from wikicrawler.dashboard.pictures import (
    Bin,
    Series,
    histogram,
    share_bar,
    shares_over_time,
    timeline,
)
from wikicrawler.explain.sites import DAYS, LATENCY_LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from markupsafe import Markup

    from wikicrawler.explain.sites import DayTier, Histogram, SiteLine, SiteView


def tier_bar(line: SiteLine, key: str) -> Markup:
    """Return the shares of the tiers in the attempts at a site."""
    amounts = {one.tier: one.attempts for one in line.tiers}
    title = f"Tiers of {line.site} in the last {DAYS} days"
    return share_bar(amounts, key=key, title=title, unit="attempts", table=False)


def tiers_in_time(view: SiteView) -> Markup:
    """Return the shares of the tiers on each day since the first attempt."""
    rows = [
        (_midnight(day), {one.tier: one.attempts for one in found}) for day, found in _days(view)
    ]
    return shares_over_time(rows, key="tiers-in-time", title="Tiers by day", unit="attempts")


def results_in_time(view: SiteView) -> Markup:
    """Return how many attempts brought a page, failed or were banned on each day."""
    brought, failed, banned = [], [], []
    for day, found in _days(view):
        at = _midnight(day)
        ok, bans = sum(one.ok for one in found), sum(one.banned for one in found)
        brought.append((at, float(ok)))
        banned.append((at, float(bans)))
        failed.append((at, float(sum(one.attempts for one in found) - ok - bans)))
    series = [Series("pages", brought), Series("failed", failed), Series("blocked", banned)]
    shown = [one for one in series if any(number for _, number in one.points)]
    return timeline(shown, key="results-in-time", title="Attempts by day")


def latency_pictures(view: SiteView) -> list[tuple[str, Markup]]:
    """Return the tiers, each with a histogram of its latencies."""
    return [
        (one.tier, histogram(_bins(one), key=f"latency-{number}", title=f"Latency of {one.tier}"))
        for number, one in enumerate(view.latencies, 1)
    ]


def _bins(one: Histogram) -> list[Bin]:
    """Return the classes of a histogram, without those that are empty at both ends."""
    lows, highs = (0.0, *LATENCY_LIMITS), (*LATENCY_LIMITS, None)
    bins = [Bin(*edges) for edges in zip(lows, highs, one.counts, strict=True)]
    filled = [number for number, found in enumerate(bins) if found.total]
    return bins[filled[0] : filled[-1] + 1] if filled else []


def _days(view: SiteView) -> Iterator[tuple[date, list[DayTier]]]:
    """Yield all days from the first one with an attempt on."""
    found: dict[date, list[DayTier]] = {}
    for one in view.days:
        found.setdefault(one.day, []).append(one)
    day = min(found, default=view.last)
    while found and day <= view.last:
        yield day, found.get(day, [])
        day += timedelta(days=1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
