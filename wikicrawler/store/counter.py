"""The number of attempts that a crawl has begun, in a file that survives a kill.

The number is written to the file before an attempt is passed to the database, so that the next
crawl can count the attempts that a killed crawl did not write. The kernel holds the lock of the
file while the process of the crawl lives.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MARK = "-run-"
_WIDTH = 20  # digits, so that a number is replaced as a whole


class RunCounter:
    """The counter file of one run."""

    def __init__(self, path: Path, file: int) -> None:
        self._path = path
        self._file = file

    @classmethod
    def create(cls, beside: Path, run: int) -> Self:
        """Create the counter of *run* with the value 0, in a file whose name starts with *beside*.

        :raises OSError: the file cannot be created
        """
        beside.parent.mkdir(parents=True, exist_ok=True)
        path = beside.with_name(f"{beside.name}{_MARK}{run}")
        fresh = path.with_name(f"{path.name}.new")
        file = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            counter = cls(path, file)
            counter.set(0)
            fresh.rename(path)  # locked from the first moment that others can find it
        except OSError:
            os.close(file)
            raise
        return counter

    def set(self, begun: int) -> None:
        """Set the number of attempts that have begun."""
        os.pwrite(self._file, b"%*d" % (_WIDTH, begun), 0)

    def remove(self) -> None:
        """Delete the file: the run has ended, and its lost attempts are recorded."""
        with suppress(OSError):
            self._path.unlink()
        self.leave()

    def leave(self) -> None:
        """Close the file and release its lock, as the end of the process does."""
        with suppress(OSError):
            os.close(self._file)


class Killed(NamedTuple):
    """A run whose process has ended without removing its counter."""

    run: int
    begun: int
    counter: RunCounter


def killed_runs(beside: Path) -> Iterator[Killed]:
    """Yield the runs that were killed. Only one process gets each of them; after recording the
    lost attempts it removes the counter."""
    prefix = beside.name + _MARK
    for path in sorted(beside.parent.glob("*")):
        number = path.name.removeprefix(prefix)
        if number == path.name or not (number.isascii() and number.isdigit()):
            continue
        with suppress(OSError, ValueError):
            file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                begun = int(os.pread(file, _WIDTH, 0))
                if not os.fstat(file).st_nlink:
                    raise FileNotFoundError  # another process was faster
            except (OSError, ValueError):  # or the run is alive
                os.close(file)
                raise
            yield Killed(int(number), begun, RunCounter(path, file))
