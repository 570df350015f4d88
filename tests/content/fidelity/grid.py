"""Tables as grids of cells, with spanning cells repeated in each place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.content.fidelity.text import key, spaced, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

MAX_PLACES = 300_000
"""Maximum number of places in a table; beyond it spans count as 1."""
_STRUCTURED = ".//table|.//ul|.//ol|.//dl|.//pre"


@dataclass(slots=True, frozen=True)
class Cell:
    """A cell; *key* is its text without white space.

    In a cell with a list or table (*loose*), *words* are compared instead: pipe tables have no
    blocks, and each tool writes its own marks for them.
    """

    key: str
    words: tuple[str, ...] = ()
    loose: bool = False

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
    header cells, caption or data class.
    """
    classes = table.get("class") or ""
    cells = [cell for _, row in own_rows(table) for cell in own_cells(row)]
    if "infobox" in classes:
        return False
    if len(cells) <= 1 or table.get("role") in {"presentation", "none"}:
        return True
    if "wikitable" in classes or any(child.tag == "caption" for child in table):
        return False
    if any(cell.tag == "th" for cell in cells):
        return False
    return any(cell.xpath(".//table|.//h1|.//h2|.//h3|.//h4|.//h5|.//h6") for cell in cells)


def is_infobox(table: HtmlElement) -> bool:
    return "infobox" in (table.get("class") or "")


def read(table: HtmlElement) -> Table:
    """Return *table* as a grid, without blank rows and without blank cells at the ends of rows."""
    rows = own_rows(table)
    taken: dict[tuple[int, int], Cell] = {}
    places: dict[HtmlElement, int] = {}
    end = {group: index for index, (group, _) in enumerate(rows)}
    for y, (group, row) in enumerate(rows):
        x = 0
        for el in own_cells(row):
            while (y, x) in taken:
                x += 1
            cell = _cell(el)
            width, height = max(1, min(_span(el, "colspan"), 1000)), _span(el, "rowspan")
            height = min(height or end[group] - y + 1, end[group] - y + 1)
            if len(taken) + width * height > MAX_PLACES:
                width = height = 1
            for dy in range(height):
                for dx in range(width):
                    taken[y + dy, x + dx] = cell  # of overlapping cells, the later is shown
            places[el] = width * height
    grid: Grid = [[] for _ in rows]
    for (y, x), cell in sorted(taken.items(), key=lambda item: item[0]):
        if cell.key:
            grid[y] += [EMPTY] * (x - len(grid[y])) + [cell]
    return Table([row for row in grid if row], places)


def _span(el: HtmlElement, name: str) -> int:
    digits = re.match(r"\s*(\d{1,6})", el.get(name) or "")
    return int(digits[1]) if digits else 1


def _cell(el: HtmlElement) -> Cell:
    return Cell(key(el.text_content()), tuple(words(spaced(el))), bool(el.xpath(_STRUCTURED)))


def flat(grid: Sequence[Sequence[Cell]]) -> list[Cell]:
    return [cell for row in grid for cell in row if cell.key]
