"""The state of a crawl in one SQLite database: its rows and transactions.

A row of ``requests`` is a request that is not done: it is written when the request is scheduled and
deleted when its page is done. A request that is delayed is a row of ``kept`` until its moment.
Which requests are under way only the process knows, so all of them are pending again when it is
gone. Changes gather in one open transaction; what is not committed when the process is killed has
not happened.

Two checks find damage that SQLite cannot see. Each request has a checksum beside it, and its URL:
one that is damaged is read as :class:`~wikicrawler.frontier.protocol.Unreadable`. The rest is in
the sums of :mod:`~wikicrawler.frontier.sqlite.sums`.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Self
from zlib import crc32

from wikicrawler.frontier.sqlite import sums
from wikicrawler.frontier.sqlite.commit_mark import CommitMark
from wikicrawler.frontier.sqlite.file import NAME, OPENING_ERRORS, commits_of, connect, unusable
from wikicrawler.frontier.sqlite.rows import Queued, Released, checked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from wikicrawler.frontier.protocol import Unreadable

MAX_CHANGES = 500
"""Changes after which a transaction is to be committed, if it was not by the clock."""


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
        (last,) = self._execute("SELECT MAX(id) FROM kept").fetchone()
        self._last_delayed = last or 0
        self._feeds = dict(self._rows_of_feeds())
        self._sums = sums.read(self._about(sums.NAME))
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
        except OPENING_ERRORS as error:
            connection.close()
            raise unusable(folder / NAME, error) from None

    # Requests

    def add(
        self, site: str, rank: int, kind: str | None, request: bytes, *, url: bytes = b""
    ) -> int:
        """Add *request*, which is for *url*; return its number, greater than any before."""
        return self._add(site, rank, kind, (request, url, crc32(request)))

    def _add(self, site: str, rank: int, kind: str | None, stored: tuple[bytes, bytes, int]) -> int:
        self._last = number = self._last + 1
        self._change(
            "INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, site, rank, kind, *stored),
        )
        self._sums["requests"] += sums.of_number(number)
        return number

    def done(self, number: int) -> None:
        """Forget the request of that number."""
        if self._change("DELETE FROM requests WHERE id = ?", (number,)):
            self._sums["requests"] -= sums.of_number(number)

    def read(
        self, site: str, rank: int, beyond: int, count: int, *, newest_first: bool
    ) -> list[tuple[int, bytes | Unreadable]]:
        """The next *count* requests beyond number *beyond*: the oldest first, or the newest."""
        sign, order = ("<", "DESC") if newest_first else (">", "ASC")
        rows = self._execute(
            "SELECT id, request, url, sum FROM requests "  # noqa: S608
            f"WHERE site = ? AND rank = ? AND id {sign} ? ORDER BY id {order} LIMIT ?",
            (site, rank, beyond, count),
        )
        return [(number, checked(request, url, found)) for number, request, url, found in rows]

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

    def delay(
        self,
        until: float,
        site: str,
        rank: int,
        kind: str | None,
        request: bytes,
        *,
        url: bytes = b"",
    ) -> None:
        """Add *request*, delayed until that moment (seconds since the epoch)."""
        self._last_delayed = number = self._last_delayed + 1
        self._change(
            "INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (number, until, site, rank, kind, request, url, crc32(request)),
        )
        self._sums["kept"] += sums.of_row(number, site, rank, kind)

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
            "SELECT id, site, rank, kind, request, url, sum FROM kept WHERE until <= ? "
            "ORDER BY until, id LIMIT ?",
            (now, count),
        ).fetchall()
        released = []
        for delayed, site, rank, kind, request, url, found in rows:
            self._change("DELETE FROM kept WHERE id = ?", (delayed,))
            self._sums["kept"] -= sums.of_row(delayed, site, rank, kind)
            number = self._add(site, rank, kind, (request, url, found))
            released.append(Released(site, rank, number, checked(request, url, found)))
        return released

    # What was seen

    def see(self, fingerprint: bytes) -> bool:
        """Remember *fingerprint*; False where it was there."""
        if self._change("INSERT OR IGNORE INTO seen VALUES (?)", (fingerprint,)) != 1:
            return False
        self._sums["seen"] += crc32(fingerprint)
        return True

    def unsee(self, fingerprint: bytes) -> None:
        if self._change("DELETE FROM seen WHERE fingerprint = ?", (fingerprint,)):
            self._sums["seen"] -= crc32(fingerprint)

    # What else is to be known when the crawl goes on

    def note(self, name: str, value: bytes) -> None:
        """Add *value* to the set *name*."""
        if self._change("INSERT OR IGNORE INTO facts VALUES (?, ?)", (name, value)) == 1:
            self._sums["facts"] += sums.of_row(name, value)

    def noted(self, name: str) -> set[bytes]:
        return {
            value for (value,) in self._execute("SELECT value FROM facts WHERE name = ?", (name,))
        }

    def has_noted(self, name: str, value: bytes) -> bool:
        query = "SELECT EXISTS (SELECT 1 FROM facts WHERE name = ? AND value = ?)"
        return bool(self._execute(query, (name, value)).fetchone()[0])

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
        self._feeds[number] = (path, size)
        self.commit()
        self._checkpoint()
        return int(number)

    def resize_feed(self, feed: int, size: int) -> None:
        if self._change("UPDATE feeds SET size = ? WHERE id = ?", (size, feed)):
            self._feeds[feed] = (self._feeds[feed][0], size)

    def write(self, feed: int, key: bytes) -> bool:
        """Remember that *feed* holds *key*; False where it did."""
        if self._change("INSERT OR IGNORE INTO written VALUES (?, ?)", (feed, key)) != 1:
            return False
        self._sums["written"] += sums.of_row(feed, key)
        return True

    def unwrite(self, feed: int, key: bytes) -> None:
        if self._change("DELETE FROM written WHERE feed = ? AND key = ?", (feed, key)):
            self._sums["written"] -= sums.of_row(feed, key)

    def _rows_of_feeds(self) -> list[tuple[int, tuple[str, int]]]:
        rows = self._execute("SELECT id, path, size FROM feeds")
        return [(number, (path, size)) for number, path, size in rows]

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
        feeds = self._feeds.items()
        self._sums["feeds"] = sum(sums.of_row(feed, *known) for feed, known in feeds)
        self._execute(
            "INSERT OR REPLACE INTO about VALUES ('commits', ?), (?, ?)",
            (str(commits), sums.NAME, sums.write(self._sums)),
        )
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
