"""What decides when watched sources are due, and who visits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.slices import slices
from wikicrawler.store.tables import source_states

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlalchemy import Connection

_LOCK = 0x77696B6C  # of PostgreSQL's advisory locks; another than those of other modules


class SourceState(NamedTuple):
    """A source. The columns of ``source_states`` describe the fields."""

    source: str
    since: float
    last_started: float | None = None
    last_success: float | None = None
    last_changed: float | None = None
    interval: float | None = None
    consecutive_failures: int = 0
    reduced: int = 0
    successes: int = 0
    not_before: float | None = None
    paused_at: float | None = None
    pause_reason: str | None = None
    override_at: float | None = None
    visits: int = 0
    owner: str | None = None
    leased_until: float | None = None


_COLUMNS = [source_states.c[name] for name in SourceState._fields]


def lock_states(connection: Connection) -> None:
    """Let one process at a time claim sources, until the end of the transaction."""
    if connection.dialect.name != "sqlite":  # whose writers exclude each other
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def load_states(connection: Connection) -> dict[str, SourceState]:
    """Return what is known of all sources, by id."""
    rows = connection.execute(select(*_COLUMNS)).all()
    return {row[0]: SourceState._make(row) for row in rows}


def load_state(connection: Connection, source: str) -> SourceState | None:
    """Return what is known of one source, or None."""
    query = select(*_COLUMNS).where(source_states.c.source == source)
    row = connection.execute(query).first()
    return None if row is None else SourceState._make(row)


def last_successes(connection: Connection, sources: Collection[str]) -> dict[str, float]:
    """Return when the last successful visit to each of *sources* started, where there was one."""
    own = source_states.c
    found: dict[str, float] = {}
    for some in slices(sources):
        query = select(own.source, own.last_success).where(
            own.source.in_(some), own.last_success.is_not(None)
        )
        found.update({row[0]: row[1] for row in connection.execute(query).all()})
    return found


def save_states(connection: Connection, states: Iterable[SourceState]) -> None:
    """Store *states* in place of what was known of these sources."""
    rows = [state._asdict() for state in states]
    if not rows:
        return
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(source_states)
    changed = {n: statement.excluded[n] for n in SourceState._fields if n != "source"}
    statement = statement.on_conflict_do_update(index_elements=["source"], set_=changed)
    connection.execute(statement, rows)


def renew_leases(connection: Connection, owner: str, until: float) -> None:
    """Keep the sources that *owner* visits until *until*."""
    statement = update(source_states).where(source_states.c.owner == owner)
    connection.execute(statement.values(leased_until=until))
