"""Makes the tables, and those of an older version what they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, inspect, select, text, update
from sqlalchemy.schema import CreateColumn

from wikicrawler.store.tables import VERSION, about, attempts, metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection

_OF_VERSION = about.c.name == "schema_version"


def version_of(connection: Connection) -> str:
    """The version of the schema that the database has; empty where it has no tables of ours."""
    if not inspect(connection).has_table(about.name):
        return ""
    return connection.scalar(select(about.c.value).where(_OF_VERSION)) or "0"


def is_known(version: str) -> bool:
    """Whether :func:`upgrade` can make it :data:`VERSION`."""
    return version in {"", *map(str, range(1, VERSION + 1))}


def upgrade(connection: Connection, version: str) -> None:
    """Make the schema of that *version*, which is known, the present one. What is there stays, and
    a program that began with the older schema goes on writing."""
    if version == "1":
        column = CreateColumn(attempts.c.expected).compile(dialect=connection.dialect)
        connection.execute(text(f"ALTER TABLE {attempts.name} ADD COLUMN {column}"))
    metadata.create_all(connection)  # those that are missing
    if version:
        connection.execute(update(about).where(_OF_VERSION).values(value=str(VERSION)))
    else:
        connection.execute(insert(about).values(name="schema_version", value=str(VERSION)))
