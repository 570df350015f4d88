"""Fast insertion of many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Table

IF_NEW = "ON CONFLICT DO NOTHING"
"""Conflict clause for :func:`insert_rows` that keeps existing rows."""


def insert_rows(
    connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]], otherwise: str = ""
) -> None:
    """Insert *rows*, tuples of all columns in order; *otherwise* is the SQL clause for conflicts.

    The values are passed to the driver unchanged, which is several times faster than SQLAlchemy's
    own processing.
    """
    if rows:
        value = "?" if connection.dialect.name == "sqlite" else "%s"
        names, values = ", ".join(table.c.keys()), ", ".join([value] * len(table.c))
        statement = f"INSERT INTO {table.name} ({names}) VALUES ({values}) {otherwise}"  # noqa: S608 - our own names
        connection.exec_driver_sql(statement, list(rows))
