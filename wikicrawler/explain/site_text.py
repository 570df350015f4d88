"""The history of a site as text."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING

from wikicrawler.explain.columns import budget_text, entry, heading, paragraph, table, time_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from wikicrawler.explain.site import SiteHistory, Totals

_MAX_DAYS = 31
"""Maximum number of days to list; a longer history is shown by week."""
_MAX_HOSTS = 20


def site_lines(history: SiteHistory) -> Iterator[str]:
    """Yield the lines of a site's history: attempts, days, changes and pauses."""
    yield heading(history.site)
    whole = "the registered domain, with all its hosts"
    yield from entry("scope", whole if history.is_registered_domain else "this host alone")
    yield from entry("attempts", _totals(history.totals) if history.totals else "none")
    for budget in history.budgets:
        yield from entry("site", budget_text(budget))
    if history.reasons:
        yield ""
        heads = ("tier", "reason", "attempts", "first (UTC)", "last (UTC)")
        rows = [
            (
                x.tier,
                x.reason,
                f"{x.totals.attempts:,}",
                time_text(x.totals.first),
                time_text(x.totals.last),
            )
            for x in history.reasons
        ]
        yield from table(heads, rows, left={0, 1})
        yield ""
        yield from _day_lines(history)
    yield ""
    yield from _change_lines(history)
    if len(history.hosts) > 1:
        yield ""
        yield from _host_lines(history)


def _day_lines(history: SiteHistory) -> Iterator[str]:
    by_week = len({one.day for one in history.days}) > _MAX_DAYS
    sums: defaultdict[datetime, defaultdict[str, list[int]]] = defaultdict(
        lambda: defaultdict(lambda: [0, 0, 0])
    )
    for one in history.days:
        first = one.day - timedelta(days=one.day.weekday()) if by_week else one.day
        cell = sums[first][one.tier]
        for place, number in enumerate((one.totals.ok, one.totals.failed, one.totals.banned)):
            cell[place] += number
    tiers = sorted({one.tier for one in history.days})
    rows = [
        (f"{first:%Y-%m-%d}", *(_ended(cells[tier]) for tier in tiers))
        for first, cells in sums.items()
    ]
    yield from table(("week of" if by_week else "day", *tiers), rows)
    yield from paragraph("ok/failed/banned; days begin at midnight UTC.")


def _ended(numbers: list[int]) -> str:
    return "/".join(map(str, numbers)) if any(numbers) else "-"


def _change_lines(history: SiteHistory) -> Iterator[str]:
    if not history.changes:
        yield from entry("changes", "none detected")
        return
    rows = [
        (
            time_text(one.at),
            one.tier,
            "better" if one.better else "worse",
            f"{one.kept:.3f}",
            one.domain,
        )
        for one in history.changes
    ]
    heads = ("changes (UTC)", "tier", "works", "weight kept", "domain")
    yield from table(heads, rows, left={0, 1, 2, 4})


def _host_lines(history: SiteHistory) -> Iterator[str]:
    rows = [
        (
            *map(str, (x.totals.attempts, x.totals.ok, x.totals.failed, x.totals.banned)),
            time_text(x.totals.last),
            x.host,
        )
        for x in history.hosts[:_MAX_HOSTS]
    ]
    yield from table(("attempts", "ok", "failed", "banned", "last (UTC)", "host"), rows, left={5})
    if len(history.hosts) > _MAX_HOSTS:
        yield from paragraph(f"and {len(history.hosts) - _MAX_HOSTS:,} more hosts")


def _totals(totals: Totals) -> str:
    return (
        f"{totals.attempts:,}: {totals.ok:,} ok, {totals.failed:,} failed, {totals.banned:,} "
        f"banned, from {time_text(totals.first)} to {time_text(totals.last)}"
    )
