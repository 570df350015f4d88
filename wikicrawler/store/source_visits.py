"""The visits to watched sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, insert, select, update

from wikicrawler.store.tables import source_visits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

COUNTS = ("found", "fetched", "new", "modified", "unchanged", "deleted", "failed")


class VisitRow(NamedTuple):
    """A visit. The columns of ``source_visits`` describe the fields."""

    run: str
    source: str
    manifest_version: str
    started: float
    ended: float | None
    forced: bool
    ok: bool | None
    error: str | None
    found: int
    fetched: int
    new: int
    modified: int
    unchanged: int
    deleted: int
    failed: int


def begin_visit(
    connection: Connection,
    run: str,
    source: str,
    *,
    manifest_version: str,
    started: float,
    forced: bool,
) -> None:
    """Store that a visit began."""
    connection.execute(
        insert(source_visits).values(
            run=run,
            source=source,
            manifest_version=manifest_version,
            started=started,
            forced=forced,
            **dict.fromkeys(COUNTS, 0),
        )
    )


def end_visit(
    connection: Connection,
    run: str,
    source: str,
    *,
    ended: float,
    error: str | None,
    counts: Mapping[str, int],
) -> None:
    """Store how a visit ended."""
    where = (source_visits.c.run == run) & (source_visits.c.source == source)
    values = {name: counts[name] for name in COUNTS}
    statement = update(source_visits).where(where)
    connection.execute(statement.values(ended=ended, ok=error is None, error=error, **values))


def last_end(connection: Connection, source: str) -> float | None:
    """Return when the last visit to *source* ended that was not killed; None if none did."""
    query = select(func.max(source_visits.c.ended)).where(source_visits.c.source == source)
    ended: float | None = connection.scalar(query)
    return ended


def visits_of(connection: Connection, source: str, limit: int = 100) -> list[VisitRow]:
    """Return the last visits to *source*, the latest first."""
    query = select(*(source_visits.c[name] for name in VisitRow._fields))
    query = query.where(source_visits.c.source == source)
    rows = connection.execute(query.order_by(source_visits.c.started.desc()).limit(limit))
    return [VisitRow(*row) for row in rows]


def last_visit(connection: Connection, source: str) -> VisitRow | None:
    """Return the last visit to *source* that ended; None if none did."""
    return next((visit for visit in visits_of(connection, source) if visit.ended is not None), None)
