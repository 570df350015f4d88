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

from sqlalchemy import BigInteger, func, literal_column, or_, select

from wikicrawler.store.audit_tables import audit_sums, audit_times
from wikicrawler.store.chain_text import clean
from wikicrawler.store.rows import insert_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import ColumnElement, Connection, Select, Table

ALL_SOURCES = "*"
GROUPS = ("source", "engine", "day", "month")
_GROWTH = 1.1
_LOG_GROWTH = log(_GROWTH)
_NUMBERS = ("operations", "failures", "bytes", "credits", "observed", "changed")
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
    insert_rows(connection, audit_sums, rows, _added(audit_sums, _KEY, _NUMBERS))
    counts = [(*cell, bucket, count) for (cell, bucket), count in sorted(sums.times.items())]
    insert_rows(connection, audit_times, counts, _added(audit_times, (*_KEY, "bucket"), ("count",)))


def _added(table: Table, key: Iterable[str], columns: Iterable[str]) -> str:
    changes = ", ".join(f"{name} = {table.name}.{name} + excluded.{name}" for name in columns)
    return f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"


@dataclass
class Summary:
    """What was done in a group: a source, an engine, a day or a month."""

    group: str | None
    """None: without a manifest id, or without an engine."""
    operations: int = 0
    failures: int = 0
    bytes: int = 0
    credits: float = 0
    observed: int = 0
    changed: int = 0
    observed_days: int | None = None
    """Days on which content was compared; None if not asked for."""
    changed_days: int | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None

    @property
    def failure_rate(self) -> float:
        return self.failures / self.operations if self.operations else 0.0

    @property
    def change_rate(self) -> float | None:
        """Changed days by observed days."""
        if not self.observed_days or self.changed_days is None:
            return None
        return self.changed_days / self.observed_days


def summarise(
    connection: Connection,
    by: str,
    first: date | None = None,
    last: date | None = None,
    *,
    source: str | None = None,
    engine: str | None = None,
) -> list[Summary]:
    """Return the sums of each group of :data:`GROUPS` *by*, from the day *first* to *last*."""
    one_source = source_key(source) if source is not None else None
    conditions = [of_source(audit_sums, by, one_source)]
    conditions += [audit_sums.c.engine == engine] if engine is not None else []
    lowest, highest = extent(connection)
    if lowest is None or highest is None:
        return []
    first, last = max(first or lowest, lowest), min(last or highest, highest)
    days_only = by == "day"
    group = _group(audit_sums, by)
    sums = [func.sum(audit_sums.c[name]) for name in _NUMBERS]
    query = select(group, *sums).where(*conditions, in_period(audit_sums, first, last, days_only))
    found: dict[str, Summary] = {}
    for key, *numbers in connection.execute(query.group_by(group).order_by(group)):
        whole = [int(number) for number in numbers]
        whole[3] = numbers[3]  # credits
        found[key] = Summary(_shown(by, key), *whole)
    times = select(*_time_columns(by)).where(
        of_source(audit_times, by, one_source), in_period(audit_times, first, last, days_only)
    )
    if engine is not None:
        times = times.where(audit_times.c.engine == engine)
    _add_times(connection, found, times.group_by(*_time_columns(by)[:2]))
    if by == "source":
        _add_days(connection, found, first, last, conditions)
    return list(found.values())


def _group(table: Table, by: str) -> ColumnElement[Any]:
    if by == "month":  # of whole months, and of the days at both ends
        # Literals, because PostgreSQL takes parameters for different expressions.
        return func.substr(table.c.period, literal_column("1"), literal_column("7"))
    return table.c["period" if by == "day" else by]


def _time_columns(by: str) -> tuple[ColumnElement[Any], ...]:
    columns = audit_times.c
    return (
        _group(audit_times, by),
        columns.bucket,
        func.sum(columns.count).cast(BigInteger),
    )


def _add_times(
    connection: Connection, found: dict[str, Summary], times: Select[tuple[Any, ...]]
) -> None:
    counts: dict[str, list[tuple[int, int]]] = {}
    for key, bucket, count in connection.execute(times):
        counts.setdefault(key, []).append((bucket, int(count)))
    for key, buckets in counts.items():
        if key in found:
            found[key].p50_ms = percentile(buckets, 0.50)
            found[key].p95_ms = percentile(buckets, 0.95)


def percentile(buckets: Iterable[tuple[int, int]], share: float) -> float:
    """Return the response time in milliseconds below which *share* of the counts are."""
    ordered = sorted(buckets)
    rank, below = share * sum(count for _, count in ordered), 0
    for bucket, count in ordered:
        below += count
        if below >= rank:
            return middle_of(bucket)
    raise ValueError("no response times")


def _add_days(
    connection: Connection,
    found: dict[str, Summary],
    first: date,
    last: date,
    conditions: list[ColumnElement[bool]],
) -> None:
    columns = audit_sums.c
    group = columns.source
    query = select(
        group,
        func.count(columns.period.distinct()),
        func.count(columns.period.distinct()).filter(columns.changed > 0),
    ).where(*conditions, columns.observed > 0, in_period(audit_sums, first, last, True))
    for key, observed, changed in connection.execute(query.group_by(group)):
        found[key].observed_days, found[key].changed_days = observed, changed


def of_source(table: Table, by: str, source: str | None) -> ColumnElement[bool]:
    """Return the condition of the rows to sum up.

    :param source: a :func:`source_key`; None: each source if *by* is ``source``, else all at once
    """
    if source is not None:
        return table.c.source == source
    return table.c.source != ALL_SOURCES if by == "source" else table.c.source == ALL_SOURCES


def extent(connection: Connection) -> tuple[date | None, date | None]:
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


def _shown(by: str, key: str) -> str | None:
    return (key[1:] if by == "source" else key) or None


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
