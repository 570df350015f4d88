"""The parts of a document that are compared."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal[
    "heading", "paragraph", "item", "row", "code", "rule", "tag", "void", "data", "asked"
]


class Block(NamedTuple):
    """A heading, a paragraph, an item of a list, a row of a table, a line of code, a line of
    YAML (``data``), a tag of XML or bracket of JSON (``tag``), the tag of an empty element
    (``void``), or a question for feedback, which no document has in the end (``asked``)."""

    kind: Kind
    text: str
    """Canonical Markdown on one line, without the marker of a heading or an item."""
    marker: str = ""
    """``#`` to ``######`` of a heading, ``-`` or ``3.`` of an item."""
    written: str = ""
    """A heading with the characters of the document, if they differ from those of the text."""
    quoted: bool = False
    """True for a quotation, which is set off from the text by ``>``."""

    @property
    def level(self) -> int:
        return len(self.marker)

    def __str__(self) -> str:
        text = f"{self.marker} {self.text}".strip() if self.marker else self.text
        return f"> {text}" if self.quoted else text
