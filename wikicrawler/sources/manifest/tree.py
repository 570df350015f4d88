"""Values of a JSON or YAML text, with the place of each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from wikicrawler.sources.manifest.faults import Place
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.sources.manifest.faults import Faults, Path

MAX_DEPTH = 20
"""Maximum number of objects and lists around a value. A manifest needs five."""
MAX_VALUES = 200_000
MAX_KEY = 200  # characters

_START = Place(1, 1)
_NOT_PLAIN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class Unreadable(Exception):  # noqa: N818 - ends the reading of a text; the fault has the message
    """The rest of a text cannot be read; the fault has been added."""


@dataclass(slots=True)
class _Frame:
    """An object or a list that is being read."""

    container: dict[str, Any] | list[Any]
    part: str | int | None
    """Key or index of the container in its parent; None for the root."""
    is_dropped: bool
    """Whether the container is the value of a key that is not kept."""
    key: str | None = None
    """Key of the next value of an object; None if that value is dropped."""


@dataclass(slots=True)
class _Marks:
    """Places in one object or list, by key or index."""

    keys: dict[str, Place] = field(default_factory=dict)
    values: dict[str | int, Place] = field(default_factory=dict)


class Tree:
    """Builds the values of a text from the events of its reader, and knows their places.

    Duplicate and overlong keys are faults, and their values are dropped. So are texts that contain
    control characters or lone surrogates, which no database and no header takes.
    """

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.root: Any = None
        self._root_place = _START
        self._frames: list[_Frame] = []
        self._marks: dict[int, _Marks] = {}  # by the identity of the container, which root keeps
        self._dropped: list[Any] = []  # keeps dropped containers alive: identities stay unique
        self._refused: set[Path] = set()
        self._count = 0

    # --- Events

    @property
    def depth(self) -> int:
        """Number of objects and lists that have begun and not ended."""
        return len(self._frames)

    @property
    def in_object(self) -> bool:
        """Whether the innermost container is an object."""
        return bool(self._frames) and isinstance(self._frames[-1].container, dict)

    def begin(self, container: dict[str, Any] | list[Any], place: Place) -> None:
        """Begin an object or a list, which is empty."""
        is_kept = self._add(container, place)
        if len(self._frames) >= MAX_DEPTH:
            self.stop(place, f"is nested more than {MAX_DEPTH} deep (a manifest needs five levels)")
        part = self._next_part(-1) if self._frames else None
        if not is_kept:
            self._dropped.append(container)
        self._marks[id(container)] = _Marks()
        self._frames.append(_Frame(container, part, not is_kept))

    def end(self) -> None:
        """End the innermost object or list."""
        self._frames.pop()

    def key(self, text: str, place: Place) -> None:
        """Take the key of the next value in the innermost container, an object."""
        frame = self._frames[-1]
        marks = self._marks[id(frame.container)]
        frame.key = None
        if len(text) > MAX_KEY:
            self.fault(place, f"a key has {len(text):,} characters (at most {MAX_KEY})")
        elif not _is_plain(text):
            self.fault(
                place, f"the key {quoted(text, 40)} contains a control character (remove it)"
            )
        elif text in marks.keys:
            first = marks.keys[text].line
            self.fault(place, f"appears twice (first in line {first}; keep one)", text)
        else:
            marks.keys[text] = place
            frame.key = text

    def no_key(self) -> None:
        """Drop the next value in the innermost container, whose key is invalid."""
        self._frames[-1].key = None

    def scalar(self, value: Any, place: Place) -> None:
        """Add a text, number, Boolean or None."""
        self._add(value, place)
        if isinstance(value, str) and not _is_plain(value):
            self.refuse(place, "contains a control character or half a character (remove it)")

    def refuse(self, place: Place, message: str) -> None:
        """Add a fault of the value that was added last; it is not checked further."""
        part = self._next_part(-1)
        path = self._path(part)
        if not self._frames or not (part is None or self._frames[-1].is_dropped):
            self._refused.add(path)
        self.faults.add(place, path, message)

    def fault(self, place: Place, message: str, *below: str) -> None:
        """Add a fault of the innermost container, or of a value *below* it.

        :raises Unreadable: there are too many faults to go on
        """
        self.faults.add(place, (*self._path(), *below), message)
        if self.faults.is_full:
            raise Unreadable

    def stop(self, place: Place, message: str) -> NoReturn:
        """Add a fault after which the text cannot be read any more.

        :raises Unreadable: always
        """
        self.fault(place, message)
        raise Unreadable

    # --- Places

    def place(self, path: Sequence[str | int]) -> Place:
        """Return the place of the value at *path*, or that of the nearest value around it."""
        return self._find(path, of_key=False)

    def key_place(self, path: Sequence[str | int]) -> Place:
        """Return the place of the key of the value at *path*."""
        return self._find(path, of_key=True)

    def is_refused(self, path: Path) -> bool:
        """Return whether the value at *path*, or one around it, has been refused."""
        return any(path[:length] in self._refused for length in range(len(path) + 1))

    def _find(self, path: Sequence[str | int], *, of_key: bool) -> Place:
        place, value = self._root_place, self.root
        for number, part in enumerate(path, 1):
            marks = self._marks.get(id(value))
            if marks is None or part not in marks.values:
                return place
            is_last = number == len(path)
            place = marks.values[part]
            if is_last and of_key and isinstance(part, str):
                return marks.keys[part]
            value = value[part]
        return place

    def _add(self, value: Any, place: Place) -> bool:
        """Add *value* to the innermost container; return whether it is kept."""
        self._count += 1
        if self._count > MAX_VALUES:
            self.stop(place, f"has more than {MAX_VALUES:,} values (split the manifest)")
        if not self._frames:
            self.root, self._root_place = value, place
            return True
        frame = self._frames[-1]
        marks = self._marks[id(frame.container)]
        if isinstance(frame.container, list):
            marks.values[len(frame.container)] = place
            frame.container.append(value)
        elif frame.key is None:
            return False
        else:
            marks.values[frame.key] = place
            frame.container[frame.key] = value
        return not frame.is_dropped

    def _next_part(self, shift: int) -> str | int | None:
        """Return the key or index of the value that was added last (*shift* -1)."""
        if not self._frames:
            return None
        frame = self._frames[-1]
        return len(frame.container) + shift if isinstance(frame.container, list) else frame.key

    def _path(self, *below: str | int | None) -> Path:
        parts = (*(frame.part for frame in self._frames), *below)
        return tuple(part for part in parts if part is not None)


def _is_plain(text: str) -> bool:
    """Return whether *text* contains no control characters except line ends and tabs, and no lone
    surrogates."""
    return text.isprintable() or _NOT_PLAIN.search(text) is None
