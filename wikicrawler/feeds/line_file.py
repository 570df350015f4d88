"""A file of lines of which none is ever torn."""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

logger = logging.getLogger(__name__)

_CHUNK = 65_536


class LineFile:
    """Appends to the file at *path*: each :meth:`write` is one line, on the file when it returns,
    or not at all."""

    def __init__(self, path: Path, *, truncate: bool = False) -> None:
        self._file = path.open("wb" if truncate else "ab", buffering=0)

    @property
    def size(self) -> int:
        """Bytes in the file; 0 for a pipe or a device."""
        return os.fstat(self._file.fileno()).st_size

    def write(self, line: bytes) -> None:
        """
        :raises OSError: it could not be written; what was written of it is taken back
        """
        before = self.size
        rest = memoryview(line)
        try:
            while rest:  # a disk that becomes full takes a part, and refuses the rest
                rest = rest[self._file.write(rest) :]
        except OSError:
            with suppress(OSError):  # of a pipe nothing can be taken back
                os.ftruncate(self._file.fileno(), before)
            raise

    def close(self) -> None:
        self._file.close()


def mend(path: Path) -> None:
    """Cut the torn last line of the JSON lines in the file at *path*, which a killed process left.

    A last line that is whole but for its end gets it.

    :raises OSError: it cannot be read or written
    """
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        begin = begin_of_last_line(file.fileno(), size)
        if begin == size:
            return
        rest = os.pread(file.fileno(), size - begin, begin)
        if is_torn(rest):
            logger.warning(
                "%s: its last line was torn: %d bytes of it are cut", one_line(path), len(rest)
            )
            file.truncate(begin)
        else:
            file.write(b"\n")


def is_torn(rest: bytes) -> bool:
    """Whether *rest*, which has no line end, is what is left of a record. What does not begin as
    one is none of ours to cut; a power failure may leave zeros."""
    if not rest.startswith(b"{"):
        return not rest.strip(b"\0")
    try:
        json.loads(rest)
    except ValueError:
        return True
    return False


def begin_of_last_line(file: int, size: int) -> int:
    """Where what follows the last line end of the first *size* bytes begins; *size* where nothing
    does."""
    end = size
    while end > 0:
        begin = max(0, end - _CHUNK)
        found = os.pread(file, end - begin, begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0
