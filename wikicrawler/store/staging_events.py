"""What consumers of the staging folder are told, until they have confirmed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, insert, select, update

from wikicrawler.store.rows import IF_NEW, insert_rows
from wikicrawler.store.tables import staged, staging_events

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection


class StagedRow(NamedTuple):
    """An envelope that no event has named. The columns of ``staged`` describe the fields."""

    envelope_id: str
    folder: str
    run: str
    owner: str
    at: float
    source: str
    path: str
    change_type: str
    index_path: str


class EventRow(NamedTuple):
    """An event. The columns of ``staging_events`` describe the fields."""

    event_id: str
    folder: str
    run: str
    at: float
    body: str
    attempts: int
    owner: str | None
    leased_until: float | None


_STAGED = [staged.c[name] for name in StagedRow._fields]
_EVENTS = [staging_events.c[name] for name in EventRow._fields]


def add_staged(connection: Connection, row: StagedRow) -> None:
    """Store that an envelope was staged."""
    insert_rows(connection, staged, [row], IF_NEW)


def owners_of_staged(connection: Connection, folder: str) -> dict[str, float]:
    """Return the processes that staged envelopes in *folder* which no event has named, each with
    the time of its last envelope."""
    query = select(staged.c.owner, func.max(staged.c.at)).where(staged.c.folder == folder)
    rows = connection.execute(query.group_by(staged.c.owner))
    return {row[0]: row[1] for row in rows}


def take_staged(connection: Connection, folder: str, owners: Collection[str]) -> list[StagedRow]:
    """Remove what *owners* staged, and return it in the order of the staging. Of several processes
    one gets a row."""
    where = (staged.c.folder == folder) & staged.c.owner.in_(owners)
    rows = connection.execute(delete(staged).where(where).returning(*_STAGED))
    return sorted((StagedRow(*row) for row in rows), key=lambda row: (row.at, row.envelope_id))


def add_event(connection: Connection, row: EventRow) -> None:
    """Store an event that is to be sent."""
    connection.execute(insert(staging_events).values(**row._asdict()))


def events_of(connection: Connection, folder: str) -> list[EventRow]:
    """Return the events of *folder* that are to be sent, the oldest first."""
    query = select(*_EVENTS).where(staging_events.c.folder == folder)
    query = query.order_by(staging_events.c.at, staging_events.c.event_id)
    return [EventRow(*row) for row in connection.execute(query)]


def claim_event(connection: Connection, row: EventRow, owner: str, until: float) -> bool:
    """Store that *owner* sends the event of *row*; return False if another process was faster."""
    where = (staging_events.c.event_id == row.event_id) & (
        staging_events.c.attempts == row.attempts
    )
    values = {"owner": owner, "leased_until": until, "attempts": row.attempts + 1}
    return connection.execute(update(staging_events).where(where).values(**values)).rowcount == 1


def release_event(connection: Connection, event_id: str) -> None:
    """Store that nobody sends an event any more; the next process that starts does."""
    where = staging_events.c.event_id == event_id
    connection.execute(update(staging_events).where(where).values(owner=None, leased_until=None))


def drop_event(connection: Connection, event_id: str) -> None:
    """Forget an event, which was confirmed."""
    connection.execute(delete(staging_events).where(staging_events.c.event_id == event_id))
