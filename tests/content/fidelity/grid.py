"""Tables as grids of cells, with spanning cells repeated in each place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.content.fidelity.text import key, spaced, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

MAX_PLACES = 300_000
"""Maximum number of places in a table; beyond it spans count as 1."""
MAX_LABEL = 60
"""Characters of a cell up to which it labels the rows that it spans, which then need it."""
LEAST = 300
"""Characters that spans may repeat in any table."""
_STRUCTURED = ".//table|.//ul|.//ol|.//dl|.//pre"


@dataclass(slots=True, frozen=True)
class Cell:
    """A cell; *key* is its text without white space.

    In a cell with a list or table (*loose*), *words* are compared instead: pipe tables have no
    blocks, and each tool writes its own marks for them. A place that a cell covers beside its
    first may be blank if it is *optional*.
    """

    key: str
    words: tuple[str, ...] = ()
    loose: bool = False
    optional: bool = field(default=False, compare=False)

    def shown_by(self, other: Cell) -> bool:
        if self.key == other.key:
            return True
        if not self.loose or len(other.words) > 1.5 * len(self.words) + 1:
            return False
        rest = iter(other.words)
        return all(word in rest for word in self.words)


EMPTY = Cell("")
Grid = list[list[Cell]]


@dataclass(slots=True)
class Table:
    """A table; *places* is the number of places that the element of each cell covers."""

    grid: Grid
    places: dict[HtmlElement, int]


def own_rows(table: HtmlElement) -> list[tuple[int, HtmlElement]]:
    """Return the rows of *table*, each with the number of its row group."""
    rows: list[tuple[int, HtmlElement]] = []
    for number, child in enumerate(table):
        if child.tag == "tr":
            rows.append((-1, child))
        elif child.tag in {"thead", "tbody", "tfoot"}:
            rows += [(number, row) for row in child if row.tag == "tr"]
    return rows


def own_cells(row: HtmlElement) -> list[HtmlElement]:
    return [cell for cell in row if cell.tag in {"td", "th"}]


def is_layout(table: HtmlElement) -> bool:
    """Return True for a table that only lays out blocks.

    It has a single cell or the role ``presentation``, or it contains headings or tables and has no
    header cells, caption or data class, or it has only titles beside tables of rows and columns.
    """
    classes = table.get("class") or ""
    cells = [cell for _, row in own_rows(table) for cell in own_cells(row)]
    if _only_tables(table):
        return True
    if "infobox" in classes:
        return False
    if len(cells) <= 1 or table.get("role") in {"presentation", "none"}:
        return True
    if "wikitable" in classes or any(child.tag == "caption" for child in table):
        return False
    if any(cell.tag == "th" for cell in cells):
        return False
    return any(cell.xpath(".//table|.//h1|.//h2|.//h3|.//h4|.//h5|.//h6") for cell in cells)


def _only_tables(table: HtmlElement) -> bool:
    framing, others = [], []
    for _, row in own_rows(table):
        for cell in own_cells(row):
            inner = [own_cells(tr) for t in cell.iter("table") for _, tr in own_rows(t)]
            is_framing = any(len(own) > 1 for own in inner) and sum(map(bool, inner)) > 1
            title = cell.tag == "th" or len(own_cells(row)) == 1 or not key(cell.text_content())
            (framing if is_framing else others).append(is_framing or title)
    return bool(framing) and all(others)


def is_infobox(table: HtmlElement) -> bool:
    return "infobox" in (table.get("class") or "")


def read(table: HtmlElement) -> Table:
    """Return *table* as a grid, without blank rows and without blank cells at the ends of rows.

    Optional are the other places of a cell that covers a whole row. If the spans of the table
    repeat more characters than it has, so are all other places, except that a short cell labels
    each row that it spans.
    """
    rows = own_rows(table)
    grid = _Places()
    places: dict[HtmlElement, int] = {}
    end = {group: index for index, (group, _) in enumerate(rows)}
    for y, (group, row) in enumerate(rows):
        x = 0
        cells, covered = own_cells(row), y in grid.reached
        for el in cells:
            while (y, x) in grid.taken:
                x += 1
            width, height = max(1, min(_span(el, "colspan"), 1000)), _span(el, "rowspan")
            height = min(height or end[group] - y + 1, end[group] - y + 1)
            if len(grid.taken) + width * height > MAX_PLACES:
                width = height = 1
            grid.add(_cell(el), (y, x), (width, height), alone=len(cells) == 1 and not covered)
            places[el] = width * height
    lines: Grid = [[] for _ in rows]
    for (y, x), cell in sorted(grid.settled().items(), key=lambda item: item[0]):
        if cell.key:
            lines[y] += [EMPTY] * (x - len(lines[y])) + [cell]
    return Table([row for row in lines if row], places)


class _Places:
    """The cells of a table by (row, column)."""

    def __init__(self) -> None:
        self.taken: dict[tuple[int, int], Cell] = {}
        self.reached: set[int] = set()
        self._repeated: list[tuple[int, int]] = []
        self._own = 0

    def add(
        self, cell: Cell, place: tuple[int, int], size: tuple[int, int], *, alone: bool
    ) -> None:
        self._own += len(cell.key) + 3
        (y, x), (width, height) = place, size
        for dy in range(height):
            self.reached.add(y + dy)
            for dx in range(width):
                # Of overlapping cells, the later is shown.
                optional = alone and height == 1 and dx > 0
                self.taken[y + dy, x + dx] = replace(cell, optional=optional)
                if not optional and (dx or (dy and len(cell.key) > MAX_LABEL)):
                    self._repeated.append((y + dy, x + dx))

    def settled(self) -> dict[tuple[int, int], Cell]:
        """Return the cells; where spans repeat too much, repeated ones have become optional."""
        cells = [self.taken[place] for place in self._repeated]
        if sum(len(cell.key) + 3 for cell in cells) > max(LEAST, self._own):
            self.taken |= {
                place: replace(cell, optional=True)
                for place, cell in zip(self._repeated, cells, strict=True)
            }
        return self.taken


def _span(el: HtmlElement, name: str) -> int:
    digits = re.match(r"\s*(\d{1,6})", el.get(name) or "")
    return int(digits[1]) if digits else 1


def _cell(el: HtmlElement) -> Cell:
    return Cell(key(el.text_content()), tuple(words(spaced(el))), bool(el.xpath(_STRUCTURED)))


def flat(grid: Sequence[Sequence[Cell]]) -> list[Cell]:
    return [cell for row in grid for cell in row if cell.key]
