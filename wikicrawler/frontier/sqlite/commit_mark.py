"""The number of the database's last commit, in a file of its own beside the database.

A database that lost its ``-wal`` file, or was replaced by an older copy, is consistent in itself:
only something outside of it shows the loss.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

NAME = "commits"
_LENGTH = 200
"""Bytes of the file: each number overwrites the one before in place, in one write."""


class Mark(NamedTuple):
    """What the file says. A file that is torn or not ours says no more than that it exists."""

    crawl: str | None = None
    """Identity of the database; None if unknown."""
    commits: int = 0
    """The database has committed at least so often."""
    boot: str | None = None
    """Identity of the system start during which it was written; None if unknown."""


class CommitMark:
    """The file ``commits`` of a state folder.

    It is written after the commit that it counts. So a process that is killed in between leaves a
    number that is too low, never one that is too high. A power failure may leave one that is too
    high, because SQLite does not force each commit to the disk; then the system was started since.

    It is created after the first commit is on the disk. So its existence shows that there was one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None
        self._boot = boot_id()

    @property
    def exists(self) -> bool:
        return (self._folder / NAME).exists()

    def write(self, crawl: str, commits: int) -> None:
        """Note that the database *crawl* has committed *commits* times.

        A failure is ignored: the number stays too low, which is never taken for a loss.
        """
        mark = json.dumps(Mark(crawl, commits, self._boot)._asdict())
        line = mark.encode().ljust(_LENGTH - 1) + b"\n"
        with suppress(OSError):
            if self._file is None:
                self._create(line)
            else:
                os.pwrite(self._file, line, 0)

    def close(self) -> None:
        """Close the file; harmless when called again."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _create(self, line: bytes) -> None:
        """Replace the file as a whole, so that it is never empty or torn, not even by a power
        failure."""
        new = self._folder / f"{NAME}.new"
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(file, line)
            os.fsync(file)
            new.replace(self._folder / NAME)
        except OSError:
            os.close(file)
            raise
        self._file = file


def read_mark(folder: Path) -> Mark | None:
    """The mark in *folder*; None if there is none.

    :raises OSError: it cannot be read
    """
    try:
        with (folder / NAME).open("rb") as file:
            found = json.loads(file.read(_LENGTH))
        return Mark(str(found["crawl"]), int(found["commits"]), found["boot"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return Mark()


def boot_id() -> str | None:
    """Identity of the running system's start; None where the system has none (only Linux has)."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip() or None
    except (OSError, ValueError):
        return None
