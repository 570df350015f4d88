"""Failures for a table: searched by their texts and sorted."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from wikicrawler.sources.alerts.events import Severity
from wikicrawler.sources.overview import errors as failures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikicrawler.sources.overview.errors import ErrorGroup, ErrorRow, Errors, ErrorsAsked
    from wikicrawler.store.database import Database

Sort = Literal["severity", "last", "count"]
EXPORT_COLUMNS = (
    *("at", "kind", "severity", "is_resolved", "source", "site", "engine", "status", "cause"),
    *("error", "url", "retry_count", "sequence", "run"),
)
MAX_TEXT = 2_000
"""Characters of a URL or an error that are searched."""
_RANKS = {Severity.HIGH: 0, Severity.WARNING: 1, Severity.INFO: 2}


def error_table(
    database: Database,
    asked: ErrorsAsked,
    *,
    text: str = "",
    sort: Sort = "severity",
    page: int = 1,
    size: int = 100,
    now: float | None = None,
) -> Errors:
    """Return the failures that *asked* wants, as :func:`wikicrawler.sources.overview.errors.errors`
    does.

    :param text: part of the URL or of the error, upper and lower case alike
    :param sort: ``severity``: the most severe first, and of these the latest; ``last``: the latest
        first; ``count``: groups by their number, rows as ``last``
    :raises StoreError: the database is unavailable
    """
    if not text and sort == "last":
        found = failures.errors(database, asked, page=page, size=size, now=now)
        return replace(found, groups=_sorted_groups(found.groups, sort))
    whole = failures.MAX_FETCHES + failures.MAX_VISITS
    found = failures.errors(database, asked, size=whole, now=now)
    rows, groups = found.rows, found.groups
    if text:
        rows = tuple(row for row in rows if has_text(row, text))
        groups = _narrowed(groups, rows)
    if sort == "severity":
        rows = tuple(sorted(rows, key=lambda row: _RANKS[row.severity]))  # the latest come first
    pages = max(1, -(-len(rows) // size))
    page = min(max(1, page), pages)
    return replace(
        found,
        groups=_sorted_groups(groups, sort),
        rows=rows[(page - 1) * size : page * size],
        page=page,
        pages=pages,
        matching=len(rows),
    )


def exported(
    database: Database, asked: ErrorsAsked, *, text: str = "", now: float | None = None
) -> Iterator[dict[str, Any]]:
    """Yield all failures that *asked* wants, with the names of :data:`EXPORT_COLUMNS`: the failed
    visits, then the fetches, the latest first.

    :raises StoreError: the database is unavailable
    """
    for row in failures.exported(database, asked, now):
        if not text or has_text(row, text):
            found = {name: getattr(row, name) for name in EXPORT_COLUMNS}
            yield found | {"at": row.at.isoformat(), "severity": row.severity.value}


def has_text(row: ErrorRow, text: str) -> bool:
    """Return whether the URL or the error of *row* has *text* in it."""
    wanted = text.casefold()
    return any(wanted in value[:MAX_TEXT].casefold() for value in (row.url, row.error))


def _key(one: ErrorRow | ErrorGroup) -> tuple[object, ...]:
    kind = one.kind if hasattr(one, "kind") else one.example.kind
    return kind, one.cause, one.status, one.site


def _narrowed(groups: Iterable[ErrorGroup], rows: Iterable[ErrorRow]) -> tuple[ErrorGroup, ...]:
    """Return *groups* with *rows* alone, which are in order, the latest first."""
    own: dict[tuple[object, ...], list[ErrorRow]] = {}
    for row in rows:
        own.setdefault(_key(row), []).append(row)
    return tuple(_of(group, own[_key(group)]) for group in groups if _key(group) in own)


def _of(group: ErrorGroup, rows: list[ErrorRow]) -> ErrorGroup:
    sources: dict[str, int] = {}
    for row in rows:
        if row.source is not None:
            sources[row.source] = sources.get(row.source, 0) + 1
    by_number = sorted(sources.items(), key=lambda one: -one[1])
    return replace(
        group,
        count=len(rows),
        unresolved=sum(not row.is_resolved for row in rows),
        retries=sum(row.retry_count for row in rows),
        first=rows[-1].at,
        last=rows[0].at,
        sources=tuple(by_number[: failures.MAX_SOURCES]),
        source_count=len(sources),
        example=rows[0],
    )


def _sorted_groups(groups: Iterable[ErrorGroup], sort: Sort) -> tuple[ErrorGroup, ...]:
    found = sorted(groups, key=attrgetter("last"), reverse=True)
    if sort == "count":
        found.sort(key=lambda one: -one.count)
    elif sort == "severity":  # what is over comes last
        found.sort(key=lambda one: (not one.unresolved, _RANKS[one.severity]))
    return tuple(found)
