"""Creation of the tables, and upgrades from older versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, inspect, select, text, update
from sqlalchemy.schema import CreateColumn

from wikicrawler.store import audit_triggers  # noqa: F401 - with the tables that it protects
from wikicrawler.store.audit_tables import CONTROLS
from wikicrawler.store.tables import VERSION, about, attempts, metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection

_LATER = {
    "attempts": ("attempts_by_site",),
    "source_visits": ("failed_visits", "changed_visits"),
    "audit": ("audit_rare",),
}
"""Indexes that older versions of their tables lack."""
_GONE = ("attempts_of_site",)
"""Indexes that another one replaces."""
_OF_VERSION = about.c.name == "schema_version"


def version_of(connection: Connection) -> str:
    """Return the schema version of the database; an empty string if it has no tables of ours."""
    if not inspect(connection).has_table(about.name):
        return ""
    return connection.scalar(select(about.c.value).where(_OF_VERSION)) or "0"


def is_known(version: str) -> bool:
    """Return whether :func:`upgrade` can upgrade *version* to :data:`VERSION`."""
    return version in {"", *map(str, range(1, VERSION + 1))}


def upgrade(connection: Connection, version: str) -> None:
    """Upgrade the schema from *version*, a known one, to the current one. Existing rows are kept,
    and a program that uses the older schema can continue to write."""
    if version == "1":
        column = CreateColumn(attempts.c.expected).compile(dialect=connection.dialect)
        connection.execute(text(f"ALTER TABLE {attempts.name} ADD COLUMN {column}"))
    metadata.create_all(connection)  # those that are missing
    CONTROLS.create(connection, checkfirst=True)  # of a table that schema 5 has already
    if version:
        _complete_indexes(connection)
        connection.execute(update(about).where(_OF_VERSION).values(value=str(VERSION)))
    else:
        connection.execute(insert(about).values(name="schema_version", value=str(VERSION)))


def _complete_indexes(connection: Connection) -> None:
    """Create what ``create_all()`` creates with new tables only."""
    for table, names in _LATER.items():
        for index in metadata.tables[table].indexes:
            if index.name in names:
                index.create(connection, checkfirst=True)
    for name in _GONE:
        connection.execute(text(f"DROP INDEX IF EXISTS {name}"))
