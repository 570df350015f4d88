"""Where the running text of a page is: how much of it each element holds, outside links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from lxml.html import HtmlElement

SENTENCE = 40
"""Characters outside links that make a line of text more than a label, a date or a button."""

# Text of these is part of the line around it.
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark q rp rt"
    " ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
# Text of these is content however short it is, but for links.
_DATA = frozenset({"blockquote", "dd", "dt", "li", "pre", "td", "th"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class Amount:
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

    def take(self, inner: Amount) -> None:
        """Counts in a child that has ended."""
        tag = inner.el.tag
        if tag == "a":
            inner.linked = inner.text
            inner.linked_line = inner.line
        if tag in _INLINE:
            self.line += inner.line
            self.linked_line += inner.linked_line
        else:
            inner.end_lines()
        self.text += inner.text
        self.linked += inner.linked
        self.running += inner.running

    def end_lines(self) -> None:
        outside = self.line - self.linked_line
        if outside >= SENTENCE and self.el.tag not in _HEADINGS or self.el.tag in _DATA:
            self.running += outside

    def less(self, inner: Amount) -> None:
        """Takes out what an element inside holds."""
        self.text -= inner.text
        self.linked -= inner.linked
        self.running -= inner.running


def measure(root: HtmlElement) -> dict[HtmlElement, Amount]:
    """The amounts of *root* and of every element below it, in one walk."""
    top = Amount(root)
    amounts = {root: top}
    stack: list[Amount] = []
    for event, el in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            amount = amounts[el] = Amount(el)
            amount.add(el.text)
            stack.append(amount)
            continue
        amount = stack.pop()
        if stack:
            stack[-1].take(amount)
            stack[-1].add(el.tail)
        else:
            amount.end_lines()
    return amounts


def without(amounts: dict[HtmlElement, Amount], left_out: list[HtmlElement]) -> None:
    """Takes the elements *left_out*, none of which is inside another, out of *amounts*."""
    for el in left_out:
        amount = amounts[el]
        for ancestor in el.iterancestors():
            if ancestor in amounts:
                amounts[ancestor].less(amount)
        for inner in el.iter():
            del amounts[inner]


def densest(amounts: dict[HtmlElement, Amount], top: HtmlElement) -> HtmlElement | None:
    """The element in *top* with most running text in its own paragraphs and its children's.

    As readability has it: a paragraph counts for its parent, and half for its grandparent. What
    stands in links counts against both. None where *top* has no running text.
    """
    scores: dict[HtmlElement, float] = {}
    for el in top.iter():
        amount = amounts.get(el)
        if amount is None or not amount.running or el.tag in _INLINE:
            continue
        own = amount.running - sum(amounts[c].running for c in el if c in amounts)
        if own <= 0 or el is top:
            continue
        place = holder(el)
        scores[place] = scores.get(place, 0) + own
        around = place.getparent()
        if place is not top and around is not None:
            scores[around] = scores.get(around, 0) + own / 2
    inside = [el for el in scores if el in amounts]
    if not inside:
        return None
    return max(inside, key=lambda el: scores[el] * (1 - share(amounts[el].linked, amounts[el])))


# What is part of a text, never the whole of one.
_PARTS = _DATA | _HEADINGS | frozenset(
    {"p", "table", "thead", "tbody", "tfoot", "tr", "caption", "ul", "ol", "dl", "figure"}
    | {"figcaption", "address", "details", "summary"}
)


def holder(el: HtmlElement) -> HtmlElement:
    """The nearest element around a paragraph, a list's item or a cell that may be a whole text."""
    while el.tag in _PARTS or el.tag in _INLINE:
        parent = el.getparent()
        if parent is None:
            break
        el = parent
    return el


def is_part(el: HtmlElement) -> bool:
    """Whether *el* is a paragraph, a list, a table or the like."""
    return el.tag in _PARTS


def share(part: int, whole: Amount) -> float:
    """*part* of all text of *whole*, from 0 to 1."""
    return part / whole.text if whole.text else 0.0
