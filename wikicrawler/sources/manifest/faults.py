"""Faults of a manifest, with their places."""

from __future__ import annotations

from typing import NamedTuple

from wikicrawler.text.safe import one_line

MAX_FAULTS = 200
"""Maximum number of faults that are collected from one file."""

Path = tuple[str | int, ...]
"""Keys and indexes from the root to a value."""


class Place(NamedTuple):
    """A position in a file; both numbers start at 1, columns count characters."""

    line: int
    column: int


class Fault(NamedTuple):
    """Something wrong with a manifest, or a notice about it."""

    place: Place
    path: Path
    message: str
    """What is wrong and, in brackets, what would be right."""

    @property
    def pointer(self) -> str:
        """The JSON pointer (RFC 6901) of the value; empty for the whole document."""
        return "".join(f"/{_escape(str(part))}" for part in self.path)

    def __str__(self) -> str:
        """Return ``line:column: pointer: message`` in one printable line."""
        pointer = f"{self.pointer}: " if self.path else ""
        return one_line(f"{self.place.line}:{self.place.column}: {pointer}{self.message}", 1_000)


class Faults:
    """The faults and notices of one file, as they are found."""

    def __init__(self) -> None:
        self._faults: set[Fault] = set()
        self._notices: set[Fault] = set()

    def add(self, place: Place, path: Path, message: str) -> None:
        """Add a fault, unless there are :data:`MAX_FAULTS` already."""
        if not self.is_full:
            self._faults.add(Fault(place, path, message))

    def notice(self, place: Place, path: Path, message: str) -> None:
        """Add a notice, which does not make the manifest invalid."""
        if len(self._notices) < MAX_FAULTS:
            self._notices.add(Fault(place, path, message))

    @property
    def is_full(self) -> bool:
        return len(self._faults) >= MAX_FAULTS

    @property
    def found(self) -> tuple[Fault, ...]:
        """The faults in the order of their places."""
        return tuple(sorted(self._faults, key=_order))

    @property
    def notices(self) -> tuple[Fault, ...]:
        """The notices in the order of their places."""
        return tuple(sorted(self._notices, key=_order))


def _order(fault: Fault) -> tuple[Place, str, str]:
    return fault.place, fault.pointer, fault.message


def _escape(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
