"""Sums over the rows of the database's tables, which each commit stores beside them.

SQLite checks the structure of a database, not its values. And the pages of two states of one
database may have a valid structure together: where the ``-wal`` of one was put beside the file of
another. A sum shows that a table has other rows than it had. It costs a CRC for each changed row.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    import sqlite3

NAME = "sums"
"""Name of the row of ``about``."""
_MODULUS = 2**64
_TABLES = {
    "requests": "SELECT id FROM requests",
    "kept": "SELECT id, site, rank, kind FROM kept",
    "seen": "SELECT fingerprint FROM seen",
    "facts": "SELECT name, value FROM facts",
    "feeds": "SELECT id, path, size FROM feeds",
    "written": "SELECT feed, key FROM written",
}


def read(text: str | None) -> dict[str, int]:
    """Return the sums that :func:`write` wrote, by table; zeros for None, a new database.

    :raises ValueError: *text* is none of it
    """
    found = json.loads(text) if text else {}
    if not isinstance(found, dict):
        raise ValueError("no sums")
    return dict.fromkeys(_TABLES, 0) | found


def write(sums: dict[str, int]) -> str:
    """Return *sums* as they are stored."""
    return json.dumps({name: value % _MODULUS for name, value in sums.items()})


def of_number(number: int) -> int:
    """Return the part of a row that is known by its number alone."""
    return crc32(number.to_bytes(8, "big", signed=True))


def of_row(*values: bytes | str | float | None) -> int:
    """Return the part of a row of these values."""
    found = 0
    for value in values:
        data = value if isinstance(value, (bytes, bytearray)) else str(value).encode()
        found = crc32(data, crc32(b"\0", found))
    return found


def wrong_table(database: sqlite3.Connection, text: str | None) -> str | None:
    """Return the name of a table whose rows are not those of its sum in *text*; None: all are.

    The connection returns text as bytearray, so that damaged text is no error, and is no blob.
    """
    try:
        expected = read(text)
    except (ValueError, RecursionError):
        return "about"
    for name, query in _TABLES.items():
        if sum(_part(name, row) for row in database.execute(query)) % _MODULUS != expected[name]:
            return name
    return None


def _part(table: str, row: tuple[Any, ...]) -> int:
    if table == "requests":
        return of_number(row[0])
    if table in {"seen", "facts", "written"} and type(row[-1]) is not bytes:
        return 0
    return crc32(row[0]) if table == "seen" else of_row(*row)
