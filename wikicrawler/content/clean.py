"""What is not content, by tag, class and role.

A wiki's page is cleaned by the classes that MediaWiki, its extensions and the wiki farms' common
templates give to their furniture, never by guesses about text: a guess that is right for news
drops the tables and link lists that wikis are made of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.links import is_edit_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml.html import HtmlElement


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


NOT_TEXT = _names("""
    applet area audio base canvas datalist embed iframe img input link map meta noembed noframes
    noscript object param picture progress script select source style svg template textarea title
    track video
""")
"""Elements that hold no text of the page: media, forms' fields, what scripts use."""

# Of MediaWiki and its extensions; of Wikipedia's templates that other wikis have copied; of Fandom.
_WIKI_FURNITURE = _names("""
    mw-editsection mw-editsection-like mw-empty-elt mw-jump-link mw-cite-backlink mw-indicators
    mw-collapsible-toggle mw-headline-number mw-ext-cite-error mw-tmh-player
    mw-kartographer-map CategoryTreeTag catlinks editsection linenos magnify noprint printfooter
    scribunto-error toc toctogglecheckbox toctogglespan Z3988
    ambox asbox cmbox fmbox mbox-small metadata navbar ombox portal-bar portalbox shortdescription
    side-box sistersitebox sortkey tmbox
    ad-slot gpt-ad pi-image-collection-tabs pi-navigation pi-video wds-tabs__arrow-left
    wds-tabs__arrow-right wikia-ad
""")
_NAVIGATION = _names("""
    authority-control nav-box navbox navbox-styles navboxes navibox navigation-box vertical-navbox
""")
_INPUT_BOX = "mw-inputbox"
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
# Hidden until a click: the panels of tabs and folds are content.
_SHOWN_LATER = re.compile(r"tab|collaps|NavContent|spoiler|panel|accordion|toggle", re.IGNORECASE)


def clean_wiki(root: HtmlElement) -> list[HtmlElement]:
    """Takes the furniture of a wiki out of *root*.

    Navigation boxes are returned and left for the caller: their links count, their text does not.
    """
    navigation: list[HtmlElement] = []

    def unwanted(el: HtmlElement) -> bool:
        if el.tag in NOT_TEXT or el.get("id") == "toc":
            return True
        names = el.get("class")
        classes = names.split() if names else ()
        if el.tag == "nav" or not _NAVIGATION.isdisjoint(classes):
            navigation.append(el)
            return False
        if not _WIKI_FURNITURE.isdisjoint(classes) or (names and _INPUT_BOX in names):
            return True
        if el.tag == "a" and _is_tool(el):
            return True
        if el.get("role") == "navigation" and "hatnote" not in classes:
            navigation.append(el)
            return False
        return el.tag == "button" or is_hidden(el)

    drop_if(root, unwanted)
    return navigation


def _is_tool(anchor: HtmlElement) -> bool:
    """A link to an editor, which says nothing of the page."""
    href = anchor.get("href") or ""
    return "redlink=1" not in href and "action=edit" in href and is_edit_link(href)


def is_hidden(el: HtmlElement) -> bool:
    """Whether a browser never shows *el*; what a click would show is not hidden."""
    hidden = el.get("hidden")
    style = el.get("style")
    if hidden is None and not style:
        return False
    if not ((hidden is not None and hidden != "until-found") or _HIDDEN.search(style or "")):
        return False
    return not _SHOWN_LATER.search(f"{el.get('class') or ''} {el.get('id') or ''}")


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
    """Takes *elements*, tails kept, out of their trees."""
    for el in elements:
        if el.getparent() is not None:
            el.drop_tree()
