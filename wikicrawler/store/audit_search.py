"""Search in the audit log, a page at a time, the newest records first.

The order is that of the times of the records. Pages follow each other by the sequence of the last
record of a page. Texts of URLs have no index: a page that asks for a URL looks at a limited number
of records, and says up to which one it has looked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import BigInteger, Boolean, Integer, Text, and_, column, or_, select, text

from wikicrawler.store.audit_tables import RARE, audit
from wikicrawler.store.slices import MAX_SEQUENCE, asked_number, asked_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from sqlalchemy import ColumnElement, Connection, FromClause, TextClause

MAX_LOOKED_AT = 3_000
"""Maximum number of records that one page of a search for a URL looks at."""
MAX_URL = 2_000
"""Characters of a URL that count."""
COMMON_KINDS = ("request", "outcome")
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Search:
    """The records to find. None, False and an empty text do not restrict them."""

    source: str | None = None
    kind: str | None = None
    """``request``, ``outcome``, ``start``, ``end``, ``removal`` …"""
    engine: str | None = None
    status: int | None = None
    first: date | None = None
    """The first day, in UTC."""
    last: date | None = None
    failed: bool = False
    url: str = ""
    """Beginning of the URL that was requested, or of the page that was wanted."""


class Record(NamedTuple):
    """A record of the log."""

    sequence: int
    hash: str
    fields: dict[str, Any]


class Found(NamedTuple):
    """Records that match."""

    records: list[Record]
    next: int | None
    """Sequence of the last record that was looked at, to ask for those before it; None: there are
    no more."""
    looked_at: int
    """Number of records that were read."""


def search(
    connection: Connection, wanted: Search, *, before: int | None = None, limit: int = 100
) -> Found:
    """Return at most *limit* records, the newest first.

    :param before: :attr:`Found.next` of the page before
    """
    most = MAX_LOOKED_AT if wanted.url else limit + 1
    prefix = wanted.url[:MAX_URL]
    records: list[Record] = []
    looked_at, last = 0, before
    while looked_at < most:
        number = min(_AT_ONCE, most - looked_at)
        rows = _rows(connection, wanted, last, number)
        for sequence, link, record in rows:
            fields = json.loads(record)
            if prefix and not _has_url(fields, prefix):
                looked_at, last = looked_at + 1, sequence
                continue
            if len(records) == limit:  # there is another one
                return Found(records, last, looked_at)
            looked_at, last = looked_at + 1, sequence
            records.append(Record(sequence, link, fields))
        if len(rows) < number:
            return Found(records, None, looked_at)
    return Found(records, last, looked_at)


def outcomes_by_operation(
    connection: Connection, sequences: Iterable[int]
) -> dict[int, dict[str, Any]]:
    """Return the last outcome of each of these operations that has one."""
    query = select(audit.c.of, audit.c.text).where(
        audit.c.of.in_(list(sequences)), audit.c.kind == "outcome"
    )
    rows = connection.execute(query.order_by(audit.c.seq)).all()
    return {of: json.loads(record) for of, record in rows}


def _rows(
    connection: Connection, wanted: Search, before: int | None, number: int
) -> list[tuple[int, str, str]]:
    conditions = _conditions(wanted)
    if before is not None:
        query = select(audit.c.at).where(audit.c.seq == asked_number(before, MAX_SEQUENCE))
        at = connection.scalar(query)
        if at is None:
            return []
        earlier = and_(column("at") == at, column("seq", BigInteger) < before)
        conditions += [column("at") <= at, or_(column("at") < at, earlier)]
    query_of_rows = (
        select(column("seq", Integer), column("hash", Text), column("text", Text))
        .select_from(_table(connection, wanted))
        .where(*conditions)
        .order_by(column("at").desc(), column("seq").desc())
        .limit(number)
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(query_of_rows).all()]


def _table(connection: Connection, wanted: Search) -> FromClause | TextClause:
    """Return the table, in SQLite with the index to use: it has no statistics, and would choose one
    by the number of conditions."""
    if connection.dialect.name != "sqlite":
        return audit
    if wanted.kind is not None and wanted.kind not in COMMON_KINDS:
        name = "audit_rare"
    elif wanted.failed:
        name = "audit_failures"
    elif wanted.source is not None:
        name = "audit_of_source"
    elif wanted.engine is not None:
        name = "audit_of_engine"
    elif wanted.status is not None:
        name = "audit_of_status"
    else:
        name = "audit_in_time"
    return text(f"audit INDEXED BY {name}")


def _conditions(wanted: Search) -> list[ColumnElement[bool] | TextClause]:
    found: list[ColumnElement[bool] | TextClause] = []
    if wanted.kind is not None:
        found.append(column("kind") == asked_text(wanted.kind))
        if wanted.kind not in COMMON_KINDS:  # as the condition of its index
            found.append(RARE)
    if wanted.source is not None:
        found.append(column("source") == asked_text(wanted.source))
    if wanted.engine is not None:
        found.append(column("engine") == asked_text(wanted.engine))
    if wanted.status is not None:
        found.append(column("status", Integer) == asked_number(wanted.status))
    if wanted.first is not None:
        found.append(column("at") >= wanted.first.isoformat())
    if wanted.last is not None:
        found.append(column("at") < f"{wanted.last.isoformat()}U")  # after each "…T…"
    if wanted.failed:
        found.append(column("failed", Boolean).is_(True))  # as the condition of its index
    return found


def _has_url(fields: dict[str, Any], prefix: str) -> bool:
    return any(str(fields.get(name) or "").startswith(prefix) for name in ("url", "page_url"))
