"""Questions to the audit log that its records answer one by one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Boolean, Integer, Text, column, select, text

from wikicrawler.store.audit_chain import Head
from wikicrawler.store.audit_tables import audit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from sqlalchemy import ColumnElement, Connection, FromClause, TextClause

_AT_ONCE = 500  # rows


@dataclass(frozen=True)
class Wanted:
    """The operations to find; None and False do not restrict them."""

    source: str | None = None
    first: date | None = None
    last: date | None = None
    status: int | None = None
    engine: str | None = None
    failed: bool = False


class Operation(NamedTuple):
    """An operation with what became known of it later."""

    hash: str
    fields: dict[str, Any]
    outcome: dict[str, Any] | None


def find(connection: Connection, wanted: Wanted, limit: int | None = None) -> Iterator[Operation]:
    """Yield operations, the newest first."""
    query = (
        select(column("seq", Integer), column("hash", Text), column("text", Text))
        .select_from(_table(connection, wanted))
        .where(column("kind") == "request", *_conditions(wanted))
        .order_by(column("at").desc(), column("seq").desc())
        .limit(limit)
    )
    result = connection.execute(query.execution_options(yield_per=_AT_ONCE))
    for rows in result.partitions():
        outcomes = _outcomes(connection, [seq for seq, *_ in rows])
        for seq, link, record in rows:
            yield Operation(link, json.loads(record), outcomes.get(seq))


def find_controls(
    connection: Connection, wanted: Wanted, limit: int | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what operators did, the newest first: the hash of each record and its fields. Of
    *wanted* the source and the days count.
    """
    query = (
        select(column("seq", Integer), column("hash", Text), column("text", Text))
        .select_from(_controls(connection))
        .where(text("kind = 'control'"), *_conditions(wanted))  # as the condition of its index
        .order_by(column("at").desc(), column("seq").desc())
        .limit(limit)
    )
    for _, link, record in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        yield link, json.loads(record)


def _controls(connection: Connection) -> FromClause | TextClause:
    """Return the table, with the index of controls in SQLite, see :func:`_table`."""
    if connection.dialect.name == "sqlite":
        return text("audit INDEXED BY audit_controls")
    return audit


def control_at(connection: Connection, sequence: int) -> tuple[str, dict[str, Any]] | None:
    """Return the hash and the fields of the control with this sequence, or None."""
    query = select(audit.c.hash, audit.c.text).where(audit.c.seq == sequence)
    row = connection.execute(query.where(audit.c.kind == "control")).first()
    return (row[0], json.loads(row[1])) if row is not None else None


def _table(connection: Connection, wanted: Wanted) -> FromClause | TextClause:
    """Return the table, with the index of failures where they are wanted: SQLite, which has no
    statistics, would prefer the index of a status or source. SQLAlchemy has no hints for SQLite."""
    if wanted.failed and connection.dialect.name == "sqlite":
        return text("audit INDEXED BY audit_failures")
    return audit


def _conditions(wanted: Wanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.source is not None:
        found.append(column("source") == wanted.source)
    if wanted.engine is not None:
        found.append(column("engine") == wanted.engine)
    if wanted.status is not None:
        found.append(column("status", Integer) == wanted.status)
    if wanted.first is not None:
        found.append(column("at") >= wanted.first.isoformat())
    if wanted.last is not None:
        found.append(column("at") < f"{wanted.last.isoformat()}U")  # after each "…T…"
    if wanted.failed:
        found.append(column("failed", Boolean).is_(True))  # as the condition of its index
    return found


def _outcomes(connection: Connection, sequences: list[int]) -> dict[int, dict[str, Any]]:
    """Return the last outcome of each of these operations that has one."""
    query = select(audit.c.of, audit.c.text).where(
        audit.c.of.in_(sequences), audit.c.kind == "outcome"
    )
    return {
        of: json.loads(record) for of, record in connection.execute(query.order_by(audit.c.seq))
    }


def sequences_of_day(connection: Connection, source: str, day: date) -> list[int]:
    """Return the sequences of all records of *source* on *day*, in order."""
    query = select(audit.c.seq).where(*_conditions(Wanted(source=source, first=day, last=day)))
    return sorted(connection.scalars(query))


def outcomes_of(connection: Connection, sequences: list[int]) -> list[int]:
    """Return the sequences of the outcomes of these operations, and of the removals of what they
    staged, in order."""
    found: set[int] = set()
    for start in range(0, len(sequences), _AT_ONCE):
        some = sequences[start : start + _AT_ONCE]
        found.update(connection.scalars(select(audit.c.seq).where(audit.c.of.in_(some))))
    return sorted(found)


def staged_operations(
    connection: Connection, source: str, first: date, last: date
) -> dict[str, Head]:
    """Return the operation of each file that was staged of *source* from the day *first* to the day
    *last*, by its path."""
    query = select(audit.c.text).where(
        audit.c.kind == "outcome", *_conditions(Wanted(source=source, first=first, last=last))
    )
    found = {}
    for record in connection.scalars(query.execution_options(yield_per=_AT_ONCE)):
        outcome = json.loads(record)
        if outcome.get("staged_path") is not None:
            found[outcome["staged_path"]] = Head(outcome["of_sequence"], outcome["of_hash"])
    return found


def operation_at(connection: Connection, sequence: int) -> Operation | None:
    """Return the operation with this sequence, or None."""
    query = select(audit.c.hash, audit.c.text).where(audit.c.seq == sequence)
    row = connection.execute(query.where(audit.c.kind == "request")).first()
    if row is None:
        return None
    return Operation(row[0], json.loads(row[1]), _outcomes(connection, [sequence]).get(sequence))
