"""Attempts of tiers: written in batches, queried by the heuristics of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import exists, select

from wikicrawler.store.rows import insert_rows
from wikicrawler.store.tables import attempt_heuristics, attempts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import ColumnElement, Connection

BEFORE, AFTER = "before", "after"
"""Phases of a heuristic: known before the fetch, or from the response."""


class Heuristic(NamedTuple):
    """A feature by which attempts are grouped."""

    phase: str
    type: str
    value: str


class FetchAttempt(NamedTuple):
    """One fetch by one tier. The columns of ``attempts`` describe the fields."""

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
    expected: float | None = None
    # What has no column, and is not filled in by :func:`find_attempts`:
    site: str = ""
    """Politeness budget of the page, by which ``sites`` counts attempts; empty: not counted."""
    heuristics: tuple[Heuristic, ...] = ()
    """Heuristics without a column, at most one of each type."""


_KEY = 2  # columns: run and seq
_FIELDS = FetchAttempt._fields[: len(attempts.c) - _KEY]
_COLUMNS = [attempts.c[name] for name in _FIELDS]  # in the table's order
_CONDITIONS = {
    name: attempts.c[name] for name in _FIELDS if attempts.c[name].type.python_type is str
}


def add_attempts(
    connection: Connection, run: int, numbered: Iterable[tuple[int, FetchAttempt]]
) -> list[FetchAttempt]:
    """Write attempts of *run* with their numbers, and return the new ones. An attempt that exists
    already is not changed."""
    given = dict(numbered)
    if given:
        seq = attempts.c.seq
        between = seq.between(min(given), max(given))
        for there in connection.scalars(select(seq).where(attempts.c.run == run, between)):
            given.pop(there, None)
    new = given.items()
    insert_rows(connection, attempts, [(run, seq, *a[: len(_FIELDS)]) for seq, a in new])
    facts = [(run, seq, h.type, h.phase, h.value) for seq, a in new for h in a.heuristics]
    insert_rows(connection, attempt_heuristics, facts)
    return list(given.values())


def find_attempts(
    connection: Connection,
    conditions: Mapping[str, str] | None = None,
    *,
    since: float | None = None,
    newest_first: bool = False,
    limit: int | None = None,
) -> Iterator[FetchAttempt]:
    """Yield attempts in order of time; rows are fetched in batches, not all at once.

    :param conditions: required heuristics, value by type, in columns and rows
    :param since: earliest time, in seconds since the epoch
    :param newest_first: reverse the order
    :param limit: maximum number of attempts
    """
    query = select(*_COLUMNS).where(
        *(_is(name, value) for name, value in (conditions or {}).items())
    )
    if since is not None:
        query = query.where(attempts.c.at >= since)
    by = (attempts.c.at, attempts.c.run, attempts.c.seq)
    query = query.order_by(*(column.desc() for column in by) if newest_first else by)
    for row in connection.execute(query.limit(limit).execution_options(yield_per=1000)):
        yield FetchAttempt(*row)


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
