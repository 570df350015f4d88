"""Sums of the audit log, by day and by month.

Each record is added to four cells: those of its day and of its month, each for its source and for
all sources together. A question about a period reads the months that are in it and the days at its
ends, so its cost does not depend on the number of records.

Response times are counted in buckets whose limits grow by 10 %: a percentile is within 5 % of the
exact one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import ceil, log
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, or_, select

from wikicrawler.store.audit_tables import audit_sums, audit_times
from wikicrawler.store.chain_text import clean
from wikicrawler.store.rows import insert_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import ColumnElement, Connection, Table

ALL_SOURCES = "*"
_GROWTH = 1.1
_LOG_GROWTH = log(_GROWTH)
NUMBERS = ("operations", "failures", "bytes", "credits", "observed", "changed")
_KEY = ("period", "source", "engine")


class Cell(NamedTuple):
    """The key of a row of the sums."""

    period: str
    source: str
    engine: str


@dataclass
class Sums:
    """Sums of some records."""

    numbers: dict[Cell, list[float]] = field(default_factory=dict)
    times: Counter[tuple[Cell, int]] = field(default_factory=Counter)

    def add(self, fields: Mapping[str, Any]) -> None:
        """Add a record. Only operations and outcomes count."""
        kind = fields["kind"]
        if kind == "request":
            added = [
                1,
                1 if fields["failed"] else 0,
                fields["bytes"] or 0,
                fields["credits_consumed"] or 0,
                0,
                0,
            ]
        elif kind == "outcome":
            changed = fields["content_changed"]
            spent = fields["credits_consumed"] or 0
            added = [0, 0, 0, spent, 0 if changed is None else 1, 1 if changed else 0]
        else:
            return
        # As the text of the record has them, from which the sums are verified.
        day, engine = fields["timestamp"][:10], clean(fields["engine"] or "")
        source = source_key(clean(fields["manifest_id"]))
        bucket = bucket_of(fields["response_time_ms"]) if kind == "request" else None
        for period in (day, day[:7]):
            for one in (source, ALL_SOURCES):
                cell = Cell(period, one, engine)
                sums = self.numbers.get(cell)
                if sums is None:
                    self.numbers[cell] = list(added)
                else:
                    for index, number in enumerate(added):
                        sums[index] += number
                if bucket is not None:
                    self.times[cell, bucket] += 1


def source_key(source: str | None) -> str:
    """Return the column ``source`` for a manifest id, never :data:`ALL_SOURCES`."""
    return f"={source or ''}"


def bucket_of(ms: int) -> int:
    """Return the bucket of a response time."""
    return ceil(log(ms) / _LOG_GROWTH) if ms > 1 else 0


def middle_of(bucket: int) -> float:
    """Return the response time, in milliseconds, that stands for *bucket*."""
    return 2 * _GROWTH**bucket / (_GROWTH + 1) if bucket else 1.0


def add_sums(connection: Connection, sums: Sums) -> None:
    """Add *sums* to those in the database."""
    rows = [(*cell, *numbers) for cell, numbers in sorted(sums.numbers.items())]
    insert_rows(connection, audit_sums, rows, _added(audit_sums, _KEY, NUMBERS))
    counts = [(*cell, bucket, count) for (cell, bucket), count in sorted(sums.times.items())]
    insert_rows(connection, audit_times, counts, _added(audit_times, (*_KEY, "bucket"), ("count",)))


def _added(table: Table, key: Iterable[str], columns: Iterable[str]) -> str:
    changes = ", ".join(f"{name} = {table.name}.{name} + excluded.{name}" for name in columns)
    return f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"


def of_source(table: Table, by: str, source: str | None) -> ColumnElement[bool]:
    """Return the condition of the rows to sum up.

    :param source: a :func:`source_key`; None: each source if *by* is ``source``, else all at once
    """
    if source is not None:
        return table.c.source == source
    return table.c.source != ALL_SOURCES if by == "source" else table.c.source == ALL_SOURCES


def whole_period(
    connection: Connection, first: date | None, last: date | None
) -> tuple[date, date] | None:
    """Return the first and the last day of a period; None for an empty log.

    :param first: None: that of the log
    :param last: None: that of the log

    An end that reaches to that of the log is moved to that of its month: the sum of the month
    answers then for its days.
    """
    lowest, highest = _extent(connection)
    if lowest is None or highest is None:
        return None
    if first is None or first <= lowest:
        first = lowest.replace(day=1)
    if last is None or last >= highest:
        last = _next_month(highest) - timedelta(days=1)
    return first, last


def _extent(connection: Connection) -> tuple[date | None, date | None]:
    """Return the first and the last day of the log."""
    period = audit_sums.c.period
    days = func.length(period) == 10
    ends = []
    for order in (period, period.desc()):
        query = select(period).where(audit_sums.c.source == ALL_SOURCES, days)
        day = connection.scalar(query.order_by(order).limit(1))
        ends.append(date.fromisoformat(day) if day else None)
    return ends[0], ends[1]


def in_period(table: Table, first: date, last: date, days_only: bool) -> ColumnElement[bool]:
    """Return the condition that the period is in the days from *first* to *last*."""
    period = table.c.period
    if days_only:
        return period.between(first.isoformat(), last.isoformat()) & (func.length(period) == 10)
    months, days = _split(first, last)
    return or_(period.in_(months), *(period.in_(some) for some in (days,) if some))


def _split(first: date, last: date) -> tuple[list[str], list[str]]:
    """Return the months and the other days from *first* to *last*."""
    months: list[str] = []
    days: list[str] = []
    day = first
    while day <= last:
        end = _next_month(day) - timedelta(days=1)
        if day.day == 1 and end <= last:
            months.append(day.isoformat()[:7])
            day = end + timedelta(days=1)
        else:
            days.append(day.isoformat())
            day += timedelta(days=1)
    return months, days


def _next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def stored_sums(connection: Connection) -> Iterator[tuple[Cell, list[float]]]:
    """Yield all sums, for their verification."""
    query = select(audit_sums).execution_options(yield_per=1000)
    for row in connection.execute(query):
        yield Cell(*row[:3]), list(row[3:])


def stored_times(connection: Connection) -> Iterator[tuple[tuple[Cell, int], int]]:
    """Yield all counts of response times, for their verification."""
    query = select(audit_times).execution_options(yield_per=1000)
    for row in connection.execute(query):
        yield (Cell(*row[:3]), row[3]), row[4]
