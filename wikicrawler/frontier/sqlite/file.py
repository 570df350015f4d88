"""The SQLite file of a state folder: its tables, how it is opened, and what its failures mean."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from wikicrawler.errors import StateError
from wikicrawler.frontier.versions import OLD_FORMAT
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

NAME = "frontier.sqlite"
OPENING_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""Errors of a database that cannot be opened: Python's sqlite3 decodes SQLite's messages, which may
quote a damaged name."""
_VERSION = 4
_PICKLED = frozenset({1, 2})
"""Versions whose requests are pickles."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    rank INTEGER NOT NULL,
    kind TEXT,
    request BLOB NOT NULL,
    url BLOB NOT NULL,
    sum INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS requests_in_turn ON requests (site, rank, id, kind);
CREATE TABLE IF NOT EXISTS kept (
    id INTEGER PRIMARY KEY,
    until REAL NOT NULL,
    site TEXT NOT NULL,
    rank INTEGER NOT NULL,
    kind TEXT,
    request BLOB NOT NULL,
    url BLOB NOT NULL,
    sum INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS kept_until ON kept (until);
CREATE TABLE IF NOT EXISTS seen (fingerprint BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (name TEXT, value BLOB, PRIMARY KEY (name, value)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feeds (id INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS written (
    feed INTEGER, key BLOB, PRIMARY KEY (feed, key)
) WITHOUT ROWID;
"""


def feeds_in(folder: Path) -> list[Path]:
    """Return the paths of the feeds of the crawl in *folder*, in the order in which they began.

    :raises StateError: the database cannot be read
    """
    path = folder.absolute() / NAME
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT path FROM feeds ORDER BY id").fetchall()
    except OPENING_ERRORS as error:
        raise unusable(path, error) from None
    return [folder / name for (name,) in rows]


def connect(folder: Path) -> sqlite3.Connection:
    """Open the database in *folder*; create it.

    :raises StateError: it cannot be read or written, or is not ours
    """
    path = folder / NAME
    connection = None
    try:
        path.touch(mode=0o600)  # requests may hold cookies and keys of the spider's
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16000")  # kB
        check_version(path, connection)
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")
    except (*OPENING_ERRORS, OSError) as error:
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()
        raise unusable(path, error) from None
    return connection


def check_version(path: Path, connection: sqlite3.Connection) -> int:
    """Return ``user_version`` of the database at *path*; 0: a new one.

    :raises StateError: another version of the project wrote it
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version in _PICKLED:
        raise StateError(f"{one_line(path)}: {OLD_FORMAT}")
    if version not in {0, _VERSION}:
        raise StateError(
            f"{one_line(path)}: is of another version of wikicrawler ({version}, not {_VERSION}); "
            "go on with that one, or name another folder"
        )
    return int(version)


def commits_of(connection: sqlite3.Connection) -> int:
    """How many commits a database counts; 0 if an earlier version of the project wrote it."""
    row = connection.execute(
        "SELECT CAST(value AS INTEGER) FROM about WHERE name = 'commits'"
    ).fetchone()
    return 0 if row is None else int(row[0])


def is_damage(error: Exception) -> bool:
    """Return True if *error* means that the database is damaged, or is none."""
    if isinstance(error, UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # Python's sqlite3 found what is no text, or we found what cannot be
        return type(error) in {sqlite3.DatabaseError, sqlite3.OperationalError}
    # The low byte of an extended code is the code that it extends. SQLITE_ERROR: a table is missing
    damage = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
    return code & 0xFF in damage


def unusable(path: Path, error: Exception) -> StateError:
    """The error of a start with the database at *path*, which failed with *error*."""
    if is_damage(error):
        advice = (
            "the file is damaged: restore the folder, or crawl anew: with another JOBDIR and -O, "
            "or after removing the folder and the output"
        )
    else:
        advice = "is the disk full or read-only, or the file not yours?"
    return StateError(f"{one_line(path)}: cannot be used: {error} ({advice})")
