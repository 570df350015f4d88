"""Expansion of the rows of a table to a grid, with spanning cells repeated for their readers.

A reader of one row, or of one column, needs the labels that span it. What is repeated beyond that
only makes the table longer, so it is bounded by what the table itself has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_COLSPAN = 1000
"""Maximum colspan, as in the HTML standard. A rowspan ends with its row group."""
SPAN_BUDGET = 200_000
"""Maximum characters that the labels of rows repeat in a table; others are written once."""
MAX_PLACES = 40_000
"""Maximum places that the cells of a table cover beside their first, and maximum blank cells that
pad its rows.

Beyond the limit, spans count as 1 and short rows are not padded, which GFM accepts."""
MIN_BUDGET = 300
"""Characters that the other spans of a table may repeat, however little the table has."""
MAX_LABEL = 60
"""Maximum visible characters of a cell for it to count as the label of the rows that it spans."""

_CELL_MARKS = 3  # the bar and the spaces around a cell
_LINK = re.compile(r"(?<!!)\[([^][\\`*_~<>&:]+)\]\([^()\s]*\)")
_TARGET = re.compile(r"\]\([^()\s]*\)")
_UNSAFE = frozenset("`*_~")


@dataclass(slots=True)
class Cell:
    """A cell; *text* is Markdown on one line."""

    text: str
    header: bool = False
    colspan: int = 1
    rowspan: int = 1


@dataclass(slots=True)
class Row:
    """A table row; *group* is the number of its ``thead``, ``tbody`` or ``tfoot``."""

    group: int = 0
    head: bool = False
    cells: list[Cell] = field(default_factory=list)


def expand(rows: Sequence[Row]) -> list[list[str]]:
    """Return the texts of *rows* as a grid.

    - A cell that is alone in its row is written once, in its first column.
    - A short cell is repeated, without its links, in its first column of each row that it spans.
    - In the other places that they cover, cells are repeated, the shortest first, as long as they
      repeat no more characters than the table has without them. Other places are blank.

    All rows have the same length, unless padding them would exceed ``MAX_PLACES``.
    """
    spanning = [any(cell.colspan != 1 or cell.rowspan != 1 for cell in row.cells) for row in rows]
    if any(spanning):
        lines = _spanned(rows, spanning)
    else:
        lines = [[cell.text for cell in row.cells] for row in rows]
    width = max(map(len, lines), default=0)
    if sum(width - len(line) for line in lines) > MAX_PLACES:
        return lines
    return [line + [""] * (width - len(line)) for line in lines]


def _spanned(rows: Sequence[Row], spanning: Sequence[bool]) -> list[list[str]]:
    grid = _Grid({row.group: index for index, row in enumerate(rows)})
    for index, (row, spans) in enumerate(zip(rows, spanning, strict=True)):
        grid.add(index, row, spans=spans)
    return grid.texts()


class _Placed:
    """A cell in its grid.

    *place* is its first (row, column). It covers *down* places below it and *beside* in other
    columns, in which its text is *again*.
    """

    __slots__ = ("again", "beside", "down", "place", "text")

    def __init__(self, text: str, place: tuple[int, int]) -> None:
        self.text = self.again = text
        self.place = place
        self.down = self.beside = 0

    @property
    def cost(self) -> int:
        return len(self.again) + _CELL_MARKS

    @property
    def is_label(self) -> bool:
        return len(_TARGET.sub("", self.text)) <= MAX_LABEL


class _Grid:
    """The rows of a table, one after the other.

    Most rows have no cell that spans and none above that reaches them. They are only texts.
    """

    def __init__(self, last_of_group: dict[int, int]) -> None:
        self._last_of_group = last_of_group
        self._cells: list[_Placed] = []  # those that span
        self._size = 0  # of the table, with nothing repeated
        self._texts: list[list[str]] = []
        self._lines: dict[int, list[str | _Placed | None]] = {}  # where a cell spans
        self._places = MAX_PLACES
        # column → (last row covered by a cell above, that cell)
        self._covered: dict[int, tuple[int, _Placed]] = {}

    def add(self, index: int, row: Row, *, spans: bool) -> None:
        # Drop ended spans here, because a wide cell may overlap one and hide its end.
        if self._covered:
            self._covered = {
                column: cover
                for column, cover in self._covered.items()
                if cover[0] >= index and self._places > 0
            }
        texts = [cell.text for cell in row.cells]
        self._texts.append(texts)
        self._size += sum(map(len, texts)) + _CELL_MARKS * len(texts)
        if not spans and not self._covered:
            return
        line: list[str | _Placed | None] = []
        last_covered = max(self._covered, default=-1)
        cells = row.cells[::-1]
        while cells or len(line) <= last_covered:
            if cover := self._covered.get(len(line)):
                placed = cover[1]
                if len(line) == placed.place[1]:
                    placed.down += 1
                else:
                    placed.beside += 1
                self._places -= 1
                line.append(placed)
            elif not cells:
                line.append(None)
            elif (cell := cells.pop()).colspan == cell.rowspan == 1:
                line.append(cell.text)
            else:
                self._add_spanning(line, index, row, cell)
        first = line[0]
        if len(line) > 1 and len(texts) == 1 and not self._covered and isinstance(first, _Placed):
            first.beside = 0
            del line[1:]
        self._lines[index] = line

    def _add_spanning(
        self, line: list[str | _Placed | None], index: int, row: Row, cell: Cell
    ) -> None:
        placed = _Placed(cell.text, (index, len(line)))
        self._cells.append(placed)
        end = self._last_of_group[row.group]
        until = min(index + cell.rowspan - 1, end) if cell.rowspan else end
        width = min(max(cell.colspan, 1), MAX_COLSPAN) if self._places > 0 else 1
        if until > index and self._places > 0:
            self._covered.update(
                dict.fromkeys(range(len(line), len(line) + width), (until, placed))
            )
        line += [placed] * width
        placed.beside += width - 1
        self._places -= width - 1

    def texts(self) -> list[list[str]]:
        labels, everywhere = self._repeated()
        for y, line in self._lines.items():
            texts = []
            for x, cell in enumerate(line):
                if cell is None:
                    texts.append("")
                elif isinstance(cell, str):
                    texts.append(cell)
                elif cell.place == (y, x):
                    texts.append(cell.text)
                elif cell in everywhere or (cell in labels and x == cell.place[1]):
                    texts.append(cell.again)
                else:
                    texts.append("")
            self._texts[y] = texts
        return self._texts

    def _repeated(self) -> tuple[set[_Placed], set[_Placed]]:
        """Return the cells that are repeated in the rows below, and those in all their places."""
        spanning = [cell for cell in self._cells if cell.text and (cell.down or cell.beside)]
        for cell in spanning:
            cell.again = without_links(cell.text)
        spanning.sort(key=lambda cell: cell.cost)
        labels, everywhere = set(), set()
        left = SPAN_BUDGET
        for cell in spanning:
            if not cell.down or not cell.is_label:
                continue
            left -= cell.down * cell.cost
            if left < 0:
                break
            labels.add(cell)
        left = max(MIN_BUDGET, self._size)
        for cell in spanning:
            places = cell.beside if cell in labels else cell.beside + cell.down
            left -= places * cell.cost
            if left < 0:
                break
            everywhere.add(cell)
        return labels, everywhere


def without_links(text: str) -> str:
    """Return *text*, the Markdown of a cell, with the texts of its links instead of the links.

    A text in which the neighbours of a link decide about emphasis or code is returned as it is.
    """
    if "](" not in text or not _UNSAFE.isdisjoint(_TARGET.sub("", text)):
        return text
    return _LINK.sub(r"\1", text)
