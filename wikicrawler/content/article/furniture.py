"""Detection of furniture around and in the content of a page, by tag, role, name and links."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.article.density import HEADING_TAGS
from wikicrawler.content.clean import NON_TEXT_TAGS, find_if, is_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from lxml.html import HtmlElement

MIN_ARTICLE = 250
"""Minimum characters of running text for a container to be taken for an article."""
MIN_PARAGRAPH = 80
"""Minimum characters of running text whose loss would matter, about a paragraph."""

_FURNITURE_TAGS = NON_TEXT_TAGS | {"nav", "footer", "dialog"}
_FURNITURE_ROLES = frozenset(
    {"alert", "alertdialog", "banner", "contentinfo", "dialog", "menu", "menubar", "navigation"}
    | {"search", "toolbar"}
)
_TELLING = frozenset({"aria-modal", "hidden", "role", "style"})
"""Attributes that may tell that an element is furniture."""
_PERMALINKS = frozenset("¶#§🔗")
_TITLE_TAGS = HEADING_TAGS | {"summary"}
_MAX_NAMES = 1000
# From Bootstrap, Tailwind, WordPress, Drupal, HTML5 Boilerplate, Foundation and GOV.UK.
_READ_ALOUD = frozenset(
    {"visually-hidden", "visuallyhidden", "sr-only", "screen-reader-text", "element-invisible"}
    | {"show-for-sr", "govuk-visually-hidden", "screenreader", "u-visually-hidden"}
)
_OPAQUE_TAGS = frozenset({"pre", "code", "table"})


def furniture_in(root: HtmlElement, classes: str) -> list[HtmlElement]:
    """Return the outermost elements below *root*, or its body, that are never content: scripts,
    media, hidden elements, ``nav``.

    *classes* is all ``class`` values of the page.
    """
    body = root.find("body")
    is_furniture = _is_furniture
    if any(name in classes for name in _READ_ALOUD):
        is_furniture = _is_furniture_or_read_aloud
    return find_if(root if body is None else body, is_furniture)


def _is_furniture(el: HtmlElement) -> bool:
    tag = el.tag
    if tag == "button":
        return el.getparent() is None or el.getparent().tag not in _TITLE_TAGS
    if tag == "a" and not len(el) and (el.text or "x").strip() in _PERMALINKS:
        return True
    if tag in _FURNITURE_TAGS:
        return True
    # Few elements have one of these: one look for all, since each takes as long.
    if tag != "header" and _TELLING.isdisjoint(el.keys()):
        return False
    return _is_stated_furniture(el)


def _is_stated_furniture(el: HtmlElement) -> bool:
    role = el.get("role")
    if role and role.lower() in _FURNITURE_ROLES:
        # A search page may have its results in the form.
        return next(el.iter("h1"), None) is None
    if el.tag == "header":
        return _is_banner(el)
    return el.get("aria-modal") == "true" or is_hidden(el)


def _is_furniture_or_read_aloud(el: HtmlElement) -> bool:
    names = el.get("class")
    if names and el.tag not in HEADING_TAGS and _is_for_readers_aloud(names):
        return True
    return _is_furniture(el)


@lru_cache(maxsize=4096)
def _is_for_readers_aloud(names: str) -> bool:
    """Return True if a browser shows an element with these classes to screen readers only."""
    return not _READ_ALOUD.isdisjoint(names[:_MAX_NAMES].split())


def _is_banner(header: HtmlElement) -> bool:
    """Return True if *header* is the site's, not a section's, and does not contain the title."""
    if next(header.iter("h1"), None) is not None:
        return False
    return all(el.tag not in _SECTION_TAGS for el in header.iterancestors())


_SECTION_TAGS = frozenset({"article", "aside", "main", "section"})


def outside_data(root: HtmlElement, wanted: Callable[[HtmlElement], bool]) -> list[HtmlElement]:
    """Return the outermost elements below *root* for which *wanted* returns True.

    Elements inside tables and code blocks are not searched.
    """
    found = []
    walker = etree.iterwalk(root, events=("start",))
    for _, el in walker:
        if el is not root and wanted(el):
            found.append(el)
            walker.skip_subtree()
        elif el.tag in _OPAQUE_TAGS:
            walker.skip_subtree()
    return found


def outermost(
    root: HtmlElement, tags: Collection[str], wanted: Callable[[HtmlElement], bool]
) -> list[HtmlElement]:
    """Do the same as :func:`outside_data` for elements with *tags*, which is faster."""
    candidates = [el for el in root.iter(*tags) if el is not root and wanted(el)]
    if not candidates:
        return []
    inside: set[HtmlElement] = set()
    for data in root.iter(*_OPAQUE_TAGS):
        if data is not root and data not in inside:
            inside.update(data.iterdescendants())
    found = []
    for el in candidates:
        if el not in inside:
            found.append(el)
            inside.update(el.iterdescendants(*tags))
    return found


def with_headings(elements: list[HtmlElement]) -> list[HtmlElement]:
    """Return *elements* and the headings that would be left without content if these are dropped.

    *elements* are in document order.
    """
    dropped = set(elements)
    # For each element: True if no content remains between it and the next heading.
    at_end: dict[HtmlElement, bool] = {}
    headings = []
    for el in reversed(elements):
        before, after = el.getprevious(), el.getnext()
        at_end[el] = not (el.tail or "").strip() and (
            after is None
            or after.tag in HEADING_TAGS
            or (after in dropped and at_end.get(after, False))
        )
        heads = (
            before is not None and before.tag in HEADING_TAGS and not (before.tail or "").strip()
        )
        if heads and at_end[el]:
            headings.append(before)
    return elements + headings
