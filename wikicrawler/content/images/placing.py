"""Decision which of a page's images stand for words, from the text around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.content.images.addresses import image_url, is_larger
from wikicrawler.content.images.alts import clean, is_file_name, is_meaningful, without_kind
from wikicrawler.content.images.marking import IMAGE
from wikicrawler.content.images.segments import CELL, ROW, read_segments
from wikicrawler.content.links import is_file_link

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.images.segments import Group, Segment, Spot
    from wikicrawler.content.links import LinkResolver

_WORD = re.compile(r"\w+")
# A cell with one of these and its neighbour with the same are two values, not an icon and its name.
_VALUES = frozenset(
    {"yes", "no", "none", "partial", "full", "unknown", "true", "false", "optional", "required"}
    | {"male", "female", "x", "ja", "nein", "oui", "non", "sí", "да", "нет", "はい", "いいえ"}
)
_MORE_WORDS = 6
_MOST_WORDS = 0.6
"""Share of the words of an alt text that the text beside it repeats, in some more words."""
_MOST_COMPARED, _MAX_COMPARED = 12, 150
"""Words and characters of an alt text that are compared with the text beside it."""
_MAX_ICON = 100
"""Pixels of an image in a line of an article that may stand for words; and words of its alt."""
_MAX_ICON_WORDS = 5
_OPENING = frozenset("([{\"'“‘«„-–—/")
_CLOSING = frozenset(")]}\"'”’»-–—/.,;:!?%")
_UNSPACED = "\u2e80"
"""The scripts from here on put no space between words."""


def place_images(
    container: HtmlElement, resolver: LinkResolver, *, title: str, wiki: bool
) -> int | None:
    """Give the images in *container* the text that each stands for. Return the number of characters
    of all other text, or None if no image is shown.

    An image stands for words in a line of text, a cell, an item or a heading, unless the text next
    to it, the caption of its figure or the title of the page already says them. On a page of a
    wiki, an image that stands alone has its alt text, too; in an article it is an illustration. The
    time is linear in the size of *container*.

    :param title: title of the page
    """
    if next(container.iter(IMAGE), None) is None:
        return None
    segments = read_segments(container)
    placer = _Placer(resolver, _words(title), wiki=wiki)
    for before, segment, behind in zip(
        [None, *segments], segments, [*segments[1:], None], strict=False
    ):
        if segment.spots:
            placer.place(segment, before, behind)
    beside = sum(segment.length for segment in segments)
    return beside if placer.shows_images else None


class _Placer:
    def __init__(self, resolver: LinkResolver, title: list[str], *, wiki: bool) -> None:
        self.shows_images = False
        self._resolver = resolver
        self._title = title
        self._wiki = wiki

    def place(self, segment: Segment, before: Segment | None, behind: Segment | None) -> None:
        text = "".join(segment.parts)
        around = [] if segment.has_text else _neighbours(segment, before, behind)
        shown_at = -1
        for spot in segment.spots:
            alt = spot.el.get("alt") or ""
            if not alt and spot.link is not None and not spot.link.has_text:
                alt = self._link_title(spot.link)
            url = self._url(spot)
            if url:
                spot.el.set("alt", alt)
            word = ""
            if spot.figure is None or not spot.figure.has_text:  # else its caption says it
                word = self._word(without_kind(alt), spot, segment, text, around)
            if word or url:
                spot.el.text = _spaced(word, text, spot.at, after_image=shown_at == spot.at)
                shown_at = spot.at
                self.shows_images = True

    def _link_title(self, link: Group) -> str:
        """Return the title of a link in a wiki, which is that of the page that it leads to."""
        title = clean(link.el.get("title")) if self._wiki and link.images == 1 else ""
        is_name = title and not is_file_name(title) and is_meaningful(title)
        return title if is_name and not is_file_link(link.el, wiki=True) else ""

    def _word(
        self, alt: str, spot: Spot, segment: Segment, text: str, around: list[tuple[str, int]]
    ) -> str:
        """Return what the image says in its place; empty if it says nothing new."""
        if not alt:
            return ""
        words = _words(alt)
        if segment.has_text:
            return (
                "" if _is_beside(alt, words, text, spot.at) else self._in_line(alt, spot, segment)
            )
        if words and len(segment.spots) == 1:
            if words == self._title and not spot.in_cell:
                return ""
            for other, edge in around:
                if _same(words, _words(other)) and not (edge == CELL and words[0] in _VALUES):
                    return ""
        return self._in_line(alt, spot, segment)

    def _in_line(self, alt: str, spot: Spot, segment: Segment) -> str:
        if self._wiki:
            return alt
        # In an article, a link of nothing but an image is a button, and a large image, or one with
        # a long text, is an illustration at the edge of the text.
        if spot.link is not None and not spot.link.has_text and not segment.has_plain_text:
            return ""
        is_icon = len(_words(alt)) <= _MAX_ICON_WORDS and not is_larger(spot.el, _MAX_ICON)
        return alt if is_icon and (segment.has_text or spot.in_cell) else ""

    def _url(self, spot: Spot) -> str:
        """Return the address of the image, if it has one: better that of the original to which a
        link around it leads. Links to files and their description pages are taken away."""
        url = spot.el.get("src") or ""
        link = spot.link
        if link is None or link.has_text:
            return url
        original = image_url(link.el.get("href") or "", self._resolver)
        if original or is_file_link(link.el, wiki=self._wiki):
            link.el.tag = "span"
        if url and original and link.images == 1:
            spot.el.set("src", original)
            return original
        return url


def _neighbours(
    segment: Segment, before: Segment | None, behind: Segment | None
) -> list[tuple[str, int]]:
    """Return the texts next to a segment without text, in its row, with the edges between."""
    limit = 2 * max(len(spot.el.get("alt") or "") for spot in segment.spots) + 40
    found = []
    for other, edge in ((before, before.edge if before else ROW), (behind, segment.edge)):
        if other is not None and edge < ROW and 0 < other.length <= limit:
            found.append(("".join(other.parts), edge))
    return found


def _is_beside(alt: str, words: list[str], text: str, at: int) -> bool:
    """Return True if *text* says *alt* directly before or behind the place *at*."""
    words = words[:_MOST_COMPARED]
    reach = 2 * min(len(alt), _MAX_COMPARED) + 40
    before, behind = text[max(0, at - reach) : at], text[at : at + reach]
    if not words or max(alt) >= _UNSPACED:  # symbols, or no spaces between words
        low = alt.casefold()
        if before.casefold().rstrip().endswith(low) or behind.casefold().lstrip().startswith(low):
            return True
    count = len(words)
    near = _words(before)[-count:] + _words(behind)[:count]
    if count and any(
        _same(words, near[start : start + count]) for start in range(len(near) - count + 1)
    ):
        return True
    if count <= 1:
        return False
    # "Kirby Paul Tank Engine" beside a link to "Trains/Kirby Paul Tank".
    near = _words(before)[-count - _MORE_WORDS :] + _words(behind)[: count + _MORE_WORDS]
    return len(set(words).intersection(near)) >= _MOST_WORDS * len(set(words))


def _same(words: list[str], other: list[str]) -> bool:
    """Return True if the words are the same, be it that the last is a plural."""
    if len(words) != len(other) or words[:-1] != other[:-1]:
        return False
    return words[-1].removesuffix("s") == other[-1].removesuffix("s")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _spaced(word: str, text: str, at: int, *, after_image: bool) -> str:
    """Return *word* with the spaces that it needs at the place *at* of *text*."""
    before, behind = text[at - 1 : at] if at else "", text[at : at + 1]
    if _is_spaced(word[:1]) and (after_image or _needs_space(before, _OPENING)):
        word = f" {word}"
    if _is_spaced(word[-1:]) and _needs_space(behind, _CLOSING):
        word = f"{word} "
    return word


def _is_spaced(char: str) -> bool:
    """Return True for a letter or digit, and for an image without a text."""
    return not char or (char.isalnum() and char < _UNSPACED)


def _needs_space(char: str, none_at: frozenset[str]) -> bool:
    return bool(char) and not char.isspace() and char not in none_at and char < _UNSPACED
