"""What is not content, by tag, class and role.

A wiki's page is cleaned by the classes that MediaWiki, its extensions and the wiki farms' common
templates give to their furniture, never by guesses about text: a guess that is right for news
drops the tables and link lists that wikis are made of.
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
"""Elements that hold no text of the page: media, forms' fields, what scripts use."""
_WIKI_NON_TEXT_TAGS = NON_TEXT_TAGS | {"button"}

# Of MediaWiki and its extensions; of Wikipedia's templates that other wikis have copied; of Fandom.
_FURNITURE_CLASSES = _names("""
    mw-editsection mw-editsection-like mw-empty-elt mw-jump-link mw-cite-backlink mw-indicators
    mw-collapsible-toggle mw-headline-number mw-ext-cite-error mw-tmh-player
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
# Hidden until a click: the panels of tabs and folds are content.
_EXPANDABLE = re.compile(r"tab|collaps|NavContent|spoiler|panel|accordion|toggle", re.IGNORECASE)


class Furniture(NamedTuple):
    """What of a wiki's page is none of its text."""

    unwanted: list[HtmlElement]
    navigation: list[HtmlElement]
    """Navigation boxes: their links count, their text does not."""
    classes: str
    """All values of ``class`` on the page, by which rules for rare structures are skipped."""


def wiki_furniture(elements: Iterable[HtmlElement]) -> Furniture:
    """The furniture of a wiki among *elements*, in their order, to be dropped by the caller."""
    unwanted: list[HtmlElement] = []
    navigation: list[HtmlElement] = []
    classifier = _ElementClassifier()
    for el in elements:
        tag = el.tag
        if tag in _WIKI_NON_TEXT_TAGS:
            unwanted.append(el)
            continue
        pairs = el.items()
        if not pairs and tag != "nav":
            continue
        kind = classifier.classify(tag, dict(pairs))
        if kind is _UNWANTED:
            unwanted.append(el)
        elif kind is _NAVIGATION_BOX:
            navigation.append(el)
    return Furniture(unwanted, navigation, "\n".join(classifier.by_class))


_UNWANTED, _NAVIGATION_BOX = "unwanted", "navigation"


class _ElementClassifier:
    """What an element is, by its tag and attributes; of a page, *by_class* knows each ``class``."""

    def __init__(self) -> None:
        self.by_class: dict[str, str | None] = {}

    def classify(self, tag: str, attributes: dict[str, str]) -> str | None:
        names = attributes.get("class", "")
        if names in self.by_class:
            kind = self.by_class[names]
        else:
            kind = self.by_class[names] = _classify_class(names)
        if attributes.get("id") == "toc":
            return _UNWANTED
        if tag == "nav":
            return _NAVIGATION_BOX
        if kind or (tag == "a" and _is_editor_link(attributes.get("href", ""))):
            return kind or _UNWANTED
        if attributes.get("role") == "navigation" and "hatnote" not in names.split():
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
    """A link to an editor, which says nothing of the page."""
    return "redlink=1" not in href and "action=edit" in href and is_edit_link(href)


class _Attributes(Protocol):
    def get(self, key: str, /) -> str | None: ...


def is_hidden(el: _Attributes) -> bool:
    """Whether a browser never shows *el*; what a click would show is not hidden."""
    hidden = el.get("hidden")
    if hidden is None or hidden == "until-found":
        style = (el.get("style") or "").lower()
        if ("none" not in style and "hidden" not in style) or not _HIDDEN.search(style):
            return False
    return not _EXPANDABLE.search(f"{el.get('class') or ''} {el.get('id') or ''}")


def drop_if(root: HtmlElement, unwanted: Callable[[HtmlElement], bool]) -> None:
    """Takes each element below *root* out, tail kept, for which *unwanted* is true."""
    drop(find_if(root, unwanted))


def find_if(root: HtmlElement, wanted: Callable[[HtmlElement], bool]) -> list[HtmlElement]:
    """The outermost elements below *root* for which *wanted* is true."""
    found = []
    walker = etree.iterwalk(root, events=("start",))
    for _, el in walker:
        if el is not root and wanted(el):
            walker.skip_subtree()
            found.append(el)
    return found


def drop(elements: Iterable[HtmlElement]) -> None:
    """Takes *elements*, tails kept, out of the tree of one document."""
    root = None
    for el in elements:
        if el.getparent() is not None:
            root = el.getroottree()
            el.tag = _DROPPED
    # In one go: taking out one by one copies the text before each of them every time.
    if root is not None:
        etree.strip_elements(root, _DROPPED, with_tail=False)


_DROPPED = "wikicrawler-dropped"
