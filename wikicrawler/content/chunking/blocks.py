"""Markdown as blocks that cover all of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["heading", "code", "table", "item", "paragraph"]

MAX_HEADING = 200
"""Characters of a heading that are kept for the path."""

_ATX = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(r"[ \t]{0,40}(?:(`{3,40})[^`]*$|(~{3,40}))")
_ITEM = re.compile(r"[ \t]{0,40}(?:[-*+•]|\d{1,9}[.)])[ \t]")
_RULE = re.compile(r"[ ]{0,3}(?:\*[ \t]{0,3}){3,40}$|[ ]{0,3}(?:-[ \t]{0,3}){3,40}$")
_UNDERLINE = re.compile(r"[ ]{0,3}(?:=+|-+)[ \t\r]*$")
_TABLE_MARKS = frozenset("|:- \t\r")
_HEAD = 120
"""Characters of a line that show what it starts."""


class Block(NamedTuple):
    """``text[start:end]``, with the line end and the blank lines behind it."""

    kind: Kind
    start: int
    end: int
    level: int = 0
    """Of a heading, from 1 to 6."""
    header: int = 0
    """Offset behind the header of a table; 0 if it has none."""


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of *text* in order, without gaps, in linear time.

    A heading is one line with ``#``, or one that is underlined with ``=`` or ``-``. A list has a
    block for each item. A fence that is not closed goes on to the end of the text.
    """
    scan = _Scan(text)
    while scan.start < len(text):
        yield scan.block()


def heading_text(text: str, block: Block) -> str:
    """Return what the heading says, at most :data:`MAX_HEADING` characters of it."""
    line = text[block.start : min(block.end, block.start + 2 * MAX_HEADING)]
    return line.strip().split("\n", 1)[0].lstrip("#").rstrip("# \t\r").strip()[:MAX_HEADING]


class _Scan:
    """A position in a text that goes on block by block."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = 0  # of the next block; blank lines at the very start belong to the first one
        self.at = self._behind_blank_lines(0)

    def block(self) -> Block:
        start, first = self.start, self.at
        if first == len(self.text):  # nothing but blank lines
            self.start = first
            return Block("paragraph", start, first)
        kind, level, header = self._read()
        self.start = self.at = self._behind_blank_lines(self.at)
        return Block(kind, start, self.at, level, header)

    def _read(self) -> tuple[Kind, int, int]:
        """Go behind the block that starts here."""
        head = self._head(self.at)
        if found := _ATX.match(head):
            self.at = self._line_end(self.at)
            return "heading", len(found[1]), 0
        if found := _FENCE.match(head):
            self._read_code(found[1] or found[2])
            return "code", 0, 0
        if header := self._table_header():
            self._read_table(header)
            return "table", 0, header
        if head.lstrip(" ").startswith("|"):
            self._read_table(self._line_end(self.at))
            return "table", 0, 0
        kind: Kind = "item" if self._starts_item(head) else "paragraph"
        level = self._read_lines(is_paragraph=kind == "paragraph")
        return ("heading", level, 0) if level else (kind, 0, 0)

    def _read_code(self, mark: str) -> None:
        self.at = self._line_end(self.at)
        while self.at < len(self.text):
            line = self._head(self.at).strip()
            self.at = self._line_end(self.at)
            if line.startswith(mark) and not line.strip(mark[0]):
                return

    def _table_header(self) -> int:
        """Return the offset behind the header of a table that starts here, or 0."""
        first = self._line_end(self.at)
        head = self._head(first)
        if not head or head[0] not in _TABLE_MARKS or not _TABLE_MARKS.issuperset(head):
            return 0
        end = self._line_end(first)
        line = self.text[first:end].rstrip("\n")
        if "-" not in line or "|" not in line or not _TABLE_MARKS.issuperset(line):
            return 0
        return end if self.text.find("|", self.at, first) >= 0 else 0

    def _read_table(self, start: int) -> None:
        self.at = start
        while self.at < len(self.text):
            end = self._line_end(self.at)
            if self.text.find("|", self.at, end) < 0:
                return
            self.at = end

    def _read_lines(self, *, is_paragraph: bool) -> int:
        """Go behind a paragraph or an item; return the level if it is an underlined heading."""
        first_end = self.at = self._line_end(self.at)
        while self.at < len(self.text):
            head = self._head(self.at)
            if is_paragraph and self.at == first_end and _UNDERLINE.match(head):
                self.at = self._line_end(self.at)
                return 1 if "=" in head else 2
            if self._interrupts(head) or self._table_header():
                break
            self.at = self._line_end(self.at)
        return 0

    def _interrupts(self, head: str) -> bool:
        """Return True if a line that begins with *head* ends a paragraph or an item."""
        return (
            not head.strip()
            or head.lstrip(" ").startswith("|")
            or bool(_ATX.match(head) or _FENCE.match(head))
            or self._starts_item(head)
        )

    @staticmethod
    def _starts_item(head: str) -> bool:
        return bool(_ITEM.match(head)) and not _RULE.match(head)

    def _behind_blank_lines(self, at: int) -> int:
        while at < len(self.text):
            end = self._line_end(at)
            if not self.text[at:end].isspace():
                return at
            at = end
        return at

    def _line_end(self, at: int) -> int:
        """Return the offset behind the line that starts at *at*."""
        return self.text.find("\n", at) + 1 or len(self.text)

    def _head(self, at: int) -> str:
        """Return the first characters of the line, without its end."""
        return self.text[at : at + _HEAD].partition("\n")[0]
