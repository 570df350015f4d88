"""Removal of page furniture (navigation, edit links, hidden elements) by tag, class and role.

Wiki pages are cleaned by the class names of MediaWiki, its extensions and common templates of wiki
farms, never by text heuristics. Heuristics made for news articles would drop the tables and link
lists that wikis consist of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lxml import etree

from wikicrawler.content.links import is_edit_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml.html import HtmlElement


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


NON_TEXT_TAGS = _names("""
    applet area audio base canvas datalist embed iframe img input link map meta noembed noframes
    noscript object param picture progress script select source style svg template textarea title
    track video
""")
"""Tags of elements without page text: media, form fields, scripts and their templates."""
_WIKI_NON_TEXT_TAGS = NON_TEXT_TAGS | {"button"}

# From MediaWiki and its extensions, widely copied Wikipedia templates, and Fandom.
_FURNITURE_CLASSES = _names("""
    mw-editsection mw-editsection-like mw-empty-elt mw-jump-link mw-cite-backlink mw-indicators
    mw-collapsible-toggle mw-headline-number mw-ext-cite-error mw-linkback-text mw-tmh-player
    ext-discussiontools-emptystate ext-discussiontools-init-replylink-buttons
    ext-discussiontools-init-section-bar ext-discussiontools-init-section-ellipsisButton
    ext-discussiontools-init-section-overflowMenuButton
    ext-discussiontools-init-section-subscribe ext-discussiontools-init-section-subscribeButton
    mw-kartographer-map CategoryTreeTag catlinks editsection linenos magnify noprint printfooter
    scribunto-error toc toctogglecheckbox toctogglespan Z3988
    ambox asbox cmbox fmbox mbox-small metadata navbar ombox portal-bar portalbox shortdescription
    side-box sistersitebox sortkey tmbox
    ad-slot gpt-ad pi-image-collection-tabs pi-navigation pi-video wds-tabs__arrow-left
    wds-tabs__arrow-right wikia-ad
""")
_NAVIGATION_CLASSES = _names("""
    authority-control nav-box navbox navbox-styles navboxes navibox navigation-box vertical-navbox
""")
_INPUT_BOX_CLASS = "mw-inputbox"
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
# Panels of tabs and collapsible sections are hidden until a click, but they are content.
_EXPANDABLE = re.compile(r"tab|collaps|NavContent|spoiler|panel|accordion|toggle", re.IGNORECASE)


class Furniture(NamedTuple):
    """The elements of a wiki page that are not part of its text."""

    unwanted: list[HtmlElement]
    navigation: list[HtmlElement]
    """Navigation boxes. Their links are collected; their text is dropped."""
    classes: str
    """All ``class`` values of the page, one a line. Rules for rare structures search them to
    decide whether to run."""


def wiki_furniture(elements: Iterable[HtmlElement]) -> Furniture:
    """Return the furniture of a wiki page among *elements*, in their order.

    The caller drops it.
    """
    unwanted: list[HtmlElement] = []
    navigation: list[HtmlElement] = []
    by_class: dict[str, str | None] = {}
    for el in elements:
        tag = el.tag
        if tag in _WIKI_NON_TEXT_TAGS:
            unwanted.append(el)
            continue
        pairs = el.items()
        if not pairs and tag != "nav":
            continue
        attributes = dict(pairs)
        names = attributes.get("class", "")
        if names in by_class:
            kind = by_class[names]
        else:
            kind = by_class[names] = _classify_class(names)
        if kind is not None or tag == "nav" or not _TELLING.isdisjoint(attributes):
            kind = _classify(tag, attributes, kind)
        elif tag == "a" and _is_editor_link(attributes.get("href", "")):
            kind = _UNWANTED
        if kind is _UNWANTED:
            unwanted.append(el)
        elif kind is _NAVIGATION_BOX:
            navigation.append(el)
    return Furniture(unwanted, navigation, "\n".join(by_class))


_UNWANTED, _NAVIGATION_BOX = "unwanted", "navigation"
_TELLING = frozenset({"id", "role", "style", "hidden"})
"""Attributes other than the class that tell furniture."""


def _classify(tag: str, attributes: dict[str, str], kind: str | None) -> str | None:
    """Return what an element is; *kind* is what its class says."""
    if attributes.get("id") == "toc":
        return _UNWANTED
    if tag == "nav":
        return _NAVIGATION_BOX
    if kind or (tag == "a" and _is_editor_link(attributes.get("href", ""))):
        return kind or _UNWANTED
    if (
        attributes.get("role") == "navigation"
        and "hatnote" not in attributes.get("class", "").split()
    ):
        return _NAVIGATION_BOX
    return _UNWANTED if is_hidden(attributes) else None


def _classify_class(names: str) -> str | None:
    classes = names.split()
    if not _NAVIGATION_CLASSES.isdisjoint(classes):
        return _NAVIGATION_BOX
    if not _FURNITURE_CLASSES.isdisjoint(classes) or _INPUT_BOX_CLASS in names:
        return _UNWANTED
    return None


def _is_editor_link(href: str) -> bool:
    """Return True for a link to the editor. A red link is not one: its text is content."""
    return "action=edit" in href and "redlink=1" not in href and is_edit_link(href)


class _Attributes(Protocol):
    def get(self, key: str, /) -> str | None: ...


def is_hidden(el: _Attributes) -> bool:
    """Return True if a browser never shows *el*. Content that a click reveals is not hidden."""
    hidden = el.get("hidden")
    if hidden is None or hidden == "until-found":
        style = (el.get("style") or "").lower()
        if ("none" not in style and "hidden" not in style) or not _HIDDEN.search(style):
            return False
    return not _EXPANDABLE.search(f"{el.get('class') or ''} {el.get('id') or ''}")


def find_if(root: HtmlElement, wanted: Callable[[HtmlElement], bool]) -> list[HtmlElement]:
    """Return the outermost elements below *root* for which *wanted* returns True."""
    found = []
    walker = etree.iterwalk(root, events=("start",))
    for _, el in walker:
        if el is not root and wanted(el):
            walker.skip_subtree()
            found.append(el)
    return found


def drop(elements: Iterable[HtmlElement]) -> None:
    """Remove *elements* from their document and keep their tails."""
    root = None
    for el in elements:
        if el.getparent() is not None:
            root = el.getroottree()
            el.tag = _DROPPED
    # Remove all at once: removing one by one copies the preceding text each time.
    if root is not None:
        etree.strip_elements(root, _DROPPED, with_tail=False)


_DROPPED = "wikicrawler-dropped"
