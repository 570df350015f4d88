"""Failures of a period: searched, sorted, and grouped by their cause."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from wikicrawler.sources.alerts.events import Severity
from wikicrawler.sources.overview.error_rows import newest, period
from wikicrawler.store.audit_chain import with_responses
from wikicrawler.store.audit_days import LogDay, log_days

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from wikicrawler.sources.overview.error_rows import ErrorRow, ErrorsAsked
    from wikicrawler.store.database import Database

Sort = Literal["unresolved", "severity", "last", "count"]
MAX_SOURCES = 20
"""Sources that a group names."""
_RANKS = {Severity.HIGH: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Failures with the same cause, status and site."""

    cause: str
    status: int | None
    site: str
    severity: Severity
    count: int
    unresolved: int
    retries: int
    first: datetime
    last: datetime
    sources: tuple[tuple[str, int], ...]
    """At most :data:`MAX_SOURCES` sources with their numbers, the most first."""
    source_count: int
    example: ErrorRow
    """The last one."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The failures of a period."""

    groups: tuple[ErrorGroup, ...]
    rows: tuple[ErrorRow, ...]
    """A page of the failures."""
    responses: frozenset[int]
    """Sequences of :attr:`rows` whose responses are kept in the audit log."""
    page: int
    pages: int
    matching: int
    days: tuple[LogDay, ...]
    """Operations and failures by day, by source and engine alone: other filters do not count."""
    first: date
    last: date
    is_cut: bool
    """Whether there are earlier failures in the period beside those that were looked at."""


def errors(
    database: Database,
    asked: ErrorsAsked,
    *,
    sort: Sort = "unresolved",
    page: int = 1,
    size: int = 100,
    now: float | None = None,
) -> Errors:
    """Return the failures that *asked* wants.

    :param sort: ``severity``: the most severe first, and of these the latest. The other orders put
        the latest failures first, and the groups by their last failure (``last``), by their number
        (``count``), or those with the most unresolved failures first
    :param now: seconds since the epoch; None: the time
    :raises StoreError: the database is unavailable
    """
    first, last = period(asked, now)
    if not database.has_tables():
        return Errors((), (), frozenset(), 1, 1, 0, (), first, last, False)
    with database.read() as connection:
        found, is_cut = newest(connection, asked, first, last)
        groups = _sorted_groups(_grouped(found), sort)
        if sort == "severity":
            found.sort(key=lambda row: _RANKS[row.severity])  # the latest come first
        pages = max(1, -(-len(found) // size))
        page = min(max(1, page), pages)
        rows = found[(page - 1) * size : page * size]
        kept = with_responses(
            connection, [(row.run, row.number) for row in rows if row.number is not None]
        )
        days = log_days(connection, first, last, source=asked.source, engine=asked.engine)
    responses = frozenset(
        row.sequence
        for row in rows
        if row.sequence is not None and row.number is not None and (row.run, row.number) in kept
    )
    return Errors(
        groups=groups,
        rows=tuple(rows),
        responses=responses,
        page=page,
        pages=pages,
        matching=len(found),
        days=tuple(days),
        first=first,
        last=last,
        is_cut=is_cut,
    )


def _grouped(rows: Iterable[ErrorRow]) -> list[ErrorGroup]:
    """Return the groups of *rows*, which are in order, the latest first."""
    groups: dict[tuple[object, ...], list[ErrorRow]] = {}
    for row in rows:
        groups.setdefault((row.kind, row.cause, row.status, row.site), []).append(row)
    return [_group(some) for some in groups.values()]


def _sorted_groups(groups: list[ErrorGroup], sort: Sort) -> tuple[ErrorGroup, ...]:
    if sort == "unresolved":
        return tuple(sorted(groups, key=lambda one: (-one.unresolved, -one.count, one.cause)))
    found = sorted(groups, key=attrgetter("last"), reverse=True)
    if sort == "count":
        found.sort(key=lambda one: -one.count)
    elif sort == "severity":  # what is over comes last
        found.sort(key=lambda one: (not one.unresolved, _RANKS[one.severity]))
    return tuple(found)


def _group(rows: Sequence[ErrorRow]) -> ErrorGroup:
    last = rows[0]
    sources = Counter(row.source for row in rows if row.source is not None)
    return ErrorGroup(
        cause=last.cause,
        status=last.status,
        site=last.site,
        severity=last.severity,
        count=len(rows),
        unresolved=sum(not row.is_resolved for row in rows),
        retries=sum(row.retry_count for row in rows),
        first=rows[-1].at,
        last=last.at,
        sources=tuple(sources.most_common(MAX_SOURCES)),
        source_count=len(sources),
        example=last,
    )
