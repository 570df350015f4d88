"""What tiers did: written in batches, read by the heuristics of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import exists, select
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.tables import attempt_heuristics, attempts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import ColumnElement, Connection, Table

BEFORE, AFTER = "before", "after"
"""When a heuristic is known: before the fetch, or by its answer."""


class Heuristic(NamedTuple):
    """A fact that attempts may have in common."""

    phase: str
    type: str
    value: str


class FetchAttempt(NamedTuple):
    """One fetch by one tier. The columns of ``attempts`` say what each field is."""

    at: float
    url: str
    domain: str
    registered_domain: str
    suffix: str
    shape: str
    scheme: str
    wiki: str
    configured: str
    tier: str
    ok: bool
    reason: str
    final: bool
    is_banned: bool
    status: int | None
    latency: float | None
    size: int | None
    cost: float
    policy: str
    propensity: float | None
    step: int
    heuristics: tuple[Heuristic, ...] = ()
    """Those that have no column, a type once; not filled in by :func:`find_attempts`."""


_FIELDS = FetchAttempt._fields[:-1]  # but for the heuristics
_COLUMNS = [attempts.c[name] for name in _FIELDS]
_CONDITIONS = {
    name: attempts.c[name] for name in _FIELDS if attempts.c[name].type.python_type is str
}


def add_attempts(
    connection: Connection, run: int, numbered: Iterable[tuple[int, FetchAttempt]]
) -> None:
    """Write attempts by their numbers in *run*. One that is there already stays as it is."""
    rows, more = [], []
    for seq, attempt in numbered:
        key = {"run": run, "seq": seq}
        rows.append(dict(zip(_FIELDS, attempt, strict=False), **key))
        more += [
            dict(zip(Heuristic._fields, each, strict=True), **key) for each in attempt.heuristics
        ]
    insert_new(connection, attempts, rows)
    insert_new(connection, attempt_heuristics, more)


def find_attempts(
    connection: Connection,
    conditions: Mapping[str, str] | None = None,
    *,
    since: float | None = None,
    newest_first: bool = False,
    limit: int | None = None,
) -> Iterator[FetchAttempt]:
    """The attempts whose heuristics are as the *conditions* say (value by type, columns and rows
    alike), in the order of time. They come as they are asked for, not all at once."""
    query = select(*_COLUMNS).where(
        *(_is(name, value) for name, value in (conditions or {}).items())
    )
    if since is not None:
        query = query.where(attempts.c.at >= since)
    by = (attempts.c.at, attempts.c.run, attempts.c.seq)
    query = query.order_by(*(column.desc() for column in by) if newest_first else by)
    for row in connection.execute(query.limit(limit).execution_options(yield_per=1000)):
        yield FetchAttempt(*row)


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert those of the *rows* whose key *table* does not have."""
    if not rows:
        return
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), rows)


def _is(name: str, value: str) -> ColumnElement[bool]:
    if (column := _CONDITIONS.get(name)) is not None:
        return column == value
    own = attempt_heuristics.c
    return exists().where(
        own.run == attempts.c.run,
        own.seq == attempts.c.seq,
        own.type == name,
        own.value == value,
    )
