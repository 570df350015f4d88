"""The journal of a Parquet file: rows as JSON lines beside it, until they are in it.

A Parquet file is read by its end, so one that is not finished has nothing. Lines survive a kill.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BATCH_BYTES = 32 * 1024 * 1024
"""Bytes of the lines that become one row group, unless one line alone has more."""
_MAX_HEADER = 500


class Header(NamedTuple):
    """The first line of a journal."""

    id: str
    replaces: bool
    """Whether its rows replace those of the file; else they are appended."""
    resumes: bool
    """Whether its crawl has a state folder, and needs it to go on after a kill: the frontier may
    not have committed the last rows."""
    size: int
    """Bytes of the line."""


class JournalLock:
    """Holds a journal for one process. The kernel releases it if the process dies."""

    def __init__(self, path: Path) -> None:
        """
        :raises BlockingIOError: another process holds it
        :raises OSError: it cannot be opened
        """
        self._file = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._file)
            raise BlockingIOError(error.errno, "another process writes to it") from None
        except OSError:
            os.close(self._file)
            raise

    def release(self) -> None:
        """Release it; harmless when called again."""
        with suppress(OSError):
            os.close(self._file)
        self._file = -1


def journal_of(path: Path) -> Path:
    """Return the path of the journal of the Parquet file at *path*."""
    return path.with_name(f"{path.name}.journal")


def begin_journal(path: Path, *, replaces: bool, resumes: bool = False) -> None:
    """Create the journal at *path*, which has its header from the first moment on.

    :raises OSError: it cannot be written
    """
    header = {"journal": uuid4().hex, "replaces": replaces, "resumes": resumes}
    line = json.dumps(header) + "\n"
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("wb") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink()
        raise


def read_header(path: Path) -> Header | None:
    """Return the header of the journal at *path*; None if there is no journal.

    :raises ConfigError: the file is no journal
    """
    try:
        with path.open("rb") as file:
            line = file.readline(_MAX_HEADER)
    except FileNotFoundError:
        return None
    found = None
    with suppress(ValueError):
        found = json.loads(line)
    if not isinstance(found, dict) or not isinstance(found.get("journal"), str):
        raise ConfigError(f"{one_line(path)}: is no journal of a Parquet file (move it away)")
    replaces, resumes = bool(found.get("replaces")), bool(found.get("resumes"))
    return Header(found["journal"], replaces, resumes, len(line))


def read_rows(path: Path, start: int, end: int) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows in those bytes of the journal, in batches of about :data:`BATCH_BYTES`.

    :raises ConfigError: a line is no row
    """
    rows: list[dict[str, Any]] = []
    size = 0
    with path.open("rb") as file:
        file.seek(start)
        while file.tell() < end and (line := file.readline()):
            if rows and size + len(line) > BATCH_BYTES:
                yield rows
                rows, size = [], 0
            rows.append(_row(line, path, file.tell() - len(line)))
            size += len(line)
    if rows:
        yield rows


def _row(line: bytes, path: Path, offset: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ConfigError(
            f"{one_line(path)}: has no row at byte {offset}: it is damaged (remove that line)"
        )
    return found
