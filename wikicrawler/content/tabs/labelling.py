"""Labels of panels: each is shown in bold at the start of its panel."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lxml.html import builder

if TYPE_CHECKING:
    from lxml.html import HtmlElement

TAB_LABEL = "wikicrawler-tab"
"""Class of the label that :func:`label_panel` inserts at the start of a panel."""

MAX_LABEL = 100
"""Characters of a label."""
_MAX_PARTS = 60
"""Elements and pieces of text of a label, and elements before the heading of a panel."""
_MAX_BLANK = 1000
"""Pieces of white space at the start of a panel after which text is expected."""

_NO_CONTAINERS = frozenset({"dl", "ol", "p", "pre", "table", "ul"})
"""Tags of panels before which the label stands, because a paragraph has no place in them."""
_HIDING = ("hidden", "style", "aria-hidden")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def label_panel(panel: HtmlElement, label: str) -> None:
    """Show *panel* as content, with *label* at its start if it has text and no such heading.

    A label without letters, such as the number of a slide, is not shown.
    """
    show(panel)
    if not any(map(str.isalpha, label)) or not has_text(panel):
        return
    heading = first_of(panel, _HEADINGS)
    if heading is None or (label_text(heading) or "").casefold() != label.casefold():
        line = builder.P(builder.CLASS(TAB_LABEL), builder.B(label))
        if panel.tag in _NO_CONTAINERS:
            panel.addprevious(line)
            return
        panel.insert(0, line)
        line.tail, panel.text = panel.text, None


def show(panel: HtmlElement) -> None:
    """Remove what hides *panel* until a click."""
    for name in _HIDING:
        panel.attrib.pop(name, None)


def has_text(el: HtmlElement) -> bool:
    """Return True if *el* has text that is not white space."""
    pieces = list(islice(el.itertext(), _MAX_BLANK))
    return len(pieces) == _MAX_BLANK or any(map(str.strip, pieces))


def first_of(el: HtmlElement, tags: frozenset[str]) -> HtmlElement | None:
    """Return the first of *el* and the elements at its start that has one of *tags*."""
    return next((part for part in islice(el.iter(), _MAX_PARTS) if part.tag in tags), None)


def label_text(el: HtmlElement) -> str | None:
    """Return the text of *el* on one line, or None if it is longer than a label."""
    pieces = list(islice(el.itertext(), _MAX_PARTS))
    text = " ".join("".join(pieces).split())
    return text if len(pieces) < _MAX_PARTS and len(text) <= MAX_LABEL else None
