"""Refuse a state folder whose database has lost what a crawl wrote to it.

Without this check such a crawl would begin anew and write its records to the feed a second time.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.errors import StateError
from wikicrawler.frontier.sqlite import commit_mark, sums
from wikicrawler.frontier.sqlite.commit_mark import Mark, boot_id, read_mark
from wikicrawler.frontier.sqlite.file import (
    NAME,
    OPENING_ERRORS,
    check_version,
    commits_of,
    unusable,
)
from wikicrawler.frontier.sqlite.sums import wrong_table
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

logger = logging.getLogger(__name__)

_WAL = f"{NAME}-wal"
_SHM = f"{NAME}-shm"
_SPIDER_STATE = "spider.state"
_REMEDY = (
    "Restore {what}, or crawl anew: with another JOBDIR and -O, or after removing the folder and "
    "the output"
)


class _Database(NamedTuple):
    """What a database says about itself."""

    version: int = 0
    crawl: str | None = None
    commits: int = 0


def refuse_loss(folder: Path) -> bool:
    """Examine the database in *folder* and change nothing, so that what is missing can be restored.

    The folder of a crawl that was killed at any moment passes. A missing mark is no evidence.

    Return True if the system was restarted since: files may lack what was written last.

    :raises StateError: the database is missing, empty, damaged, of another crawl or version, or
        older than the last commit
    """
    path = folder / NAME
    try:
        mark = read_mark(folder)
        if not _size(path):
            _refuse_empty(folder, mark)
            return False
        found = _examine(folder)
    except (*OPENING_ERRORS, OSError) as error:
        raise unusable(path, error) from None
    if not found.version:
        _refuse_without_tables(folder, mark)
    elif mark is not None:
        _refuse_older(folder, mark, found)
    return mark is not None and (mark.boot is None or mark.boot != boot_id())


def _examine(folder: Path) -> _Database:
    """Read what the database says about itself, and check its structure and its sums.

    The check reads the whole file.
    """
    path = folder / NAME
    if _size(folder / f"{NAME}-journal"):
        mode = "rw"  # killed while the database was created: SQLite rolls that back
    elif _size(folder / _WAL):
        mode = "ro"
    else:
        mode = "ro&immutable=1"  # or SQLite would create the -wal, whose absence is evidence
    address = f"{path.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(address, uri=True)) as database:
        version = check_version(path, database)
        if not version:
            if database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
                raise StateError(
                    f"{one_line(path)}: is a database of another program; name another JOBDIR"
                )
            return _Database()
        (result,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if result != "ok":
            # The line before says "in database main".
            raise _damage(one_line(result.splitlines()[-1], 200))
        database.text_factory = bytearray
        about = {
            name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
            for name, value in database.execute("SELECT name, CAST(value AS TEXT) FROM about")
        }
        if (table := wrong_table(database, about.get(sums.NAME))) is not None:
            raise _damage(f"the rows of the table {table} are not those that were committed")
        return _Database(version, about.get("crawl"), commits_of(database))


def _damage(why: str) -> sqlite3.DatabaseError:
    damage = sqlite3.DatabaseError(why)
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return damage


def _refuse_empty(folder: Path, mark: Mark | None) -> None:
    """There is no database, or one of no bytes."""
    # SQLite creates the other two after the first page of the database is on the disk.
    others = (_SPIDER_STATE, _WAL, _SHM)
    evidence = [commit_mark.NAME] if mark is not None else []
    evidence += [name for name in others if (folder / name).exists()]
    if evidence:
        state = "is empty" if (folder / NAME).exists() else "is missing"
        _refuse(folder, f"{NAME} {state}, but {evidence[0]} is from a crawl in this folder", NAME)


def _refuse_without_tables(folder: Path, mark: Mark | None) -> None:
    """The database was created, and nothing was ever committed, or what was is lost."""
    evidence = None
    if mark is not None:
        evidence = commit_mark.NAME
    elif (folder / _SPIDER_STATE).exists():
        evidence = _SPIDER_STATE
    elif (folder / _SHM).exists() and not (folder / _WAL).exists():
        evidence = _SHM  # SQLite creates it after the -wal and removes it before
    if evidence is not None:
        _refuse(
            folder,
            f"{NAME} has nothing in it, but {evidence} is from a crawl in this folder (was {_WAL} "
            "removed?)",
            _WAL,
        )


def _refuse_older(folder: Path, mark: Mark, found: _Database) -> None:
    if None not in {mark.crawl, found.crawl} and mark.crawl != found.crawl:
        _refuse(folder, f"{NAME} is of another crawl than {commit_mark.NAME}", NAME)
    missing = mark.commits - found.commits
    if missing <= 0:
        return
    # A power failure may cost commits, but not the -wal: SQLite forces its head to the disk before
    # the first commit in it.
    if _size(folder / _WAL) and (mark.boot is None or mark.boot != boot_id()):
        logger.warning(
            "JOBDIR %s: lacks the last %d commits of the crawl, as after a power failure: pages of "
            "that time are fetched again",
            one_line(folder),
            missing,
        )
        return
    _refuse(
        folder,
        f"{NAME} lacks the last {missing} of the crawl's {mark.commits} commits (was {_WAL} "
        "removed or damaged, or is this an older copy?)",
        f"it, or remove {one_line(folder / commit_mark.NAME)} to go on from the older state",
    )


def _refuse(folder: Path, finding: str, what: str) -> None:
    """:raises StateError: always"""
    raise StateError(f"JOBDIR {one_line(folder)}: {finding}\n{_REMEDY.format(what=what)}")


def _size(path: Path) -> int:
    """Bytes in the file at *path*; 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
