"""Summaries of the audit log: what was done by source, engine, day or month, from its sums."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, func, literal_column, select

from wikicrawler.store.audit_sums import (
    NUMBERS,
    in_period,
    middle_of,
    of_source,
    source_key,
    whole_period,
)
from wikicrawler.store.audit_tables import audit_sums, audit_times
from wikicrawler.store.slices import slices

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from sqlalchemy import ColumnElement, Connection, Table

GROUPS = ("source", "engine", "day", "month")


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
    """Response time in milliseconds; None if not asked for."""
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


@dataclass(frozen=True, slots=True)
class Question:
    """Which operations are summed up, and how."""

    by: str
    """One of :data:`GROUPS`."""
    first: date | None = None
    """The first day; None: that of the log."""
    last: date | None = None
    source: str | None = None
    """Only of this source."""
    engine: str | None = None


def summarise(connection: Connection, asked: Question) -> list[Summary]:
    """Return the sums of each group with their response times, and by source with the days on which
    content was observed and changed, in the order of the groups."""
    found = sums_of(connection, asked)
    add_times(connection, asked, found)
    if asked.by == "source":
        _add_days(connection, asked, found)
    return found


def sums_of(connection: Connection, asked: Question) -> list[Summary]:
    """Return the sums of each group without response times and days, in the order of the groups."""
    period = whole_period(connection, asked.first, asked.last)
    if period is None:
        return []
    group = _group(audit_sums, asked.by)
    query = select(group, *(func.sum(audit_sums.c[name]) for name in NUMBERS)).where(
        *_rows(asked, audit_sums), in_period(audit_sums, *period, days_only=asked.by == "day")
    )
    found = []
    for key, *numbers in connection.execute(query.group_by(group).order_by(group)):
        whole = [int(number) for number in numbers]
        whole[3] = numbers[3]  # credits
        found.append(Summary(_shown(asked.by, key), *whole))
    return found


def add_times(connection: Connection, asked: Question, found: Sequence[Summary]) -> None:
    """Set the response times of *found*, all or some of the groups of *asked*."""
    period = whole_period(connection, asked.first, asked.last)
    if period is None:
        return
    group, own = _group(audit_times, asked.by), audit_times.c
    query = select(group, own.bucket, func.sum(own.count).cast(BigInteger))
    query = query.where(*_rows(asked, audit_times)).group_by(group, own.bucket)
    if asked.by != "day":  # SQLite would read all days of the period instead of those of the groups
        query = query.where(in_period(audit_times, *period, days_only=False))
    by_key = {_key(asked.by, one.group): one for one in found}
    for some in slices(by_key):
        counts: dict[str, list[tuple[int, int]]] = {}
        for key, bucket, count in connection.execute(query.where(group.in_(some))):
            counts.setdefault(key, []).append((bucket, int(count)))
        for key, buckets in counts.items():
            by_key[key].p50_ms = percentile(buckets, 0.50)
            by_key[key].p95_ms = percentile(buckets, 0.95)


def response_times(connection: Connection, asked: Question) -> list[tuple[float, int]]:
    """Return response times in milliseconds, each within 5 % of the exact ones, in ascending order,
    with the numbers of operations that had them: of all groups of *asked* together."""
    period = whole_period(connection, asked.first, asked.last)
    if period is None:
        return []
    own = audit_times.c
    together = _rows(replace(asked, by="day"), audit_times)
    query = select(own.bucket, func.sum(own.count).cast(BigInteger))
    query = query.where(*together, in_period(audit_times, *period, days_only=False))
    rows = connection.execute(query.group_by(own.bucket).order_by(own.bucket)).all()
    return [(middle_of(bucket), int(count)) for bucket, count in rows]


def percentile(buckets: Iterable[tuple[int, int]], share: float) -> float:
    """Return the response time in milliseconds below which *share* of the counts are."""
    ordered = sorted(buckets)
    rank, below = share * sum(count for _, count in ordered), 0
    for bucket, count in ordered:
        below += count
        if below >= rank:
            return middle_of(bucket)
    raise ValueError("no response times")


def _add_days(connection: Connection, asked: Question, found: Sequence[Summary]) -> None:
    period = whole_period(connection, asked.first, asked.last)
    if period is None:
        return
    columns = audit_sums.c
    query = select(
        columns.source,
        func.count(columns.period.distinct()),
        func.count(columns.period.distinct()).filter(columns.changed > 0),
    ).where(
        *_rows(asked, audit_sums),
        columns.observed > 0,
        in_period(audit_sums, *period, days_only=True),
    )
    by_key = {_key(asked.by, one.group): one for one in found}
    for key, observed, changed in connection.execute(query.group_by(columns.source)):
        by_key[key].observed_days, by_key[key].changed_days = observed, changed


def _rows(asked: Question, table: Table) -> list[ColumnElement[bool]]:
    """Return the conditions of the rows of *asked*, of all days."""
    one_source = source_key(asked.source) if asked.source is not None else None
    found = [of_source(table, asked.by, one_source)]
    return [*found, table.c.engine == asked.engine] if asked.engine is not None else found


def _group(table: Table, by: str) -> ColumnElement[Any]:
    if by == "month":  # of whole months, and of the days at both ends
        # Literals, because PostgreSQL takes parameters for different expressions.
        return func.substr(table.c.period, literal_column("1"), literal_column("7"))
    return table.c["period" if by == "day" else by]


def _shown(by: str, key: str) -> str | None:
    return (key[1:] if by == "source" else key) or None


def _key(by: str, group: str | None) -> str:
    return source_key(group) if by == "source" else group or ""
