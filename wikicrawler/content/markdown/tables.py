"""Pipe tables: spans expanded, a header row always, nothing that could end a cell early.

Lines inside a cell are parted by ``<br>``, the one form that GFM renders in a table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

MAX_COLSPAN = 1000
"""As the HTML standard clamps it; a rowspan ends with its row group."""
SPAN_BUDGET = 200_000
"""Characters that the spans of one table may repeat, and blank cells that may pad it: beyond it
cells are blank, and short rows stay short (GFM reads them so)."""
MAX_LABEL = 400
"""Characters up to which a cell alone in its row is a label of all the columns that it spans; a
longer one is a note, which nobody reads twice."""

_BLOCKS_IN_CELL = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "form")


@dataclass(slots=True)
class Cell:
    """A cell, its *text* already Markdown on one line."""

    text: str
    header: bool = False
    colspan: int = 1
    rowspan: int = 1


@dataclass(slots=True)
class Row:
    """A row of the table; *group* numbers its ``thead``, ``tbody`` or ``tfoot``."""

    group: int = 0
    head: bool = False
    cells: list[Cell] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A table while it is read; its *caption* is a line of Markdown."""

    layout: bool
    infobox: bool = False
    caption: str = ""
    rows: list[Row] = field(default_factory=list)
    group: int = 0
    head: bool = False

    def start_group(self, *, head: bool) -> None:
        self.group += 1
        self.head = head

    def start_row(self) -> None:
        self.rows.append(Row(self.group, self.head))

    def add(self, cell: Cell) -> None:
        if not self.rows:
            self.start_row()
        self.rows[-1].cells.append(cell)


def is_layout(table: HtmlElement) -> bool:
    """Whether *table* only places things on the screen: its cells are then read as blocks."""
    classes = table.get("class") or ""
    if "infobox" in classes:
        return False
    if table.get("role") in {"presentation", "none"}:
        return True
    cells = _own_cells(table)
    if len(cells) <= 1:
        return True
    if "wikitable" in classes or table.find("caption") is not None:
        return False
    if any(cell.tag == "th" for cell in cells):
        return False
    return any(next(cell.iter(*_BLOCKS_IN_CELL), None) is not None for cell in cells)


def _own_cells(table: HtmlElement) -> list[HtmlElement]:
    """The cells of *table* itself, not of a table inside it."""
    rows = [row for part in table for row in ((part,) if part.tag == "tr" else part)]
    return [cell for row in rows if row.tag == "tr" for cell in row if cell.tag in {"td", "th"}]


def span(value: str | None) -> int:
    """A ``colspan`` or ``rowspan`` attribute; 0 (to the end of the group) only where it says so."""
    digits = re.match(r"\s*(\d{1,9})", value or "")
    return int(digits[1]) if digits else 1


def render(table: Table) -> str:
    """*table* as Markdown; empty where all its cells are."""
    rows = [row for row in table.rows if row.cells]
    blank = 0
    while blank < len(rows) and _is_blank(rows[blank]):
        blank += 1
    rows = rows[blank:]
    if not any(cell.text for row in rows for cell in row.cells):
        return table.caption
    if table.infobox:
        _mark_sections(rows)
    caption = table.caption
    grid = expand(rows)
    head, body = ([], grid)
    if _is_header(rows[0]):
        head, body = grid[0], grid[1:]
    elif table.infobox and caption:
        head, caption = [caption], ""
    above = f"{caption}\n\n" if caption else ""
    return above + _pipe_table(head, [line for line in body if any(line)])


def _is_blank(row: Row) -> bool:
    return all(not cell.text and cell.rowspan == 1 for cell in row.cells)


def _mark_sections(rows: Sequence[Row]) -> None:
    """The headings inside an infobox, each alone in its row, in bold."""
    for row in rows[1:]:
        if len(row.cells) == 1 and row.cells[0].header and row.cells[0].text:
            row.cells[0].text = _bold(row.cells[0].text)


def flatten(table: Table) -> str:
    """A table inside a cell as lines of text: ``a; b; c``, or ``label: value``."""
    lines = [table.caption] if table.caption else []
    for row in table.rows:
        texts = [cell.text for cell in row.cells if cell.text]
        labelled = len(texts) == 2 and row.cells[0].header and not row.cells[-1].header
        lines.append(": ".join(texts) if labelled else "; ".join(texts))
    return "\n".join(line for line in lines if line)


def expand(rows: Sequence[Row]) -> list[list[str]]:
    """The texts of *rows* as a grid in which a spanning cell stands in each place that it covers.

    Prose alone in its row stands once. Rows have one length as long as the budget lasts.
    """
    grid = _SpanGrid({row.group: index for index, row in enumerate(rows)})
    for index, row in enumerate(rows):
        grid.add(index, row)
    lines = grid.lines
    width = max(map(len, lines), default=0)
    if sum(width - len(line) for line in lines) > SPAN_BUDGET:
        return lines
    return [line + [""] * (width - len(line)) for line in lines]


class _SpanGrid:
    def __init__(self, last_of_group: dict[int, int]) -> None:
        self.lines: list[list[str]] = []
        self._last_of_group = last_of_group
        self._budget = SPAN_BUDGET
        # column → last row that a cell above covers, its text
        self._covered: dict[int, tuple[int, str]] = {}

    def add(self, index: int, row: Row) -> None:
        # A wide cell may have been laid over one that spans rows: that one's end is then unseen.
        self._covered = {
            column: cover
            for column, cover in self._covered.items()
            if cover[0] >= index and self._budget > 0
        }
        line: list[str] = []
        last_covered = max(self._covered, default=-1)
        cells = list(reversed(row.cells))
        while cells or len(line) <= last_covered:
            if len(line) in self._covered:
                self._add_covered(line)
            elif cells:
                self._add_cell(line, index, row, cells.pop())
            else:
                line.append("")
        self.lines.append(line)

    def _add_covered(self, line: list[str]) -> None:
        _, text = self._covered[len(line)]
        line.append(text)
        self._budget -= len(text) + 1

    def _add_cell(self, line: list[str], index: int, row: Row, cell: Cell) -> None:
        end = self._last_of_group[row.group]
        until = min(index + cell.rowspan - 1, end) if cell.rowspan else end
        once = self._budget <= 0 or (len(row.cells) == 1 and len(cell.text) > MAX_LABEL)
        width = 1 if once else min(max(cell.colspan, 1), MAX_COLSPAN)
        if until > index:
            self._covered.update(
                dict.fromkeys(range(len(line), len(line) + width), (until, cell.text))
            )
        line += [cell.text] * width
        self._budget -= (width - 1) * (len(cell.text) + 1)


def _is_header(row: Row) -> bool:
    """A row of a ``thead``, or one whose cells are header cells but for an empty corner."""
    named = [cell for cell in row.cells if cell.text]
    return row.head or (bool(named) and all(cell.header for cell in named))


def _pipe_table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    width = max(len(head), max(map(len, body), default=0))
    # GFM leaves out what is beyond the header row.
    header = [*head, *[""] * (width - len(head))]
    return "\n".join([_pipe_row(header), _pipe_row(["---"] * width), *map(_pipe_row, body)])


def _pipe_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join([cell.replace("|", "\\|") for cell in cells]) + " |"


def _bold(text: str) -> str:
    # Emphasis at its ends would make runs of delimiters that nobody can tell apart.
    return text if text.startswith(("*", "_", "~")) or text[-1] in "*_~" else f"**{text}**"
