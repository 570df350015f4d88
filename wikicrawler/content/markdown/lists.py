"""Rendering of lists and definition lists."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_NEW_LINE = re.compile(r"\n(?=[^\n])")
# Starts of a list, code block, table, quotation, heading or rule. Text that looks like them is
# escaped.
_BLOCK = re.compile(r"[-+*] |\d+[.)] |```|\||>|#{1,6} |___$")
MAX_DEPTH = 32
"""Maximum depth of indentation; deeper items are not indented further."""
_LAST_NUMBER = 999_999_999


@dataclass(slots=True)
class MarkdownList:
    """A ``<ul>`` or ``<ol>``; *number* is the number of the next item."""

    ordered: bool = False
    number: int = 1
    mark: str = "-"

    @classmethod
    def of(cls, el: HtmlElement, before: str = "") -> MarkdownList:
        """Create the list for *el*; *before* is the mark of a list directly before it."""
        ordered = el.tag == "ol"
        first, second = ".)" if ordered else "-*"
        return cls(ordered, _number(el.get("start"), 1), second if before == first else first)

    def item(self, text: str, value: str | None, *, indented: bool) -> str:
        """Return an item with its mark, and its other lines indented if *indented*."""
        mark = self.mark
        if self.ordered:
            number = _number(value, self.number)
            self.number = min(number + 1, _LAST_NUMBER)
            mark = f"{number}{mark}"
        return f"{mark} " + (self.indent(text, len(mark) + 1, first=False) if indented else text)

    @staticmethod
    def indent(text: str, width: int, *, first: bool = True) -> str:
        pad = " " * width
        if "\n" in text:
            text = _NEW_LINE.sub("\n" + pad, text)
        return pad + text if first else text


def _number(value: str | None, default: int) -> int:
    """Return *value* as a list number, or *default* if Markdown cannot have it (1 to 9 digits)."""
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


@dataclass(slots=True)
class DefinitionList:
    """A ``<dl>`` as groups of terms and their definitions."""

    mark: str = "-"
    indented: bool = True
    """True if the other lines of an item are indented."""
    groups: list[tuple[list[str], list[str]]] = field(default_factory=list)

    def add_term(self, text: str) -> None:
        if not self.groups or self.groups[-1][1]:
            self.groups.append(([], []))
        self.groups[-1][0].append(text)

    def add_definition(self, text: str) -> None:
        if not self.groups:
            self.groups.append(([], []))
        self.groups[-1][1].append(text)

    def render(self, *, in_item: bool, in_cell: bool) -> str:
        """Return the Markdown: a list with an item for each term.

        Terms without definitions become paragraphs: wikis use ``;`` for headings. A single
        definition without a term becomes a paragraph: wikis use ``:`` for indentation.
        """
        terms = [term for group, _ in self.groups for term in group]
        definitions = [text for _, group in self.groups for text in group]
        if not definitions:
            return "".join(f"\n\n{term}\n\n" for term in terms)
        if not terms and len(definitions) == 1 and not in_item:
            return f"\n\n{definitions[0]}\n\n"
        if in_cell:
            lines = [
                f"{', '.join(t)}: {'; '.join(d)}" if t else "; ".join(d) for t, d in self.groups
            ]
            return "\n" + "\n".join(lines) + "\n"
        text = "\n".join(self._group(*group) for group in self.groups)
        return f"\n{text}\n" if in_item else f"\n\n{text}\n\n"

    def _group(self, terms: list[str], definitions: list[str]) -> str:
        items = [
            MarkdownList(mark=self.mark).item(text, None, indented=self.indented)
            for text in definitions
        ]
        if not terms:
            return "\n".join(items)
        head = ", ".join(terms)
        if not definitions:
            return f"{self.mark} {head}"
        if len(definitions) == 1 and not _BLOCK.match(definitions[0]):
            return f"{self.mark} {head}: " + self._indent(definitions[0], first=False)
        if len(definitions) == 1:
            return f"{self.mark} {head}\n\n" + self._indent(definitions[0])
        return f"{self.mark} {head}\n" + self._indent("\n".join(items))

    def _indent(self, text: str, *, first: bool = True) -> str:
        return MarkdownList.indent(text, 2, first=first) if self.indented else text
