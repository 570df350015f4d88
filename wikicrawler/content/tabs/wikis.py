"""Tabs of wikis: Tabber, TabberNeue and Fandom's tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.rewrite import has_class
from wikicrawler.content.tabs.labelling import label_panel, label_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement


def wiki_tabs(root: HtmlElement, classes: str) -> None:
    """Move each tab's label to the start of its panel, for Tabber, TabberNeue and Fandom's tabs.

    Call this before navigation and hidden elements are dropped, because labels and panels look
    like them.
    """
    if "tabber" not in classes and "wds-tabs" not in classes:
        return
    for box in root.xpath(
        f".//*[{has_class('tabber')} or {has_class('wds-tabber')} or {has_class('wds-tabs')}]"
        "[not(self::ul)]"
    ):
        labels = list(_own_elements(box, _TAB_LABELS))
        for index, panel in enumerate(_own_elements(box, _TAB_PANELS)):
            label = _attribute_label(panel)
            if index < len(labels):
                label = label_text(labels[index]) or label
            label_panel(panel, label)
        for label_el in labels:
            label_el.drop_tree()


_TAB_LABELS = frozenset({"tabber__tab", "wds-tabs__tab"})
_TAB_PANELS = frozenset({"tabber__panel", "tabbertab", "wds-tab__content"})
_TAB_BOXES = frozenset({"tabber", "wds-tabber"})


def _own_elements(box: HtmlElement, wanted: frozenset[str]) -> Iterator[HtmlElement]:
    """Yield elements with a class in *wanted* that belong to *box*, not to tabs nested in it."""
    found = box.xpath(".//*[" + " or ".join(map(has_class, sorted(wanted))) + "]")
    for candidate in found:
        nearest = next(
            (a for a in candidate.iterancestors() if not _TAB_BOXES.isdisjoint(_classes(a))), None
        )
        if nearest is box or nearest is None:
            yield candidate


def _attribute_label(panel: HtmlElement) -> str:
    for name in ("data-mw-tabber-title", "data-title", "title"):
        if panel.get(name):
            return " ".join(str(panel.get(name)).split())
    return ""


def _classes(el: HtmlElement) -> list[str]:
    return (el.get("class") or "").split()
