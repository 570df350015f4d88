"""Where the running text of a page is: how much of it each element holds, outside links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement

MIN_SENTENCE = 40
"""Characters outside links that make a line of text more than a label, a date or a button."""

# Text of these is part of the line around it.
_INLINE_NAMES = """
    a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark q rp rt
    ruby s samp small span strike strong sub sup time tt u var wbr
"""
_INLINE_TAGS = frozenset(_INLINE_NAMES.split())
# Text of these is content however short it is, but for links.
_DATA_TAGS = frozenset({"blockquote", "dd", "dt", "li", "pre", "td", "th"})
_HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class TextAmounts:
    """What an element holds, itself included, in characters."""

    __slots__ = ("el", "line", "linked", "linked_line", "running", "text")

    def __init__(self, el: HtmlElement) -> None:
        self.el = el
        self.text = 0
        """All text."""
        self.linked = 0
        """Text in links."""
        self.running = 0
        """Text outside links, in sentences or in tables, lists and listings."""
        self.line = 0  # text of the lines that are directly in it
        self.linked_line = 0

    def add(self, text: str | None) -> None:
        if text and (text := text.strip()):
            # white space of the source's layout is no text
            length = len(text) if "\n" not in text else len(" ".join(text.split()))
            self.text += length
            self.line += length

    def add_child(self, child: TextAmounts) -> None:
        """Counts in a child that has ended."""
        tag = child.el.tag
        if tag == "a":
            child.linked = child.text
            child.linked_line = child.line
        if tag in _INLINE_TAGS:
            self.line += child.line
            self.linked_line += child.linked_line
        else:
            child.end_lines()
        self.text += child.text
        self.linked += child.linked
        self.running += child.running

    def end_lines(self) -> None:
        outside = self.line - self.linked_line
        if (
            outside >= MIN_SENTENCE and self.el.tag not in _HEADING_TAGS
        ) or self.el.tag in _DATA_TAGS:
            self.running += outside


def measure(root: HtmlElement) -> dict[HtmlElement, TextAmounts]:
    """The amounts of *root* and of every element below it, in one walk."""
    top = TextAmounts(root)
    amounts = {root: top}
    stack: list[TextAmounts] = []
    for event, el in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            amount = amounts[el] = TextAmounts(el)
            amount.add(el.text)
            stack.append(amount)
            continue
        amount = stack.pop()
        if stack:
            stack[-1].add_child(amount)
            stack[-1].add(el.tail)
        else:
            amount.end_lines()
    return amounts


def densest(top: HtmlElement, amounts: Mapping[HtmlElement, TextAmounts]) -> HtmlElement | None:
    """The element in *top* with most running text in its own paragraphs and its children's.

    As readability has it: a paragraph counts for what holds it, and half for what is around that.
    Links count against both. None where *top* has no running text below it.
    """
    scores: dict[HtmlElement, float] = {}
    # The nearest element around each that may be a whole text: not its paragraph, list or table.
    holders: dict[HtmlElement, HtmlElement] = {}
    for el in top.iter():
        if el not in amounts:
            continue
        is_whole = el is top or not (el.tag in _PART_TAGS or el.tag in _INLINE_TAGS)
        place = holders[el] = el if is_whole else holders[el.getparent()]
        if el is top or el.tag in _INLINE_TAGS or not amounts[el].running:
            continue
        own = amounts[el].running - sum(amounts[c].running for c in el if c in amounts)
        if own <= 0:
            continue
        scores[place] = scores.get(place, 0) + own
        if place is not top:
            around = place.getparent()
            scores[around] = scores.get(around, 0) + own / 2
    if not scores:
        return None
    return max(scores, key=lambda el: scores[el] * (1 - amounts[el].linked / amounts[el].text))


# What is part of a text, never the whole of one.
_PART_TAGS = (
    _DATA_TAGS
    | _HEADING_TAGS
    | frozenset(
        {"p", "table", "thead", "tbody", "tfoot", "tr", "caption", "ul", "ol", "dl", "figure"}
        | {"figcaption", "address", "details", "summary"}
    )
)


def is_part(el: HtmlElement) -> bool:
    """Whether *el* is a paragraph, a list, a table or the like."""
    return el.tag in _PART_TAGS
