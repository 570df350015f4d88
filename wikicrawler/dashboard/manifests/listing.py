"""The text of a manifest beside its faults: lines with numbers, and marks where a fault is."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wikicrawler.sources.manifest.faults import Fault
    from wikicrawler.sources.manifest.reader import Reading

MAX_LINES = 600
"""Number of lines up to which a text is shown whole."""
_AROUND = 3
"""Lines before and after one with a fault that are shown of a longer text."""
_WIDTH = 300
"""Characters up to which a line is shown whole."""
_BESIDE = 80
"""Characters before and after a fault that are shown of a longer line."""
_MARKS = 10
"""Number of faults that are marked in a line."""
_END = re.compile(r"\r\n?|\n")
_TOKEN = re.compile(r'[^\s,"]{1,40}|"[^"]{0,40}"?|.', re.DOTALL)


class Piece(NamedTuple):
    """A part of a line."""

    text: str
    is_marked: bool


class Line(NamedTuple):
    """A line that is shown."""

    number: int
    pieces: tuple[Piece, ...]
    has_fault: bool
    skipped: int
    """Number of lines before it that are not shown."""


class Listing(NamedTuple):
    """The text that is shown."""

    lines: tuple[Line, ...]
    rest: int
    """Number of lines after the last one that are not shown."""

    @property
    def numbers(self) -> frozenset[int]:
        """The lines that are shown."""
        return frozenset(line.number for line in self.lines)


def listing_of(reading: Reading, faults: Sequence[Fault]) -> Listing:
    """Return the text of *reading*: the whole of a short one, else what surrounds *faults*."""
    text = reading.data.decode("utf-8-sig", "replace")
    columns = {
        line: tuple(fault.place.column for fault in found)
        for line, found in groupby(sorted(faults), key=lambda fault: fault.place.line)
    }
    count = 1 + sum(1 for _ in _END.finditer(text))
    wanted = range(1, count + 1) if count <= MAX_LINES else _surroundings(columns, count)
    lines, last = [], 0
    for number, start, end in _spans(text, wanted):
        pieces = tuple(_pieces(text, start, end, columns.get(number, ())))
        lines.append(Line(number, pieces, number in columns, number - last - 1))
        last = number
    return Listing(tuple(lines), count - last)


def _surroundings(columns: Iterable[int], count: int) -> Sequence[int]:
    """Return the numbers of the lines around those with faults; the first ones without faults."""
    centres = [*columns] or [1 + _AROUND]
    near = {n for line in centres for n in range(line - _AROUND, line + _AROUND + 1)}
    return sorted(number for number in near if 1 <= number <= count)


def _spans(text: str, wanted: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield number, start and end of each line in *wanted*, which is sorted."""
    waiting = iter(wanted)
    following = next(waiting, 0)
    start = 0
    for number, found in enumerate(_END.finditer(text), 1):
        if number == following:
            yield number, start, found.start()
            following = next(waiting, 0)
            if not following:
                return
        start = found.end()
    if following:
        yield following, start, len(text)


def _pieces(text: str, start: int, end: int, columns: Sequence[int]) -> Iterator[Piece]:
    """Yield the parts of the line from *start* to *end*."""
    marks = _marks(text, start, end, columns[:_MARKS])
    is_whole = end - start <= _WIDTH
    if not marks:
        yield Piece(text[start : min(end, start + _WIDTH)], is_marked=False)
        if not is_whole:
            yield Piece("…", is_marked=False)
        return
    at = start
    for first, last in marks:
        if first < at:  # within the mark before
            continue
        shown_from = at if is_whole else max(at, first - _BESIDE)
        if shown_from > at:
            yield Piece("…", is_marked=False)
        yield Piece(text[shown_from:first], is_marked=False)
        yield Piece(text[first:last], is_marked=True)
        at = last
    shown_to = end if is_whole else min(end, at + _BESIDE)
    yield Piece(text[at:shown_to], is_marked=False)
    if shown_to < end:
        yield Piece("…", is_marked=False)


def _marks(text: str, start: int, end: int, columns: Sequence[int]) -> list[tuple[int, int]]:
    """Return where the values begin and end that have faults."""
    found = []
    for column in columns:
        first = min(start + column - 1, end)
        token = _TOKEN.match(text, first, end)
        found.append((first, token.end() if token else first))
    return found
