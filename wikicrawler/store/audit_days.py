"""Sums of the audit log of each day, by engine or source."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import ColumnElement, func, select

from wikicrawler.store.audit_sums import ALL_SOURCES, source_key
from wikicrawler.store.audit_tables import audit_sums
from wikicrawler.store.slices import asked_text

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy import Connection


class LogDay(NamedTuple):
    """The operations of a day."""

    day: str
    """Like 2026-02-13, in UTC."""
    operations: int
    failures: int
    credits: float


class Spent(NamedTuple):
    """What an engine or a source used in a period."""

    name: str
    operations: int
    credits: float


def log_days(
    connection: Connection,
    first: date,
    last: date,
    *,
    source: str | None = None,
    engine: str | None = None,
) -> list[LogDay]:
    """Return the days from *first* to *last* that have records, in order."""
    own = audit_sums.c
    conditions = [_of(source), own.period.between(first.isoformat(), last.isoformat())]
    conditions.append(func.length(own.period) == len("2026-02-13"))
    if engine is not None:
        conditions.append(own.engine == asked_text(engine))
    query = select(
        own.period, func.sum(own.operations), func.sum(own.failures), func.sum(own.credits)
    ).where(*conditions)
    rows = connection.execute(query.group_by(own.period).order_by(own.period)).all()
    return [LogDay(day, int(a), int(b), float(c)) for day, a, b, c in rows]


def spent_by_engine(connection: Connection, month: str) -> list[Spent]:
    """Return the engines that were used in *month*, like ``2026-08``, by name."""
    own = audit_sums.c
    query = select(own.engine, func.sum(own.operations), func.sum(own.credits)).where(
        own.period == month, own.source == ALL_SOURCES
    )
    rows = connection.execute(query.group_by(own.engine).order_by(own.engine)).all()
    return [Spent(name, int(number), float(used)) for name, number, used in rows]


def spent_by_source(connection: Connection, month: str, limit: int) -> list[Spent]:
    """Return the sources that used credits in *month*, the most first; the empty name stands for
    what no source asked for."""
    own = audit_sums.c
    used = func.sum(own.credits)
    query = select(own.source, func.sum(own.operations), used).where(
        own.period == month, own.source != ALL_SOURCES, own.credits > 0
    )
    query = query.group_by(own.source).order_by(used.desc(), own.source).limit(limit)
    rows = connection.execute(query).all()
    return [Spent(name[1:], int(number), float(credit)) for name, number, credit in rows]


def credits_of_days(connection: Connection, month: str) -> list[tuple[str, str, float]]:
    """Return day, engine and credits of the days of *month* on which credits were used."""
    own = audit_sums.c
    query = select(own.period, own.engine, func.sum(own.credits)).where(
        own.source == ALL_SOURCES,
        own.period.between(f"{month}-01", f"{month}-31"),
        own.credits > 0,
    )
    query = query.group_by(own.period, own.engine).order_by(own.period, own.engine)
    return [(day, engine, float(used)) for day, engine, used in connection.execute(query).all()]


def _of(source: str | None) -> ColumnElement[bool]:
    return audit_sums.c.source == (
        ALL_SOURCES if source is None else source_key(asked_text(source))
    )
