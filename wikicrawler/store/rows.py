"""Writes many rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Table

IF_NEW = "ON CONFLICT DO NOTHING"
"""For :func:`insert_rows`: rows whose key is there stay as they are."""


def insert_rows(
    connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]], otherwise: str = ""
) -> None:
    """Insert *rows*, tuples of all columns in their order; where a key is there, do *otherwise*.

    The values go to the driver as they are: SQLAlchemy's own way looks at each, and takes several
    times as long.
    """
    if rows:
        value = "?" if connection.dialect.name == "sqlite" else "%s"
        names, values = ", ".join(table.c.keys()), ", ".join([value] * len(table.c))
        statement = f"INSERT INTO {table.name} ({names}) VALUES ({values}) {otherwise}"  # noqa: S608 - our own names
        connection.exec_driver_sql(statement, list(rows))
