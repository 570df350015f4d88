"""The tables of the audit log.

``audit`` is the log. A row is a text and its place in the chain; the other columns are computed
from the text by the database, so they cannot differ from what is hashed. Triggers
(``audit_triggers``) refuse to change or delete rows, and rows that do not continue the chain.

``audit_sums`` and ``audit_times`` are sums of the log, by day and by month, that answer questions
about all of it. They are derived: ``scrapy audit verify --sums`` compares them with the log.
``audit_responses`` keeps the responses of failed operations for diagnosis; its rows may be deleted.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Computed,
    Double,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    text,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.expression import ColumnElement

from wikicrawler.store.tables import metadata


class _Field(ColumnElement[Any]):
    """A field of the JSON in the column ``text``, as SQL of the dialect."""

    inherit_cache = True

    def __init__(self, name: str, as_type: str = "") -> None:
        self.name = name
        self.as_type = as_type


@compiles(_Field, "sqlite")
def _in_sqlite(field: _Field, *_: Any, **__: Any) -> str:
    return f"json_extract(text, '$.{field.name}')"


@compiles(_Field, "postgresql")
def _in_postgresql(field: _Field, *_: Any, **__: Any) -> str:
    value = f"(text::json ->> '{field.name}')"
    return f"({value})::{field.as_type}" if field.as_type else value


def _computed(field: str, as_type: str = "") -> Computed:
    return Computed(_Field(field, as_type), persisted=True)


#: The records, see :mod:`wikicrawler.audit.record`. Rows are never changed.
audit = Table(
    "audit",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("text", Text, nullable=False),  # canonical JSON
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("run", Text, _computed("run_id")),
    Column("number", Integer, _computed("number", "integer")),  # 1 is the run's first
    Column("kind", Text, _computed("kind")),
    Column("at", Text, _computed("timestamp")),  # ISO 8601 in UTC
    Column("source", Text, _computed("manifest_id")),
    Column("engine", Text, _computed("engine")),
    Column("status", Integer, _computed("http_status", "integer")),
    Column("failed", Boolean, _computed("failed", "boolean")),
    Column("of", BigInteger, _computed("of_sequence", "bigint")),  # an outcome's operation
    sqlite_autoincrement=False,
)
Index("audit_of_run", audit.c.run, audit.c.number, unique=True)
Index("audit_in_time", audit.c.at)
# The columns after "at" let a question for several of them be answered from the index.
Index("audit_of_source", audit.c.source, audit.c.at, audit.c.status, audit.c.engine)
Index("audit_of_engine", audit.c.engine, audit.c.at, audit.c.status)
Index("audit_of_status", audit.c.status, audit.c.at)
_outcomes = audit.c.of.is_not(None)
Index("audit_outcomes", audit.c.of, sqlite_where=_outcomes, postgresql_where=_outcomes)
RARE = text("kind NOT IN ('request', 'outcome')")
"""Condition of the index of the records that are neither operations nor outcomes. A query needs it
word for word."""
Index("audit_rare", audit.c.kind, audit.c.at, sqlite_where=RARE, postgresql_where=RARE)
_failures = audit.c.failed.is_(True)
Index(
    "audit_failures",
    *(audit.c.at, audit.c.status, audit.c.engine, audit.c.source),
    sqlite_where=_failures,
    postgresql_where=_failures,
)
_controls = audit.c.kind == "control"
CONTROLS = Index(
    "audit_controls",
    audit.c.at,
    sqlite_where=_controls,
    postgresql_where=_controls,
)


def _key() -> tuple[Column[str], ...]:
    return (
        Column("period", Text, primary_key=True),  # a day (2026-02-13) or a month (2026-02)
        Column("source", Text, primary_key=True),  # of audit_sums.source_key()
        Column("engine", Text, primary_key=True),
    )


#: Numbers of operations and outcomes.
audit_sums = Table(
    "audit_sums",
    metadata,
    *_key(),
    Column("operations", BigInteger, nullable=False),
    Column("failures", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("credits", Double, nullable=False),
    Column("observed", BigInteger, nullable=False),  # outcomes that compared content
    Column("changed", BigInteger, nullable=False),  # of those, with other content than before
    sqlite_with_rowid=False,
)

#: Numbers of response times by their size.
audit_times = Table(
    "audit_times",
    metadata,
    *_key(),
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

for _table in (audit_sums, audit_times):  # the primary key serves questions for all sources
    Index(f"{_table.name}_of_source", _table.c.source, _table.c.period)

#: Responses of failed operations.
audit_responses = Table(
    "audit_responses",
    metadata,
    Column("run", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the operation
    Column("headers", Text, nullable=False),  # JSON: pairs, without cookies
    Column("body", LargeBinary, nullable=False),  # compressed by zlib, cut where it is long
    Column("size", BigInteger, nullable=False),  # of the whole body
    sqlite_with_rowid=False,
)

TABLES = (audit, audit_sums, audit_times, audit_responses)
