"""A file that is being downloaded, and what is needed to continue it after a kill.

Beside the target lie ``<target>.part`` with the bytes that have arrived, and ``<target>.part.json``
with the origin of these bytes. A part without a readable state, or of another URL, is not
continued.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

_MAX_STATE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class PartState:
    """The origin of the bytes of a part."""

    url: str
    """That answered with these bytes: after redirects."""
    validator: str | None = None
    """For ``If-Range``: a strong ETag, or the date of the last modification. None: the part cannot
    be continued."""
    length: int | None = None
    """Bytes of the whole file, if the server declares it."""


class PartialFile:
    """The part of *target*. All methods are synchronous, and raise :class:`OSError`."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(target.name + ".part")
        self.state_path = target.with_name(target.name + ".part.json")
        self._file: FileIO | None = None
        self.size = 0
        """Bytes on the disk, as of the last call."""

    def load(self) -> PartState | None:
        """Return the state of a part that can be continued; None if there is none."""
        self.close()
        try:
            self.size = self.path.stat().st_size
            state = _read_state(self.state_path)
        except (OSError, ValueError, TypeError):
            self.size = 0
            return None
        usable = state.validator is not None and self.size > 0
        return state if usable and self.size <= (state.length or self.size) else None

    def start(self, state: PartState) -> None:
        """Begin anew, for the bytes that *state* describes."""
        self.close()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # The old bytes go first: a kill in between must not leave them with the new state.
        self._file = self.path.open("wb", buffering=0)
        self.size = 0
        new = self.state_path.with_name(self.state_path.name + ".new")
        new.write_text(json.dumps(asdict(state)), "utf-8")
        new.replace(self.state_path)

    def write(self, data: bytes | bytearray) -> None:
        """Append *data*."""
        if self._file is None:
            self._file = self.path.open("ab", buffering=0)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) or 0 :]
        self.size += len(data)

    def finish(self) -> None:
        """Make the part the target, safe from a power failure too."""
        self.write(b"")
        assert self._file is not None  # noqa: S101 - write() opens it
        os.fsync(self._file.fileno())
        self.close()
        self.path.replace(self.target)
        self.state_path.unlink(missing_ok=True)
        folder = os.open(self.target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def discard(self) -> None:
        """Remove the part."""
        self.close()
        self.size = 0
        self.path.unlink(missing_ok=True)
        self.state_path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file, and keep it."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _read_state(path: Path) -> PartState:
    """:raises ValueError: it is damaged"""
    with path.open("rb") as file:
        found = json.loads(file.read(_MAX_STATE_BYTES))
    state = PartState(**found)
    if not isinstance(state.url, str) or not isinstance(state.validator, (str, type(None))):
        raise ValueError("a wrong type")
    if not isinstance(state.length, (int, type(None))):
        raise ValueError("a wrong type")
    return state
