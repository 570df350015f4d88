"""Tables of line numbers and code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml.html import builder

from wikicrawler.content.languages import language_of
from wikicrawler.content.listings.lines import end_line
from wikicrawler.content.listings.numbers import ascend, classes_of, is_gutter, numbers_in

if TYPE_CHECKING:
    from lxml.html import HtmlElement


def unfold(table: HtmlElement) -> None:
    """Replace a table of line numbers and code, if *table* is one, with the code."""
    titles: list[HtmlElement] = []
    rows: list[tuple[HtmlElement, HtmlElement]] = []
    for place, row in enumerate(table.iter("tr")):
        cells = list(row)
        if place == 0 and (len(cells) == 1 or row.getparent().tag == "thead"):
            titles = cells[:1] if len(cells) == 1 else []  # such as the name of the file
        elif len(cells) != 2 or numbers_in(cells[0]) is None or _table_of(row) is not table:
            return
        else:
            rows.append((cells[0], cells[1]))
    if not rows:
        return
    content = _joined_lines(table, rows) if rows[1:] else _whole_code(*rows[0])
    if not content:
        return
    new = builder.E("span" if _is_in_code(table) else "pre", *content)
    if language := language_of(content[0]) or language_of(table):
        new.set("class", f"language-{language}")
    new.tail, table.tail = table.tail, None
    for title in titles:
        if title.text_content().strip():
            table.addprevious(builder.P(*title, title.text or ""))
    table.getparent().replace(table, new)


def _table_of(row: HtmlElement) -> HtmlElement:
    parent = row.getparent()
    return parent if parent.tag == "table" else parent.getparent()


def _joined_lines(
    table: HtmlElement, rows: list[tuple[HtmlElement, HtmlElement]]
) -> list[HtmlElement]:
    """Return the lines of a table with a row for each, or nothing if they may not be code."""
    first, _ = rows[0]
    if not (is_gutter(first) or "code" in classes_of(table).split() or _is_in_code(table)):
        return []
    numbers = [number for cell, _ in rows for number in numbers_in(cell) or [0]]
    if len(numbers) != len(rows) or not ascend([number for number in numbers if number]):
        return []
    lines = []
    for _, cell in rows:
        line = cell[0] if len(cell) == 1 and not _blank_around(cell) else cell
        line.tag, line.tail = "span", None
        end_line(line)
        lines.append(line)
    return lines


def _whole_code(gutter: HtmlElement, cell: HtmlElement) -> list[HtmlElement]:
    """Return the code beside a cell of all line numbers, or nothing if it may not be code."""
    numbers = numbers_in(gutter) or []
    blocks = list(cell.iter("pre")) or list(cell.iter("code"))[:1]
    if not ascend(numbers) or not (is_gutter(gutter) or (len(numbers) > 1 and blocks)):
        return []
    code = blocks[0] if len(blocks) == 1 and blocks[0].tag == "pre" else cell
    code.tag, code.tail = "span", None
    return [code]


def _is_in_code(el: HtmlElement) -> bool:
    """Return True if *el* is in a code block, with nothing or ``<code>`` between."""
    parent = el.getparent()
    return parent is not None and parent.tag in {"pre", "code"}


def _blank_around(cell: HtmlElement) -> str:
    """Return the text of *cell* beside its only child, without white space."""
    return f"{cell.text or ''}{cell[0].tail or ''}".strip()
