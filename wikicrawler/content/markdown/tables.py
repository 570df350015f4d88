"""Rendering of pipe tables, with expanded spans, a header row and escaped bars.

Lines in a cell are separated by ``<br>``, the only form of line break that GFM renders in a table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from wikicrawler.content.markdown.spans import Row, expand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.html import HtmlElement

    from wikicrawler.content.markdown.spans import Cell

_BLOCKS_IN_CELL = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "form")
_OTHER_BLOCKS = ("p", "ul", "ol", "dl", "pre", "blockquote")
_CELLS = frozenset({"td", "th"})
_MAX_INNER = 20
"""Maximum tables in a cell that are looked at."""


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
    has_inner = next(table.iterdescendants("table"), None) is not None
    frames = has_inner and _frames_tables(_own_rows(table))
    if frames or "infobox" in classes:
        return frames
    if table.get("role") in {"presentation", "none"} or len(list(islice(_own_cells(table), 2))) < 2:
        return True
    if "wikitable" in classes or table.find("caption") is not None:
        return False
    cells = list(_own_cells(table))
    if any(cell.tag == "th" for cell in cells):
        return False
    return any(next(cell.iter(*_BLOCKS_IN_CELL), None) is not None for cell in cells)


def _frames_tables(rows: Sequence[Sequence[HtmlElement]]) -> bool:
    """Return True if *rows* only arrange data tables, whatever the class of their table says.

    Rows of one cell and header cells are titles. Each other cell holds a data table or is empty.
    """
    found = False
    for row in rows:
        for cell in row:
            if any(map(_is_data, islice(cell.iter("table"), _MAX_INNER))):
                found = True
            elif len(row) > 1 and cell.tag == "td" and _has_text(cell):
                return False
    return found


def _is_data(table: HtmlElement) -> bool:
    """Return True if *table* has several rows and columns."""
    rows = [row for row in _own_rows(table) if row]
    return len(rows) > 1 and max(map(len, rows)) > 1


def has_blocks(cell: HtmlElement) -> bool:
    """Return True if *cell* holds blocks of which a line of text cannot consist."""
    return next(cell.iter(*_BLOCKS_IN_CELL, *_OTHER_BLOCKS), None) is not None


def _has_text(el: HtmlElement) -> bool:
    return any(text and not text.isspace() for text in el.itertext())


def _own_rows(table: HtmlElement) -> list[list[HtmlElement]]:
    """Return the cells of each row of *table*, without those of nested tables."""
    return [[cell for cell in row if cell.tag in _CELLS] for row in _rows_of(table)]


def _own_cells(table: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the cells of *table*, without those of nested tables."""
    return (cell for row in _rows_of(table) for cell in row if cell.tag in _CELLS)


def _rows_of(table: HtmlElement) -> Iterator[HtmlElement]:
    for part in table:
        if part.tag == "tr":
            yield part
        else:
            yield from (row for row in part if row.tag == "tr")


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
