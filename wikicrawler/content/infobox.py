"""Extraction of infoboxes as labels and values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from wikicrawler.items import Infobox

_BLOCKS = frozenset(
    {"p", "div", "li", "ul", "ol", "tr", "table", "dl", "dt", "dd", "br", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "hr", "pre", "blockquote", "caption"}
)
_TITLE_CLASSES = re.compile(r"(?:infobox|above)-?(?:title|above|name)|\babove\b", re.IGNORECASE)
_HEADER_CLASSES = re.compile(r"infobox-?(?:sub)?header|\bheader\b", re.IGNORECASE)


def infoboxes(root: HtmlElement) -> list[Infobox]:
    """Return the infoboxes in *root*. Infoboxes without any field are left out.

    :func:`~wikicrawler.content.rewrite.structures` must have run: it turns all kinds of infoboxes
    into tables.
    """
    found = (_read_infobox(table) for table in root.iterdescendants("table") if _is_infobox(table))
    return [box for box in found if box["fields"]]


def _is_infobox(table: HtmlElement) -> bool:
    classes = table.get("class")
    if not classes or "infobox" not in classes or "infobox-subbox" in classes.split():
        return False
    return not any(
        "infobox" in (outer.get("class") or "") for outer in table.iterancestors("table")
    )


def _read_infobox(table: HtmlElement) -> Infobox:
    caption = table.find("caption")
    box = _InfoboxReader()
    rows = [_InfoboxRow(tr) for tr in table.xpath("./tr|./*/tr")]
    rows = [row for row in rows if row.cells]
    index = 0
    while index < len(rows):
        row = rows[index]
        next_row = rows[index + 1] if index + 1 < len(rows) else None
        index += 1
        if next_row is not None and row.has_labels_of(next_row):
            for label, value in zip(row.texts, next_row.texts, strict=True):
                box.add(label, value)
            index += 1
        else:
            box.add_row(row)
    title = box.title or (_joined_lines(_text(caption)) if caption is not None else "")
    return {"title": title, "fields": box.fields}


class _InfoboxRow:
    """A table row: its cells, their texts, and the class values of the row and its cells."""

    def __init__(self, tr: HtmlElement) -> None:
        self.cells: Sequence[HtmlElement] = [cell for cell in tr if cell.tag in {"td", "th"}]
        self.texts = [_text(cell) for cell in self.cells]
        self.classes = " ".join(el.get("class") or "" for el in (tr, *self.cells))

    @property
    def is_header(self) -> bool:
        return self.cells[0].tag == "th" or _HEADER_CLASSES.search(self.classes) is not None

    def has_labels_of(self, next_row: _InfoboxRow) -> bool:
        """Return True if this row has the labels for the values in *next_row*."""
        return (
            len(self.cells) == len(next_row.cells) > 1
            and all(cell.tag == "th" for cell in self.cells)
            and all(cell.tag == "td" for cell in next_row.cells)
        )


class _InfoboxReader:
    """Collects title and fields from the rows of one infobox."""

    def __init__(self) -> None:
        self.title = ""
        self.fields: dict[str, str] = {}
        self._section = ""
        self._sections: dict[str, str] = {}
        # Label of an earlier row with a rowspan, and the number of rows that it still covers.
        self._spanning_label, self._rows_left = "", 0

    def add_row(self, row: _InfoboxRow) -> None:
        texts = row.texts
        if self._rows_left:
            self._rows_left -= 1
            self.add(self._spanning_label, "\n".join(filter(None, texts)))
        elif len(texts) > 1:
            span = row.cells[0].get("rowspan") or ""
            if span.isdecimal() and len(span) < 5:
                self._spanning_label, self._rows_left = texts[0], int(span) - 1
            self.add(texts[0], "\n".join(filter(None, texts[1:])))
        elif not texts[0]:
            return
        elif not self.title and not self.fields and self._is_title(row):
            self.title = _joined_lines(texts[0])
        elif row.is_header:
            self._section = _joined_lines(texts[0])

    def _is_title(self, row: _InfoboxRow) -> bool:
        return row.cells[0].tag == "th" or _TITLE_CLASSES.search(row.classes) is not None

    def add(self, label: str, value: str) -> None:
        label = _joined_lines(label).rstrip(":：").strip()
        if not label or not value:
            return
        if self._sections.setdefault(label, self._section) != self._section:
            label = f"{self._section}: {label}"
            self._sections.setdefault(label, self._section)
        before = self.fields.get(label)
        self.fields[label] = f"{before}\n{value}" if before else value


def _joined_lines(text: str) -> str:
    return text.replace("\n", " ")


def _text(el: HtmlElement) -> str:
    """Return the text of *el*, one line a block, without footnote marks."""
    parts: list[str] = []
    _collect(el, parts)
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _collect(el: HtmlElement, parts: list[str]) -> None:
    stack: list[tuple[HtmlElement, bool]] = [(el, False)]
    while stack:
        node, ended = stack.pop()
        if ended or _is_footnote_mark(node):
            if node.tag in _BLOCKS:
                parts.append("\n")
            elif node.tag in {"td", "th"}:
                parts.append(" ")
            if node is not el and node.tail:
                parts.append(_without_line_ends(node.tail))
            continue
        if node.tag in _BLOCKS:
            parts.append("\n")
        if node.text:
            parts.append(_without_line_ends(node.text))
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(node))


def _without_line_ends(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


def _is_footnote_mark(el: HtmlElement) -> bool:
    return el.tag == "sup" and "reference" in (el.get("class") or "").split()
