"""Lists and definition lists while they are read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_NEW_LINE = re.compile(r"\n(?=[^\n])")
# A list, listing, table, quotation or heading: text of the page that looks so is escaped.
_BLOCK = re.compile(r"[-+*] |\d+[.)] |```|\||>|#{1,6} ")
_LAST_NUMBER = 999_999_999


@dataclass(slots=True)
class MarkdownList:
    """A ``<ul>`` or ``<ol>``; *number* is the next item's."""

    MAX_DEPTH: ClassVar[int] = 32
    """Deeper items are not indented further."""

    ordered: bool = False
    number: int = 1
    mark: str = "-"

    @classmethod
    def of(cls, el: HtmlElement, before: str = "") -> MarkdownList:
        """The list that *el* starts; *before* is the mark of a list that it follows at once."""
        ordered = el.tag == "ol"
        first, second = ".)" if ordered else "-*"
        return cls(ordered, _number(el.get("start"), 1), second if before == first else first)

    def item(self, text: str, value: str | None, *, indented: bool) -> str:
        """An item with its mark, its further lines indented to belong to it."""
        mark = self.mark
        if self.ordered:
            number = _number(value, self.number)
            self.number = min(number + 1, _LAST_NUMBER)
            mark = f"{number}{mark}"
        return f"{mark} " + (self.indent(text, len(mark) + 1, first=False) if indented else text)

    @staticmethod
    def indent(text: str, width: int, *, first: bool = True) -> str:
        pad = " " * width
        return (pad if first else "") + _NEW_LINE.sub("\n" + pad, text)


def _number(value: str | None, default: int) -> int:
    """A list number as Markdown can write it: not negative, nine digits at most."""
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


@dataclass(slots=True)
class DefinitionList:
    """A ``<dl>`` as groups of terms and what defines them."""

    mark: str = "-"
    indented: bool = True
    """Whether further lines are indented to belong to their item."""
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
        """As a list, one item a term. Terms alone are the headings that wikis make of ``;``, and
        one definition alone is the indented paragraph that they make of ``:``."""
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
