"""Sums of the audit log, with pictures."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
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
from wikicrawler.store.audit_summaries import (
    GROUPS,
    Question,
    add_times,
    response_times,
    summarise,
    sums_of,
)
from wikicrawler.text.spreadsheet import csv_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.store.audit_summaries import Summary
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
_BY_TIMES = frozenset({"p50", "p95"})


def show(request: Request) -> Response:
    """Show operations, failures, response times and credits by day, month, engine or source."""
    filters = Filters(request)
    asked = _asked(filters)
    sort = filters.word("sort", {name: name for name in _SORTS}, _first_sort(asked.by))
    descending = filters.word("desc", {"1": True, "0": False}, "sort" not in filters.values)
    page = filters.number("page", 1, 10_000) or 1
    database = dashboard_of(request).database
    found = _Found()
    if not filters.faults and database.has_tables():
        found = _read(database, asked, sort, descending=descending, page=page)
    return render(
        request,
        "audit_summary.html",
        status=400 if filters.faults else 200,
        filters=filters,
        wanted={name: value for name, value in filters.values.items() if name != "page"},
        by=asked.by,
        groups=found.groups,
        all_by=list(GROUPS),
        engines=engine_names(database),
        sort=sort,
        descending=descending,
        page=found.page,
        pages=found.pages,
        number=found.number,
        days=_days(found.days),
        times=_times(found.times),
    )


def export(request: Request) -> Response:
    """Return the sums as a file."""
    filters = Filters(request)
    asked = _asked(filters)
    if filters.faults:
        raise HTTPException(400, "\n".join(filters.faults))
    database = dashboard_of(request).database
    groups: list[Summary] = []
    if database.has_tables():
        with database.read() as connection:
            groups = summarise(connection, asked)
    lines = csv_lines(SUMMARY_COLUMNS, map(summary_row, groups))
    return download(lines, "wikicrawler-audit-summary.csv", "text/csv")


@dataclass(frozen=True, slots=True)
class _Found:
    """What a page shows."""

    groups: Sequence[Summary] = ()
    page: int = 1
    pages: int = 1
    number: int = 0
    """Of all groups."""
    days: Sequence[Summary] = ()
    times: Sequence[tuple[float, int]] = ()


def _asked(filters: Filters) -> Question:
    first, last = filters.days("since", "until")
    return Question(
        filters.word("by", _GROUPS, "day"),
        first,
        last,
        filters.text("source") or None,
        filters.text("engine") or None,
    )


def _read(database: Database, asked: Question, sort: str, *, descending: bool, page: int) -> _Found:
    with database.read() as connection:
        groups = sums_of(connection, asked)
        days = groups
        if asked.by not in _PERIODS:
            days = sums_of(connection, replace(asked, by="day"))
        times = response_times(connection, asked)
        if sort in _BY_TIMES:
            add_times(connection, asked, groups)
        groups = sorted(groups, key=_SORTS[sort], reverse=descending)
        pages = max(1, -(-len(groups) // SIZE))
        page = min(page, pages)
        shown = groups[(page - 1) * SIZE : page * SIZE]
        if sort not in _BY_TIMES:  # those of thousands of sources take seconds
            add_times(connection, asked, shown)
    return _Found(shown, page, pages, len(groups), days, times)


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
