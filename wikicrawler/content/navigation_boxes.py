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
    from collections.abc import Collection, Sequence

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

_BOXES = frozenset({"table", "div", "center"})
_WRAPPERS = frozenset({"div", "section", "center"})
_CELLS = frozenset({"td", "th"})
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
"""Maximum number of elements of a page that are taken for boxes, or are found to be none."""
MAX_ELEMENTS = 50_000
"""Maximum number of elements in all of them."""
MIN_CONTENT = 200
"""Minimum letters of a page beside its boxes, which are else its content."""


def navigation_boxes(
    container: HtmlElement, resolver: LinkResolver, known: Collection[HtmlElement]
) -> list[HtmlElement]:
    """Return the boxes at the end of *container*; *known* are recognised already.

    Boxes whose class or id is an old name of such boxes count anywhere, and with fewer links.
    """
    known = set(known)
    judge = _Judge(resolver)
    found = _last_boxes(container, judge, known)
    around = {*found, *known}
    for el in islice(filter(_is_named, container.iter("table", "div")), MAX_BOXES):
        if not any(place in around for place in (el, *el.iterancestors())) and judge.is_box(el):
            found.append(el)
            around.add(el)
    if not found:
        return []
    inside = sum(map(_letters, found)) + sum(map(_letters, known))
    return found if _letters(container) - inside >= MIN_CONTENT else []


def _last_boxes(
    container: HtmlElement, judge: _Judge, known: Collection[HtmlElement]
) -> list[HtmlElement]:
    """Return the boxes with which *container* ends, unless they are all of a section."""
    found: list[HtmlElement] = []
    el = container[-1] if len(container) else None
    for _ in range(MAX_BOXES):
        if el is None or _has_letters(el.tail):
            break
        if el not in known and _has_text(el):
            if el.tag in _BOXES and judge.is_box(el):
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


class _Judge:
    """Judges elements by what they consist of."""

    def __init__(self, resolver: LinkResolver) -> None:
        self._resolver = resolver
        self._host = host_of(resolver.own_url)
        self._left = MAX_ELEMENTS

    def is_box(self, box: HtmlElement) -> bool:
        if _DATA.search(_names(box)):
            return False
        named = _is_named(box)
        # A look at the links takes a tenth of the time of one at the text: a page ends with
        # references more often than with a box.
        if not named and not self._leads_here(box):
            return False
        links = self._links(box, MIN_SHARE_OF_NAMED if named else MIN_SHARE)
        return self._is_navigation(links, named=named) and (named or _has_title(box))

    def _leads_here(self, box: HtmlElement) -> bool:
        """Return True if a link of *box* leads to the page itself."""
        for link in box.iter("a"):
            self._left -= 1
            if self._left < 0:
                return False
            if self._is_own(link):
                return True
        return False

    def _links(self, box: HtmlElement, share: float) -> list[HtmlElement]:
        """Return the links of *box*; none if it has headings, sentences, few links for its text,
        or no cell with several."""
        found: list[HtmlElement] = []
        letters = linked = depth = most = 0
        cells = [0]  # links in each open cell
        for event, el in iterwalk(box, events=("start", "end")):
            self._left -= 1
            if self._left < 0 or el.tag in _HEADINGS:
                return []
            step = 1 if event == "start" else -1
            if el.tag == "a":
                depth += step
                if step > 0:
                    found.append(el)
                    cells[-1] += 1
            elif el.tag in _CELLS and step > 0:
                cells.append(0)
            elif el.tag in _CELLS:
                most = max(most, cells.pop())
            text = el.text if step > 0 else el.tail if el is not box else None
            words = _WORD.findall(text or "")
            if len(words) > MAX_PHRASE and not depth:
                return []
            count = sum(map(len, words))
            letters += count
            linked += count if depth else 0
        is_dense = linked >= letters * share and max(most, cells[0]) >= MIN_LINKS_TOGETHER
        return found if is_dense else []

    def _is_navigation(self, links: Sequence[HtmlElement], *, named: bool) -> bool:
        """Return True if *links* lead to enough pages of the wiki."""
        targets: set[str] = set()
        others = 0
        for link in links:
            if self._is_own(link):
                continue
            href = link.get("href") or ""
            if is_red(link, wiki=True) or self._is_near(href):
                targets.add(href)
            elif href:
                others += 1
        enough = len(targets) >= (MIN_LINKS_OF_NAMED if named else MIN_LINKS)
        return enough and others <= len(targets) // 10

    def _is_own(self, link: HtmlElement) -> bool:
        if "selflink" in (link.get("class") or ""):
            return True
        href = link.get("href")
        if not href or href.startswith("#") or self._resolver.link_url(href) is not None:
            return False
        url = self._resolver.resolve(href)
        return url is not None and self._resolver.is_own_page(url)

    def _is_near(self, href: str) -> bool:
        url = self._resolver.page_url(href) if href else ""
        return bool(url) and host_of(url) == self._host


def _has_title(box: HtmlElement) -> bool:
    """Return True if a short text stands above the links."""
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
    # XPath joins the text in C; itertext() makes a string of each piece.
    return sum(map(len, _WORD.findall(el.text_content())))
