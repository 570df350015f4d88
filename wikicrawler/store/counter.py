"""How many attempts a crawl has begun, in a file that outlives the crawl's being killed.

The number stands in the file before an attempt is handed to the database, so that what a killed
crawl had not written can be counted by the next one. The kernel holds the file's lock for as long
as the crawl lives.
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
    """The file of one run.

    :raises OSError: it cannot be made
    """

    def __init__(self, path: Path, file: int) -> None:
        self._path = path
        self._file = file

    @classmethod
    def create(cls, beside: Path, run: int) -> Self:
        """The counter of *run*, in a file whose name begins like *beside*, at 0."""
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
        """So many attempts have begun."""
        os.pwrite(self._file, b"%*d" % (_WIDTH, begun), 0)

    def remove(self) -> None:
        """The run has ended, and told what became of its attempts."""
        with suppress(OSError):
            self._path.unlink()
        self.leave()

    def leave(self) -> None:
        """Let go of the file, as the end of the process does."""
        with suppress(OSError):
            os.close(self._file)


class Killed(NamedTuple):
    """A run whose process is gone."""

    run: int
    begun: int
    counter: RunCounter


def killed_runs(beside: Path) -> Iterator[Killed]:
    """The runs that ended without a word. Each is given to one process; who has dealt with it
    removes its counter."""
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
