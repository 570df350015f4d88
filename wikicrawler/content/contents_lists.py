"""Lists of contents, recognised by their links: each leads to a heading of the page and repeats it.

The text of such a list stands in the page once more, so nothing is lost without it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lxml.etree import iterwalk

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MIN_LINKS = 3
"""Minimum number of links to headings in a list of contents."""
MAX_OTHER = 40
"""Maximum letters of a list before them: its title, and the buttons to fold it."""
MAX_EXTRA = 2
"""Maximum words of a heading that its link leaves out: a number, a link to edit the section."""

MAX_TEXT = 1000
"""Maximum characters of a heading and of a link to one."""
MAX_MARKS = 100
"""Maximum elements in a heading that are looked at for its ids and links."""

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LISTS = frozenset(
    {"ul", "ol", "menu", "dl", "div", "nav", "section", "aside", "details", "table", "p"}
)
_LETTERS = re.compile(r"[^\W\d_]+")
_SENTENCE_ENDS = (".", "!", "?", "。")
_WORDS = re.compile(r"\w+")


def contents_lists(root: HtmlElement) -> list[HtmlElement]:
    """Return the outermost elements below *root* that are lists of contents.

    Each of their links leads to a heading, or to a mark in or before one, and has its text, with
    or without a number. Links to other pages, and headings that are linked to, stand outside.
    """
    anchors = [a for a in root.iter("a") if (a.get("href") or "").startswith("#")]
    if len(anchors) < MIN_LINKS:
        return []
    headings = _headings(root)
    leading = [
        (anchor, heading)
        for anchor in anchors
        if (heading := headings.get(unquote((anchor.get("href") or "")[1:]))) is not None
    ]
    if len(leading) < MIN_LINKS:  # links to footnotes, most often
        return []
    inside = {a for heading in headings.values() for a in islice(heading.iter("a"), MAX_MARKS)}
    words: dict[HtmlElement, list[str]] = {}
    entries: set[HtmlElement] = set()
    targets: set[HtmlElement] = set()
    for anchor, heading in leading:
        if anchor in inside:
            continue
        if heading not in words:
            words[heading] = _words(heading)
        if _repeats(_words(anchor), words[heading]):
            entries.add(anchor)
            targets.add(heading)
    return _outermost(root, entries, targets) if len(targets) >= MIN_LINKS else []


def _headings(root: HtmlElement) -> dict[str, HtmlElement]:
    """Return the headings of *root* by the ids and names in, around and before them."""
    found: dict[str, HtmlElement] = {}
    for heading in root.iter(*_HEADINGS):
        previous, parent = heading.getprevious(), heading.getparent()
        places = list(islice(heading.iter(), MAX_MARKS))
        if previous is not None and not (previous.tail or "").strip():
            places.append(previous)
        if parent is not None and parent is not root and parent[0] is heading:
            places.append(parent)
        for place in places:
            for name in (place.get("id"), place.get("name")):
                if name:
                    found.setdefault(name, heading)
    return found


def _repeats(linked: list[str], stated: list[str]) -> bool:
    """Return True if a link has the text of a heading, apart from numbers before it."""
    if linked != stated:
        linked = linked[next((i for i, word in enumerate(linked) if not word.isdecimal()), 0) :]
    if not linked or len(stated) > len(linked) + MAX_EXTRA:
        return False
    return stated[: len(linked)] == linked or stated[-len(linked) :] == linked


class _Part:
    """What an element has apart from links to headings. *first* is the number of lists found
    before it."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.entries = self.letters = 0
        self.other = False

    def add(self, inner: _Part) -> None:
        # Words behind a link to a heading say more about it.
        self.other = self.other or inner.other or bool(self.entries and inner.letters)
        self.entries += inner.entries
        self.letters += inner.letters


def _outermost(
    root: HtmlElement, entries: set[HtmlElement], targets: set[HtmlElement]
) -> list[HtmlElement]:
    found: list[HtmlElement] = []
    parts = [_Part(0)]
    for event, el in iterwalk(root, events=("start", "end")):
        if event == "start":
            part = _Part(len(found))
            part.entries = int(el in entries)
            part.other = el in targets or _leads_away(el)
            parts.append(part)
            _count(part, el.text)
            continue
        part = parts.pop()
        if part.entries and el in entries:
            part.letters, part.other = 0, False
        outer = parts[-1]
        is_list = part.entries >= MIN_LINKS and part.letters <= MAX_OTHER and not part.other
        if is_list and el is not root and el.tag in _LISTS:
            del found[part.first :]
            found.append(el)
        outer.add(part)
        _count(outer, el.tail)
    return found


def _leads_away(el: HtmlElement) -> bool:
    href = el.get("href") if el.tag == "a" else None
    return bool(href) and not str(href).startswith(("#", "javascript:"))


def _count(part: _Part, text: str | None) -> None:
    if text and (letters := sum(map(len, _LETTERS.findall(text)))):
        part.letters += letters
        is_said = bool(part.entries) or text.rstrip().endswith(_SENTENCE_ENDS)
        part.other = part.other or is_said


def _words(el: HtmlElement) -> list[str]:
    """Return the words of *el*; none if its text is longer than a heading."""
    parts: list[str] = []
    length = 0
    for text in el.itertext():
        parts.append(text)
        length += len(text)
        if length > MAX_TEXT:
            return []
    return _WORDS.findall("".join(parts).casefold())
