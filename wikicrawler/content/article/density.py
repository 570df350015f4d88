"""Text density: the amount of running text, outside links, in each element of a page."""

from __future__ import annotations

import re
from itertools import islice, takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml.html import HtmlElement

MIN_SENTENCE = 40
"""Minimum characters outside links for a line to count as running text, not as a label, a date or
a button."""

# Their characters say as much as two to three Latin ones.
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")
_SAMPLE = 2000  # characters
_NEAR_LEVELS = 4
_NEAR_TITLE = 1.5

# Their text is part of the surrounding line.
_INLINE_NAMES = """
    a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark q rp rt
    ruby s samp small span strike strong sub sup time tt u var wbr
"""
_INLINE_TAGS = frozenset(_INLINE_NAMES.split())
# Their text outside links counts as content however short it is.
_DATA_TAGS = frozenset({"blockquote", "dd", "dt", "li", "pre", "td", "th"})
HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class TextAmounts:
    """Amounts of text in an element and its descendants, in characters."""

    __slots__ = ("el", "line", "linked", "linked_line", "prose", "running", "text")

    def __init__(self, el: HtmlElement) -> None:
        self.el = el
        self.text = 0
        """All text."""
        self.linked = 0
        """Text in links."""
        self.running = 0
        """Text outside links, in sentences or in tables, lists and code blocks."""
        self.prose = 0
        """Text outside links in sentences, wherever they are."""
        self.line = 0  # text of lines directly in the element
        self.linked_line = 0

    def add(self, text: str, scale: int) -> None:
        if text := text.strip():
            # Line breaks and indentation of the source are not text.
            length = len(text) if "\n" not in text else len(" ".join(text.split()))
            self.text += length * scale
            self.line += length * scale

    def add_child(self, child: TextAmounts) -> None:
        """Add the amounts of a child element after its end tag."""
        tag = child.el.tag
        if tag in _INLINE_TAGS:
            if tag == "a":
                child.linked = child.text
                child.linked_line = child.line
            self.line += child.line
            self.linked_line += child.linked_line
        else:
            child.end_lines()
        self.text += child.text
        self.linked += child.linked
        self.running += child.running
        self.prose += child.prose

    def subtract(self, inner: TextAmounts) -> None:
        """Remove the amounts of a descendant."""
        self.text -= inner.text
        self.linked -= inner.linked
        # The line of an inline element is part of the running text of the block around it.
        self.running = min(self.running - inner.running, self.text)
        self.prose = min(self.prose - inner.prose, self.text)

    def end_lines(self) -> None:
        outside = self.line - self.linked_line
        if outside >= MIN_SENTENCE and self.el.tag not in HEADING_TAGS:
            self.running += outside
            self.prose += outside
        elif self.el.tag in _DATA_TAGS:
            self.running += outside


def measure(root: HtmlElement) -> dict[HtmlElement, TextAmounts]:
    """Return the text amounts of *root* and all its descendants, from a single walk.

    A Chinese, Japanese or Korean character counts as two.
    """
    scale = _scale(root)
    amounts = {el: TextAmounts(el) for el in root.iter("*")}
    # Backwards, descendants come before what is around them. This is quicker than to walk with
    # events for the start and the end of each element.
    for el, amount in reversed(amounts.items()):
        if text := el.text:
            amount.add(text, scale)
        if el is root:
            amount.end_lines()
            break
        outer = amounts[el.getparent()]
        if amount.text:  # not an icon, a break or another empty element
            outer.add_child(amount)
        if text := el.tail:
            outer.add(text, scale)
    return amounts


def forget(elements: Iterable[HtmlElement], amounts: dict[HtmlElement, TextAmounts]) -> None:
    """Remove *elements*, which are about to be dropped, from *amounts* and their ancestors'."""
    for el in elements:
        if el not in amounts:
            continue
        amount = amounts[el]
        for around in el.iterancestors():
            if around in amounts:
                amounts[around].subtract(amount)
        for inner in el.iter():
            amounts.pop(inner, None)


def _scale(root: HtmlElement) -> int:
    """Return 2 if much of the text in *root* is Chinese, Japanese or Korean, else 1."""
    dense = chars = 0
    for text in root.itertext():
        if text.isspace():
            continue
        if not text.isascii():
            dense += len(_DENSE.findall(text[:_SAMPLE]))
        chars += len(text)
        if chars > _SAMPLE:
            break
    return 2 if dense > 0.2 * chars else 1


def densest(
    top: HtmlElement,
    amounts: Mapping[HtmlElement, TextAmounts],
    title: HtmlElement | None = None,
) -> HtmlElement | None:
    """Return the element in *top* with the most running text in its paragraphs, or None.

    As in readability, a paragraph counts fully for its container and half for the container's
    parent. The share of link text reduces the score, and nearness to *title*, the heading with the
    page's title, raises it. None if *top* has no running text.
    """
    scores: dict[HtmlElement, float] = {}
    # For each element, the nearest one that may contain a whole text (no paragraph, list or table).
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
    near = _near(title, top)
    return max(
        scores,
        key=lambda el: (
            scores[el]
            * (1 - amounts[el].linked / amounts[el].text)
            * (_NEAR_TITLE if el in near or el.getparent() in near else 1)
        ),
    )


def _near(title: HtmlElement | None, top: HtmlElement) -> set[HtmlElement]:
    """Return the nearest elements around *title* below *top*."""
    if title is None:
        return set()
    around = islice(title.iterancestors(), _NEAR_LEVELS)
    return set(takewhile(lambda el: el is not top, around))


# Elements that are part of a text, never a whole text.
_PART_TAGS = (
    _DATA_TAGS
    | HEADING_TAGS
    | frozenset(
        {"p", "table", "thead", "tbody", "tfoot", "tr", "caption", "ul", "ol", "dl", "figure"}
        | {"figcaption", "address", "details", "summary"}
    )
)


def is_part(el: HtmlElement) -> bool:
    """Return True if *el* is a paragraph, heading, list, table or part of one."""
    return el.tag in _PART_TAGS


def is_heading(el: HtmlElement) -> bool:
    """Return True for ``h1`` to ``h6``."""
    return el.tag in HEADING_TAGS


def is_inline(el: HtmlElement) -> bool:
    """Return True if the text of *el* is part of the surrounding line."""
    return el.tag in _INLINE_TAGS
