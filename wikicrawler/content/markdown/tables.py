"""Rendering of pipe tables, with expanded spans, a header row and escaped bars.

Lines in a cell are separated by ``<br>``, the only form of line break that GFM renders in a table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

MAX_COLSPAN = 1000
"""Maximum colspan, as in the HTML standard. A rowspan ends with its row group."""
SPAN_BUDGET = 200_000
"""Maximum characters repeated by the spans of a table, and maximum blank cells that pad its rows.

Beyond the limit, spanned cells are blank and short rows are not padded, which GFM accepts."""
MAX_LABEL = 400
"""Maximum characters for the only cell of a row to count as a label, which is repeated in each
column that it spans. A longer cell is a note and is written once."""

_BLOCKS_IN_CELL = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "form")


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


@dataclass(slots=True)
class Table:
    """A table while its rows are collected; *caption* is a line of Markdown."""

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
    """Return True if *table* is used for layout only, so that its cells are read as blocks."""
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
    """Return the cells of *table*, without those of nested tables."""
    rows = [row for part in table for row in ((part,) if part.tag == "tr" else part)]
    return [cell for row in rows if row.tag == "tr" for cell in row if cell.tag in {"td", "th"}]


def span(value: str | None) -> int:
    """Return the value of a ``colspan`` or ``rowspan`` attribute, 1 if it is missing or invalid.

    A rowspan of 0 extends to the end of the row group.
    """
    digits = re.match(r"\s*(\d{1,9})", value or "")
    return int(digits[1]) if digits else 1


def render(table: Table) -> str:
    """Return *table* as Markdown; only its caption if all cells are empty."""
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
    """Put headings of an infobox in bold: header cells that are alone in their row."""
    for row in rows[1:]:
        if len(row.cells) == 1 and row.cells[0].header and row.cells[0].text:
            row.cells[0].text = _bold(row.cells[0].text)


def flatten(table: Table) -> str:
    """Return a table nested in a cell as lines of text: ``a; b; c`` or ``label: value``."""
    lines = [table.caption] if table.caption else []
    for row in table.rows:
        texts = [cell.text for cell in row.cells if cell.text]
        labelled = len(texts) == 2 and row.cells[0].header and not row.cells[-1].header
        lines.append(": ".join(texts) if labelled else "; ".join(texts))
    return "\n".join(line for line in lines if line)


def expand(rows: Sequence[Row]) -> list[list[str]]:
    """Return the texts of *rows* as a grid, with a spanning cell repeated in each place it covers.

    A long cell alone in its row is written once. All rows have the same length, unless padding
    them would exceed ``SPAN_BUDGET``.
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
        # column → (last row covered by a cell above, text of that cell)
        self._covered: dict[int, tuple[int, str]] = {}

    def add(self, index: int, row: Row) -> None:
        # Drop ended spans here, because a wide cell may overlap one and hide its end.
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
    """Return True for a row in a ``thead``, or with only header cells apart from empty ones."""
    named = [cell for cell in row.cells if cell.text]
    return row.head or (bool(named) and all(cell.header for cell in named))


def _pipe_table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    width = max(len(head), max(map(len, body), default=0))
    # GFM drops cells beyond the length of the header row.
    header = [*head, *[""] * (width - len(head))]
    return "\n".join([_pipe_row(header), _pipe_row(["---"] * width), *map(_pipe_row, body)])


def _pipe_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join([cell.replace("|", "\\|") for cell in cells]) + " |"


def _bold(text: str) -> str:
    # With emphasis at either end, the delimiters would form ambiguous runs.
    return text if text.startswith(("*", "_", "~")) or text[-1] in "*_~" else f"**{text}**"
