"""The state of a crawl in one SQLite database: its rows and transactions.

A row of ``requests`` is a request that is not done: it is written when the request is scheduled and
deleted when its page is done. A request that is delayed is a row of ``kept`` until its moment.
Which requests are under way only the process knows, so all of them are pending again when it is
gone. Changes gather in one open transaction; what is not committed when the process is killed has
not happened.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

from wikicrawler.frontier.sqlite.commit_mark import CommitMark
from wikicrawler.frontier.sqlite.file import NAME, commits_of, connect, unusable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MAX_CHANGES = 500
"""Changes after which a transaction is to be committed, if it was not by the clock."""


class Queued(NamedTuple):
    """How many requests wait for their turn at a site, at one rank."""

    site: str
    rank: int
    requests: int


class Released(NamedTuple):
    """A request that was delayed, and waits for its turn from now on."""

    site: str
    rank: int
    number: int
    request: bytes


class CrawlDatabase:
    """The database of a state folder, which one process at a time opens.

    Every method may raise :class:`sqlite3.Error` (disk full, database damaged).
    """

    def __init__(self, connection: sqlite3.Connection, mark: CommitMark) -> None:
        self._execute = connection.execute
        self._connection = connection
        self._mark = mark
        self._changes = 0
        (last,) = self._execute("SELECT MAX(id) FROM requests").fetchone()
        self._last = last or 0
        self._crawl = self._about("crawl")
        self._commits = commits_of(connection)
        self._is_on_disk = mark.exists
        if self._crawl is not None and self._is_on_disk:
            # The number may have been higher, if a power failure cost commits.
            mark.write(self._crawl, self._commits)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """
        :raises StateError: the database cannot be read or written, or is not ours
        """
        connection = connect(folder)
        try:
            return cls(connection, CommitMark(folder))
        except sqlite3.Error as error:
            connection.close()
            raise unusable(folder / NAME, error) from None

    # Requests

    def add(self, site: str, rank: int, kind: str | None, request: bytes) -> int:
        """Add *request*; return its number, greater than any before."""
        self._last += 1
        self._change(
            "INSERT INTO requests VALUES (?, ?, ?, ?, ?)", (self._last, site, rank, kind, request)
        )
        return self._last

    def done(self, number: int) -> None:
        """Forget the request of that number."""
        self._change("DELETE FROM requests WHERE id = ?", (number,))

    def read(
        self, site: str, rank: int, beyond: int, count: int, *, newest_first: bool
    ) -> list[tuple[int, bytes]]:
        """The next *count* requests beyond number *beyond*: the oldest first, or the newest."""
        sign, order = ("<", "DESC") if newest_first else (">", "ASC")
        return self._execute(
            f"SELECT id, request FROM requests WHERE site = ? AND rank = ? AND id {sign} ? "  # noqa: S608
            f"ORDER BY id {order} LIMIT ?",
            (site, rank, beyond, count),
        ).fetchall()

    def queued(self) -> list[Queued]:
        """All requests that may be made, counted by site and rank."""
        rows = self._execute("SELECT site, rank, COUNT(*) FROM requests GROUP BY site, rank")
        return [Queued(*row) for row in rows]

    def sites(self, kind: str) -> list[tuple[str, int]]:
        """How many requests of *kind* there are, by site; a site may come twice."""
        return self._execute(
            "SELECT site, COUNT(*) FROM requests WHERE kind = :kind GROUP BY site UNION ALL "
            "SELECT site, COUNT(*) FROM kept WHERE kind = :kind GROUP BY site",
            {"kind": kind},
        ).fetchall()

    # Requests that are delayed; their table is called ``kept``

    def delay(self, until: float, site: str, rank: int, kind: str | None, request: bytes) -> None:
        """Add *request*, delayed until that moment (seconds since the epoch)."""
        self._change(
            "INSERT INTO kept (until, site, rank, kind, request) VALUES (?, ?, ?, ?, ?)",
            (until, site, rank, kind, request),
        )

    def delayed(self) -> int:
        """Count the delayed requests."""
        (count,) = self._execute("SELECT COUNT(*) FROM kept").fetchone()
        return int(count)

    def first_moment(self) -> float | None:
        """Return the moment of the first delayed request; None where there is none."""
        (until,) = self._execute("SELECT MIN(until) FROM kept").fetchone()
        return None if until is None else float(until)

    def delay_until_at_most(self, until: float) -> None:
        """Move later moments to *until*."""
        self._change("UPDATE kept SET until = ? WHERE until > ?", (until, until))

    def release(self, now: float, count: int) -> list[Released]:
        """Have at most *count* of those whose moment has come wait for their turn, in the order in
        which they were to come."""
        rows = self._execute(
            "SELECT id, site, rank, kind, request FROM kept WHERE until <= ? "
            "ORDER BY until, id LIMIT ?",
            (now, count),
        ).fetchall()
        released = []
        for number, site, rank, kind, request in rows:
            self._change("DELETE FROM kept WHERE id = ?", (number,))
            released.append(Released(site, rank, self.add(site, rank, kind, request), request))
        return released

    # What was seen

    def see(self, fingerprint: bytes) -> bool:
        """Remember *fingerprint*; False where it was there."""
        return self._change("INSERT OR IGNORE INTO seen VALUES (?)", (fingerprint,)) == 1

    def unsee(self, fingerprint: bytes) -> None:
        self._change("DELETE FROM seen WHERE fingerprint = ?", (fingerprint,))

    # What else is to be known when the crawl goes on

    def note(self, name: str, value: bytes) -> None:
        """Add *value* to the set *name*."""
        self._change("INSERT OR IGNORE INTO facts VALUES (?, ?)", (name, value))

    def noted(self, name: str) -> set[bytes]:
        return {
            value for (value,) in self._execute("SELECT value FROM facts WHERE name = ?", (name,))
        }

    @property
    def spider(self) -> str | None:
        """Name of the spider whose crawl this is; None in a new database."""
        return self._about("spider")

    @spider.setter
    def spider(self, name: str) -> None:
        self._change("INSERT INTO about VALUES ('spider', ?)", (name,))

    # Feeds

    def feed(self, path: str) -> tuple[int, int] | None:
        """Number and size in bytes of the feed at *path* as committed; None: not known yet."""
        row: tuple[int, int] | None = self._execute(
            "SELECT id, size FROM feeds WHERE path = ?", (path,)
        ).fetchone()
        return row

    def add_feed(self, path: str, size: int) -> int:
        """Its number. It is committed: what is appended from now on is beyond *size*.

        It is forced to the disk too, so that also an older state of the database knows the feed,
        and finds the records in it.
        """
        self._change("INSERT INTO feeds (path, size) VALUES (?, ?)", (path, size))
        (number,) = self._execute("SELECT last_insert_rowid()").fetchone()
        self.commit()
        self._checkpoint()
        return int(number)

    def resize_feed(self, feed: int, size: int) -> None:
        self._change("UPDATE feeds SET size = ? WHERE id = ?", (size, feed))

    def write(self, feed: int, key: bytes) -> bool:
        """Remember that *feed* holds *key*; False where it did."""
        return self._change("INSERT OR IGNORE INTO written VALUES (?, ?)", (feed, key)) == 1

    def unwrite(self, feed: int, key: bytes) -> None:
        self._change("DELETE FROM written WHERE feed = ? AND key = ?", (feed, key))

    # Transactions

    def _change(self, statement: str, values: Iterable[object]) -> int:
        """Rows changed by *statement*, in the open transaction."""
        if not self._changes:
            self._execute("BEGIN")
        self._changes += 1
        return self._execute(statement, tuple(values)).rowcount

    @property
    def is_due(self) -> bool:
        """Whether many changes wait for their commit."""
        return self._changes >= MAX_CHANGES

    def commit(self) -> None:
        if not self._changes:
            return
        crawl, commits = self._crawl, self._commits + 1
        if crawl is None:
            crawl = secrets.token_hex(8)
            self._execute("INSERT INTO about VALUES ('crawl', ?)", (crawl,))
        self._execute("INSERT OR REPLACE INTO about VALUES ('commits', ?)", (str(commits),))
        self._execute("COMMIT")
        self._changes, self._crawl, self._commits = 0, crawl, commits
        if not self._is_on_disk:
            self._checkpoint()
        self._mark.write(crawl, commits)

    def _checkpoint(self) -> None:
        """Force what is committed to the disk, and move it to the main file unless a reader is in
        the way."""
        self._execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        self._is_on_disk = True

    def roll_back(self) -> None:
        """Let go of what is not committed; what is open then can only be closed."""
        with suppress(sqlite3.Error):
            self._connection.rollback()
        self._changes = 0

    def close(self) -> None:
        """Close without a commit; harmless when called again."""
        with suppress(sqlite3.Error):
            self._connection.close()
        self._mark.close()

    def _about(self, name: str) -> str | None:
        row = self._execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])
