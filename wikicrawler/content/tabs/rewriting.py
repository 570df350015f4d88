"""Tabs and disclosures: each panel gets its label, and all are shown.

Tabs are found by ARIA (``role=tab`` and what it controls), by radio buttons whose labels stand
before their panels, and by links and buttons of tabs that lead to panels of the page. Disclosures
are buttons with ``aria-expanded`` before the text that they show, such as the questions of a FAQ.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from lxml.html import builder

from wikicrawler.content.clean import drop
from wikicrawler.content.tabs.aria import by_order, paired_by_reference
from wikicrawler.content.tabs.labelling import first_of, label_panel, label_text, show
from wikicrawler.content.tabs.radios import radio_pairs
from wikicrawler.content.tabs.targets import Targets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

    from wikicrawler.content.tabs.targets import Pair

_MAX_TABS = 500
"""Tabs and disclosures of a page. A page with more is left as it is."""
_LEVELS = 4
"""Elements around a label whose next sibling may be its panel."""
_PARTS = 300
"""Elements of a panel, or pieces of text of a link, that are looked at."""
_MAX_CLASSES = 200
"""Characters of a ``class`` value that are searched."""
_MIN_ANSWER = 20
"""Characters outside of links that make a panel of a disclosure text."""

_TAB_CLASS = re.compile(r"(?:^|[\s_-])(?:tabs?|pills?|tablinks?)(?:$|[\s_-])", re.IGNORECASE)
_PANEL_CLASS = re.compile(r"tab\w*[_-]?(?:pane|content|body|block)", re.IGNORECASE)
_TAB_ROLE = re.compile(rb"""role=["']?tab["'\s>]""")
_MAY_BE_TABS = re.compile("tab(?:s|bed|links?)?(?![a-z])")
_TITLES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"})
_FIELDS = frozenset({"input", "select", "textarea"})
_MENUS = frozenset({"dialog", "listbox", "menu", "navigation", "search", "tree"})


def tabs(root: HtmlElement, classes: str, source: bytes) -> None:
    """Label the panels of tabs below *root* and show them.

    *classes* is all ``class`` values, and *source* the page: a rule runs only if they have its
    names, because a search of the tree takes far longer. Call this before navigation, buttons, form
    fields and hidden elements are dropped, because labels and panels look like them.
    """
    may_be_tabs = _MAY_BE_TABS.search(classes) is not None
    targets = Targets(root)
    pairs: list[Pair] = []
    if b"tabpanel" in source or (may_be_tabs and _TAB_ROLE.search(source)):
        found = root.xpath(".//*[@role='tab' or @role='tabpanel']")
        labels = [el for el in found if el.get("role") == "tab"]
        panels = [el for el in found if el.get("role") == "tabpanel"]
        if len(labels) <= _MAX_TABS and len(panels) <= _MAX_TABS:
            pairs += paired_by_reference(labels, panels, targets)
            pairs += by_order(labels, panels, pairs)
            _drop_unpaired(labels, pairs)
    if may_be_tabs:
        pairs += radio_pairs(root)
        pairs += _linked_panels(root, targets, pairs)
    _apply(pairs)
    buttons = [el for el in root.iter("button") if el.get("aria-expanded")]
    _disclose(buttons[:_MAX_TABS], targets)


def _apply(pairs: Iterable[Pair]) -> None:
    """Move each label to the start of its panel, once."""
    labelled: set[HtmlElement] = set()
    unwanted = []
    for label, panel in pairs:
        text = label_text(label)
        if text is None or _is_title_of(label, panel):
            show(panel)
        else:
            unwanted.append(label)
            if panel not in labelled:
                label_panel(panel, text)
        labelled.add(panel)
    drop(unwanted)


def _is_title_of(label: HtmlElement, panel: HtmlElement) -> bool:
    """Return True if *label* is a heading, or in one, directly before *panel*."""
    if label.tag in _TITLES or first_of(label, _TITLES) is not None:
        return _precedes(label, panel)
    parent = label.getparent()
    return parent is not None and parent.tag in _TITLES and _precedes(label, panel)


def _precedes(label: HtmlElement, panel: HtmlElement) -> bool:
    """Return True if *panel* directly follows *label* or an element around it."""
    place: HtmlElement | None = label
    for _ in range(_LEVELS):
        if place is None:
            return False
        following = place.getnext()
        for _ in range(_LEVELS):
            if following is None:
                break
            if following is panel:
                return True
            following = next(iter(following), None)
        place = place.getparent()
    return False


def _drop_unpaired(labels: list[HtmlElement], pairs: list[Pair]) -> None:
    """Drop the labels of panels that are not in the page, beside others that have one."""
    paired = {label for label, _ in pairs}
    lists = {_list_of(label) for label in paired}
    drop(
        [
            label
            for label in labels
            if label not in paired
            and _list_of(label) in lists
            and not _leads_elsewhere(label)
            and label_text(label) is not None
        ]
    )


def _list_of(label: HtmlElement) -> HtmlElement | None:
    parent = label.getparent()
    return parent.getparent() if parent is not None and parent.tag == "li" else parent


def _leads_elsewhere(label: HtmlElement) -> bool:
    link = first_of(label, frozenset({"a"}))
    href = "" if link is None else (link.get("href") or "")
    return bool(href) and not href.startswith(("#", "javascript:"))


def _linked_panels(root: HtmlElement, targets: Targets, known: list[Pair]) -> list[Pair]:
    """Return the panels that links and buttons of tabs lead to.

    At least two of them have one parent, which the links of a table of contents often have, too;
    so the names of the links or of what is around them say that they are tabs.
    """
    done = {panel for _, panel in known}
    labels = [
        label
        for label in root.iter("a", "button", "li")
        if label.get("role") != "tab" and _is_tab(label)
    ]
    if len(labels) > _MAX_TABS:
        return []
    found = [
        (label, panel)
        for label in labels
        if (panel := targets.of(label)) is not None
        and panel not in done
        and any(map(str.isalpha, label_text(label) or ""))
    ]
    counts: dict[HtmlElement, int] = {}
    for _, panel in found:
        counts[panel.getparent()] = counts.get(panel.getparent(), 0) + 1
    return [pair for pair in found if counts[pair[1].getparent()] > 1]


def _is_tab(label: HtmlElement) -> bool:
    if {label.get("data-toggle"), label.get("data-bs-toggle")} & {"tab", "pill"}:
        return True
    href = label.get("href")
    if (href and href[0] != "#") or (label.tag == "li" and not label.get("data-tab")):
        return False
    place: HtmlElement | None = label
    for _ in range(_LEVELS):
        if place is None:
            return False
        classes = place.get("class")
        kind = _kind_of(classes[:_MAX_CLASSES]) if classes else None
        if kind:
            return kind == "tab"
        place = place.getparent()
    return False


@lru_cache(maxsize=4096)
def _kind_of(classes: str) -> str | None:
    """Return ``panel`` or ``tab`` if a class in *classes* names one, else None."""
    if _PANEL_CLASS.search(classes):
        return "panel"
    return "tab" if _TAB_CLASS.search(classes) else None


# -- disclosures -----------------------------------------------------------------------------------


def _disclose(buttons: list[HtmlElement], targets: Targets) -> None:
    """Show the text after each of *buttons* that hides it, and keep the button as its title."""
    for button in buttons:
        if button.get("role") == "tab":
            continue
        panel = targets.of(button)
        if panel is None:
            panel = _next_of(button)
        if panel is not None and _precedes(button, panel) and _is_answer(panel):
            show(panel)
            if button.tag == "button":
                _make_title(button)


def _next_of(button: HtmlElement) -> HtmlElement | None:
    place: HtmlElement | None = button
    for _ in range(_LEVELS - 1):
        if place is None or (place.tail or "").strip():
            return None
        if place.getnext() is not None:
            return place.getnext()
        place = place.getparent()
    return None


def _is_answer(panel: HtmlElement) -> bool:
    """Return True if *panel* is text, not a menu or a form."""
    if panel.get("role") in _MENUS or panel.tag in {"nav", "form", "dialog"}:
        return False
    size = linked = 0
    for part in islice(panel.iter(), _PARTS):
        if part.tag in _FIELDS:
            return False
        size += len((part.text or "").strip()) + len((part.tail or "").strip())
        if part.tag in {"a", "button"}:
            linked += sum(len(text.strip()) for text in islice(part.itertext(), _PARTS))
    return size - linked >= _MIN_ANSWER and linked < 0.5 * size


def _make_title(button: HtmlElement) -> None:
    """Turn *button* into the text of the heading around it, or into a paragraph in bold."""
    if any(el.tag in _TITLES for el in islice(button.iterancestors(), _LEVELS)):
        button.tag = "span"
    elif first_of(button, _TITLES | {"p", "div"}) is not None:
        button.tag = "div"
    else:
        button.tag = "p"
        bold = builder.B(*button)
        bold.text, button.text = button.text, None
        button.append(bold)
