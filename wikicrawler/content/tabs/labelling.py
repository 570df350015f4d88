"""Labels of panels: each is shown in bold at the start of its panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml.html import builder

if TYPE_CHECKING:
    from lxml.html import HtmlElement

TAB_LABEL = "wikicrawler-tab"
"""Class of the label that :func:`label_panel` inserts at the start of a panel."""

MAX_LABEL = 100
"""Characters of a label."""

_HIDING = ("hidden", "style", "aria-hidden")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def label_panel(panel: HtmlElement, label: str) -> None:
    """Show *panel* as content, with *label* at its start if it has text and no such heading.

    A label without letters, such as the number of a slide, is not shown.
    """
    show(panel)
    if not any(map(str.isalpha, label)) or not has_text(panel):
        return
    heading = next(panel.iter(*_HEADINGS), None)
    if heading is None or text_of(heading).casefold() != label.casefold():
        panel.insert(0, builder.P(builder.CLASS(TAB_LABEL), builder.B(label)))
        panel[0].tail, panel.text = panel.text, None


def show(panel: HtmlElement) -> None:
    """Remove what hides *panel* until a click."""
    for name in _HIDING:
        panel.attrib.pop(name, None)


def has_text(el: HtmlElement) -> bool:
    """Return True if *el* has text that is not white space."""
    return any(map(str.strip, el.itertext()))


def text_of(el: HtmlElement) -> str:
    """Return the text of *el* on one line."""
    return " ".join(el.text_content().split())
