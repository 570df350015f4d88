"""The visits to watched sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Integer, cast, func, insert, select, tuple_, update

from wikicrawler.store.slices import asked_text
from wikicrawler.store.tables import source_visits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

_DAY = 86_400
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


class VisitDay(NamedTuple):
    """The visits to a source that started on one day."""

    day: int
    """Days since 1970, in UTC."""
    visits: int
    failed: int
    """Those that ended with an error."""
    changes: int
    """New, modified and deleted documents."""


def visits_before(
    connection: Connection, source: str, before: tuple[float, str] | None, limit: int
) -> list[VisitRow]:
    """Return visits to *source*, the latest first.

    :param before: start and run of a visit; those that follow it in this order. None: the latest
    """
    visit = source_visits.c
    query = select(*(visit[name] for name in VisitRow._fields)).where(
        visit.source == asked_text(source)
    )
    if before is not None:
        started, run = before[0], asked_text(before[1])
        is_earlier = (visit.started < started) | (visit.run < run)
        query = query.where(visit.started <= started, is_earlier)
    query = query.order_by(visit.started.desc(), visit.run.desc()).limit(limit)
    return [VisitRow(*row) for row in connection.execute(query).all()]


def visit_days(connection: Connection, source: str, since: float) -> list[VisitDay]:
    """Return the days on which visits to *source* started at *since* (seconds since the epoch) or
    later, in order."""
    visit = source_visits.c
    day = cast(func.floor(visit.started / _DAY), Integer).label("day")
    query = select(
        day,
        func.count(),
        func.count().filter(visit.ok.is_(False)),
        func.sum(visit.new + visit.modified + visit.deleted),
    ).where(visit.source == asked_text(source), visit.started >= since)
    rows = connection.execute(query.group_by(day).order_by(day)).all()
    return [VisitDay(*row) for row in rows]


def failed_visits(
    connection: Connection,
    *,
    since: float,
    until: float,
    source: str | None = None,
    before: VisitRow | None = None,
    limit: int,
) -> list[VisitRow]:
    """Return failed visits that started from *since* to *until* (seconds since the epoch), the
    latest first.

    :param before: only those that follow this one in this order
    """
    visit = source_visits.c
    order = (visit.started, visit.run, visit.source)
    query = select(*(visit[name] for name in VisitRow._fields)).where(
        visit.ok.is_(False), visit.started >= since, visit.started < until
    )
    if source is not None:
        query = query.where(visit.source == asked_text(source))
    if before is not None:
        last = (before.started, before.run, before.source)
        query = query.where(visit.started <= before.started, tuple_(*order) < tuple_(*last))
    query = query.order_by(*(column.desc() for column in order)).limit(limit)
    return [VisitRow(*row) for row in connection.execute(query).all()]
