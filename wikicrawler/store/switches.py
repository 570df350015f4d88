"""What an operator switches off as a whole, and on again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.tables import switches

if TYPE_CHECKING:
    from sqlalchemy import Connection

SCHEDULER = "scheduler"


class Switch(NamedTuple):
    """The state of a switch. Times are seconds since the epoch."""

    name: str
    off_since: float | None
    """None: it is on."""
    changed_at: float
    changed_by: str
    reason: str


_COLUMNS = [switches.c[name] for name in Switch._fields]


def find_switch(connection: Connection, name: str) -> Switch | None:
    """Return the switch *name*; None if nobody has ever changed it, so that it is on."""
    row = connection.execute(select(*_COLUMNS).where(switches.c.name == name)).first()
    return Switch(*row) if row else None


def save_switch(connection: Connection, switch: Switch) -> None:
    """Store *switch* in place of its state before."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(switches).values(**switch._asdict())
    changed = {name: statement.excluded[name] for name in Switch._fields if name != "name"}
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=changed))
