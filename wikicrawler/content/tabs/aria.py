"""Pairs of ARIA's tabs and tab panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.tabs.targets import Pair, Targets


def paired_by_reference(
    labels: list[HtmlElement], panels: list[HtmlElement], targets: Targets
) -> list[Pair]:
    """Return the pairs in which the tab names its panel, or the panel its tab."""
    by_label = {
        name: panel for panel in panels for name in (panel.get("aria-labelledby") or "").split()
    }
    pairs = []
    for label in labels:
        panel = targets.of(label)
        if panel is None:
            panel = by_label.get(label.get("id") or "")
        if panel is not None:
            pairs.append((label, panel))
    return pairs


def by_order(labels: list[HtmlElement], panels: list[HtmlElement], known: list[Pair]) -> list[Pair]:
    """Return the pairs of tabs and panels that follow them, where neither names the other.

    There are as many panels as tabs, or only that of the selected tab.
    """
    done = {el for pair in known for el in pair}
    all_panels = set(panels)
    groups: dict[HtmlElement | None, list[_Group]] = {}
    kinds = dict.fromkeys(labels, True) | dict.fromkeys(panels, False)
    for el in _in_order(kinds, labels, panels):
        if el in done:
            continue
        around = next((a for a in el.iterancestors() if a in all_panels), None)
        own = groups.setdefault(around, [])
        is_label = kinds[el]
        if is_label and (not own or own[-1].panels):
            own.append(_Group())
        if own:
            (own[-1].labels if is_label else own[-1].panels).append(el)
    return [pair for own in groups.values() for group in own for pair in group.pairs()]


class _Group:
    """Tabs and the panels after them."""

    def __init__(self) -> None:
        self.labels: list[HtmlElement] = []
        self.panels: list[HtmlElement] = []

    def pairs(self) -> list[Pair]:
        if len(self.panels) == 1 and len(self.labels) > 1:
            selected = [el for el in self.labels if el.get("aria-selected") == "true"]
            return [(selected[0], self.panels[0])] if len(selected) == 1 else []
        if len(self.panels) != len(self.labels):
            return []
        return list(zip(self.labels, self.panels, strict=True))


def _in_order(
    kinds: dict[HtmlElement, bool], labels: list[HtmlElement], panels: list[HtmlElement]
) -> list[HtmlElement]:
    """Return the elements of *kinds* in document order."""
    first = next(iter(labels), None)
    if first is None or not panels:
        return []
    return [el for el in first.getroottree().iter() if el in kinds]
