"""Sums of the audit log, with pictures."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.routing import Route

from wikicrawler.audit.rows import SUMMARY_COLUMNS, summary_row
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.downloads import download
from wikicrawler.dashboard.filters import Filters
from wikicrawler.dashboard.pictures import LATENCIES, Bin, Series, histogram, timeline
from wikicrawler.dashboard.rendering import render
from wikicrawler.dashboard.screens.audit_filters import engine_names, start_of
from wikicrawler.store.audit_latencies import response_times
from wikicrawler.store.audit_sums import GROUPS, summarise
from wikicrawler.text.spreadsheet import csv_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.store.audit_sums import Summary
    from wikicrawler.store.database import Database

SIZE = 100
"""Groups of a page."""
_GROUPS = {name: name for name in GROUPS}
_SORTS: dict[str, Callable[[Summary], Any]] = {
    "group": lambda one: one.group or "",
    "operations": attrgetter("operations"),
    "failures": attrgetter("failures"),
    "failure_rate": attrgetter("failure_rate"),
    "p50": lambda one: one.p50_ms or 0.0,
    "p95": lambda one: one.p95_ms or 0.0,
    "bytes": attrgetter("bytes"),
    "credits": attrgetter("credits"),
    "changed": attrgetter("changed"),
}
_PERIODS = ("day", "month")


def show(request: Request) -> Response:
    """Show operations, failures, response times and credits by day, month, engine or source."""
    filters = Filters(request)
    asked = _Asked(filters)
    sort = filters.word("sort", {name: name for name in _SORTS}, _first_sort(asked.by))
    descending = filters.word("desc", {"1": True, "0": False}, "sort" not in filters.values)
    page = filters.number("page", 1, 10_000) or 1
    database = dashboard_of(request).database
    groups: list[Summary] = []
    days: Sequence[Summary] = ()
    times: list[tuple[float, int]] = []
    if not filters.faults and database.has_tables():
        groups, days, times = asked.sums(database)
    groups.sort(key=_SORTS[sort], reverse=descending)
    pages = max(1, -(-len(groups) // SIZE))
    page = min(page, pages)
    return render(
        request,
        "audit_summary.html",
        status=400 if filters.faults else 200,
        filters=filters,
        wanted={name: value for name, value in filters.values.items() if name != "page"},
        by=asked.by,
        groups=groups[(page - 1) * SIZE : page * SIZE],
        all_by=list(GROUPS),
        engines=engine_names(database),
        sort=sort,
        descending=descending,
        page=page,
        pages=pages,
        number=len(groups),
        days=_days(days),
        times=_times(times),
    )


def export(request: Request) -> Response:
    """Return the sums as a file."""
    filters = Filters(request)
    asked = _Asked(filters)
    if filters.faults:
        raise HTTPException(400, "\n".join(filters.faults))
    database = dashboard_of(request).database
    groups = asked.sums(database)[0] if database.has_tables() else []
    lines = csv_lines(SUMMARY_COLUMNS, map(summary_row, groups))
    return download(lines, "wikicrawler-audit-summary.csv", "text/csv")


class _Asked:
    """What is to be summed up."""

    def __init__(self, filters: Filters) -> None:
        self.by = filters.word("by", _GROUPS, "day")
        self._first, self._last = filters.days("since", "until")
        self._source = filters.text("source") or None
        self._engine = filters.text("engine") or None

    def sums(
        self, database: Database
    ) -> tuple[list[Summary], list[Summary], list[tuple[float, int]]]:
        """Return the groups, the days, and the response times."""
        first, last = self._first, self._last
        only: dict[str, Any] = {"source": self._source, "engine": self._engine}
        with database.read() as connection:
            groups = summarise(connection, self.by, first, last, **only)
            days = list(groups)
            if self.by not in _PERIODS:
                days = summarise(connection, "day", first, last, **only)
            return groups, days, response_times(connection, first, last, **only)


def _first_sort(by: str) -> str:
    return "group" if by in _PERIODS else "operations"


def _days(days: Sequence[Summary]) -> Any:
    at = [(start_of(one.group), one) for one in days if one.group]
    return timeline(
        [
            Series("operations", [(when, one.operations) for when, one in at]),
            Series("failed", [(when, one.failures) for when, one in at]),
            Series("changed", [(when, one.changed) for when, one in at]),
        ],
        key="days",
        title="Operations, failures and changes in time",
    )


def _times(times: Sequence[tuple[float, int]]) -> Any:
    """Return the histogram of response times in milliseconds with their numbers."""
    counts = [0] * len(LATENCIES)
    for ms, count in times:
        counts[max(bisect_left(LATENCIES, ms / 1000) - 1, 0)] += count
    filled = [at for at, count in enumerate(counts) if count]
    highs: list[float | None] = [*LATENCIES[1:], None]
    bins = [
        Bin(LATENCIES[at], highs[at], counts[at])
        for at in (range(filled[0], filled[-1] + 1) if filled else ())
    ]
    return histogram(bins, key="times", title="Response times")


ROUTES = (
    Route("/audit/summary", show, methods=["GET"]),
    Route("/audit/summary/export", export, methods=["GET"]),
)
