"""Tabs of radio buttons: the label of each shows a panel by CSS alone."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from wikicrawler.content.tabs.targets import Pair

_MAX_DEPTH = 30
"""Elements around a label that may be a form."""
_MAX_LABELS = 500
"""Labels of radio buttons in a page. A page with more is left as it is."""
_PANEL_TAGS = frozenset({"article", "div", "figure", "pre", "section", "table", "ul", "ol"})
_LABEL_TAGS = frozenset({"input", "label", "li"})


def radio_pairs(root: HtmlElement) -> list[Pair]:
    """Return the labels of radio buttons and their panels, outside of forms."""
    radios = {
        el.get("id"): el for el in root.iter("input") if (el.get("type") or "").lower() == "radio"
    }
    groups: dict[tuple[str, HtmlElement], list[HtmlElement]] = {}
    labels = list(islice(root.iter("label"), _MAX_LABELS + 1))
    for label in labels if len(labels) <= _MAX_LABELS else ():
        radio = radios.get(label.get("for") or None)
        if radio is not None and not _is_in_form(label):
            key = radio.get("name") or "", _holder(label)
            groups.setdefault(key, []).append(label)
    return [pair for (_, holder), labels in groups.items() for pair in _pairs(holder, labels)]


def _holder(label: HtmlElement) -> HtmlElement:
    """Return the element around the labels of a group, which may be items of a list."""
    parent = label.getparent()
    return parent.getparent() if parent.tag == "li" else parent


def _is_in_form(label: HtmlElement) -> bool:
    return any(el.tag == "form" for el in islice(label.iterancestors(), _MAX_DEPTH))


def _pairs(holder: HtmlElement, labels: list[HtmlElement]) -> list[Pair]:
    direct = [(label, label.getnext()) for label in labels]
    if all(panel is not None and panel.tag in _PANEL_TAGS for _, panel in direct):
        return direct
    if len(labels) > 1:
        for panels in _candidates(holder, labels):
            if len(panels) == len(labels) and all(el.tag in _PANEL_TAGS for el in panels):
                return list(zip(labels, panels, strict=True))
    return []


def _candidates(holder: HtmlElement, labels: list[HtmlElement]) -> Iterator[list[HtmlElement]]:
    """Yield what may be the panels: siblings after the labels, children of what follows them, or
    the siblings of the element that holds nothing but the labels."""
    limit = len(labels) + 1
    if labels[-1].getparent() is holder:
        yield list(islice(labels[-1].itersiblings(), limit))
    if all(el.tag in _LABEL_TAGS for el in holder):
        following = holder.getnext()
        if following is not None:
            yield list(islice(following, limit))
            yield list(islice(holder.itersiblings(), len(labels)))
