"""Navigation boxes of wikis that no known class names, recognised by their shape.

Such a box stands behind the content, has a title and holds rows or lists of short links to other
pages of the wiki. Precision comes first: a table of links in a section of its own, with one link a
cell, or with sentences in it, is content.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml.etree import iterwalk

from wikicrawler.content.links import is_red
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

_BOXES = frozenset({"table", "div", "center"})
_WRAPPERS = frozenset({"div", "section", "center"})
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NAMES = re.compile(r"nav-?box|toccolours", re.IGNORECASE)
_DATA = re.compile(r"sortable|infobox")
_WORD = re.compile(r"[^\W\d_]+")

MIN_LINKS, MIN_LINKS_OF_NAMED = 8, 4
"""Minimum number of links to different pages in a box."""
MIN_SHARE, MIN_SHARE_OF_NAMED = 0.75, 0.6
"""Minimum share of a box's letters that are in links."""
MIN_LINKS_TOGETHER = 4
"""Minimum number of links in one of the cells of a box: tables of data have one or two a cell."""
MAX_PHRASE = 8
"""Maximum words in a row outside links; more are a sentence."""
MAX_TITLE, MAX_TITLE_LINKS = 80, 3
"""Maximum letters and links of the title of a box."""
MAX_BOXES = 50
"""Maximum boxes, and elements that are looked at."""
MIN_CONTENT = 200
"""Minimum letters of a page beside its boxes, which are else its content."""


def navigation_boxes(
    container: HtmlElement, resolver: LinkResolver, known: Collection[HtmlElement]
) -> list[HtmlElement]:
    """Return the boxes at the end of *container*; *known* are recognised already.

    Boxes whose class or id is an old name of such boxes count anywhere, and with fewer links.
    """
    known = set(known)
    found = _last_boxes(container, resolver, known)
    around = {*found, *known}
    for el in islice(filter(_is_named, container.iter("table", "div")), MAX_BOXES):
        if not any(place in around for place in (el, *el.iterancestors())) and _Shape(
            el, resolver
        ).is_box(named=True):
            found.append(el)
            around.add(el)
    if not found:
        return []
    inside = sum(map(_letters, found)) + sum(map(_letters, known))
    return found if _letters(container) - inside >= MIN_CONTENT else []


def _last_boxes(
    container: HtmlElement, resolver: LinkResolver, known: Collection[HtmlElement]
) -> list[HtmlElement]:
    """Return the boxes with which *container* ends, unless they are all of a section."""
    found: list[HtmlElement] = []
    el = container[-1] if len(container) else None
    for _ in range(MAX_BOXES):
        if el is None or _has_letters(el.tail):
            break
        if el not in known and _has_text(el):
            if el.tag in _BOXES and _Shape(el, resolver).is_box(named=_is_named(el)):
                found.append(el)
            elif el.tag in _WRAPPERS and len(el):
                el = el[-1]
                continue
            else:
                break
        el = _before(el, container)
    is_of_section = el is not None and (el.tag in _HEADINGS or "mw-heading" in _names(el))
    return [] if is_of_section else found


def _before(el: HtmlElement, container: HtmlElement) -> HtmlElement | None:
    """Return the element before *el*, outside of it; None at the start or behind text."""
    previous = el.getprevious()
    while previous is None:
        parent = el.getparent()
        if parent is None or parent is container or _has_letters(parent.text):
            return None
        el, previous = parent, parent.getprevious()
    return previous


class _Shape:
    """What a box consists of."""

    def __init__(self, box: HtmlElement, resolver: LinkResolver) -> None:
        self._box = box
        self._resolver = resolver

    def is_box(self, *, named: bool) -> bool:
        if _DATA.search(_names(self._box)) or next(self._box.iter(*_HEADINGS), None) is not None:
            return False
        letters = linked = 0
        inside = 0  # depth in links
        for event, el in iterwalk(self._box, events=("start", "end")):
            is_link = el.tag == "a"
            if event == "start":
                inside += is_link
                text = el.text
            else:
                inside -= is_link
                text = el.tail if el is not self._box else None
            if text and not text.isspace():
                words = _WORD.findall(text)
                if not inside and len(words) > MAX_PHRASE:
                    return False
                count = sum(map(len, words))
                letters += count
                linked += count if inside else 0
        if linked < letters * (MIN_SHARE_OF_NAMED if named else MIN_SHARE):
            return False
        return self._has_links(named=named) and (named or self._has_title())

    def _has_links(self, *, named: bool) -> bool:
        """Return True if the box leads to enough pages of the wiki, and is one of its pages'."""
        targets: set[str] = set()
        others = 0
        own = False
        together: dict[HtmlElement, int] = {}
        for anchor in self._box.iter("a"):
            href = anchor.get("href") or ""
            if "selflink" in (anchor.get("class") or "") or self._leads_here(href):
                own = True
            elif is_red(anchor, wiki=True) or self._is_near(href):
                targets.add(href)
            elif href:
                others += 1
            cell = next((a for a in anchor.iterancestors("td", "th")), self._box)
            together[cell] = together.get(cell, 0) + 1
        enough = MIN_LINKS_OF_NAMED if named else MIN_LINKS
        return (
            len(targets) >= enough
            and others <= len(targets) // 10
            and max(together.values()) >= MIN_LINKS_TOGETHER
            and (own or named)
        )

    def _leads_here(self, href: str) -> bool:
        url = self._resolver.resolve(href) if href and not href.startswith("#") else None
        return url is not None and self._resolver.is_own_page(url)

    def _is_near(self, href: str) -> bool:
        url = self._resolver.page_url(href) if href else ""
        return bool(url) and host_of(url) == host_of(self._resolver.own_url)

    def _has_title(self) -> bool:
        """Return True if a short text stands above the links."""
        box = self._box
        tables = [box] if box.tag == "table" else list(islice(box.iter("table"), 1))
        for table in tables:
            first = next((row for row in table.iter("caption", "tr") if _has_text(row)), None)
            if first is not None:
                cells = [first] if first.tag == "caption" else [c for c in first if _has_text(c)]
                return len(cells) == 1 and _is_title(cells[0])
        first = next((child for child in box if _has_text(child)), None)
        return first is not None and first.tag not in {"ul", "ol", "dl"} and _is_title(first)


def _is_title(el: HtmlElement) -> bool:
    links = sum(1 for _ in islice(el.iter("a"), MAX_TITLE_LINKS + 1))
    return links <= MAX_TITLE_LINKS and _letters(el) <= MAX_TITLE


def _names(el: HtmlElement) -> str:
    return f"{el.get('class') or ''} {el.get('id') or ''}"


def _is_named(el: HtmlElement) -> bool:
    return bool(_NAMES.search(_names(el)))


def _has_letters(text: str | None) -> bool:
    return bool(text and _WORD.search(text))


def _has_text(el: HtmlElement) -> bool:
    return any(map(_has_letters, el.itertext()))


def _letters(el: HtmlElement) -> int:
    return sum(len(word) for text in el.itertext() for word in _WORD.findall(text))
