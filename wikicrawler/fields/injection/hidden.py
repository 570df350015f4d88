"""Texts of a page that a person does not see."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.clean import is_hidden as is_never_shown
from wikicrawler.content.deferred.tree import parse_in_place
from wikicrawler.content.images.alts import clean
from wikicrawler.content.parse import MAX_BYTES, utf8
from wikicrawler.errors import ContentError
from wikicrawler.fields.evidence.folding import Folded, Span, fold, united
from wikicrawler.fields.injection.styles import Hiding, hides_text, hiding_of
from wikicrawler.fields.injection.unrendered import is_html, unrendered_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from wikicrawler.fields.evidence.alignment import Content

MAX_TEXTS = 500
"""Hidden texts of a page that are looked for."""
_MAX_TEXT = 5000
_MAX_SPANS = 1000
_MAX_PLACES = 5000
"""Places of one hidden text that are compared with those that are shown."""
_CONTEXT = 12
"""Characters on one side of a place by which two are the same."""
_NO_TEXT = frozenset({"script", "style", "template", "noscript", "head", "title"})
_FALLBACK = frozenset({"audio", "canvas", "datalist", "object", "video"})
"""Elements whose content is for browsers that cannot show them."""
_DESCRIBED = frozenset({"desc", "metadata", "rp", "title"})
"""Elements that describe a drawing, and brackets of a reading."""
_BLOCKS = re.compile(
    r"address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|"
    r"nav|ol|p|pre|section|table|td|th|tr|ul"
)
_IMAGES = frozenset({"img", "svg"})
_MAX_NAME = 30
"""Characters of the name of an icon, which is no more than a person sees."""
_TAGS = re.compile("\U0001f3f4?[\U000e0000-\U000e007f]++")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{3,6}\U000e007f")
"""A flag is a picture that tag characters spell."""
_ZERO_WIDTH = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u180e\U000e0100-\U000e01ef]{4,}+")


def hidden_spans(html: str | None, content: Content) -> tuple[Span, ...]:
    """Return what of *content* stands in *html* only where a browser does not show it, in order
    and apart from each other.

    Hidden are elements by ``hidden``, inline styles (not displayed, invisible, transparent, tiny,
    outside of the screen, in the colour of the background), by their class names and by rules of
    ``<style>``, and comments. Panels that a click opens are not, nor is ``aria-hidden``: a person
    sees it. A place with the same text before or behind it as one that is shown is not hidden.

    So is an alt text that states more than the name of an icon: a person sees the image. Of a
    content in HTML, attributes and the contents of elements that are not rendered are hidden, too.

    Characters that nobody sees (tags, four or more of zero width in a row) are hidden in any case:
    without *html* they are all that is found.

    Never raises. The time is linear in the length of the page.
    """
    found = [Span(*match.span()) for match in _TAGS.finditer(content.text)]
    found = [span for span in found if not _FLAG.fullmatch(content.text, *span)]
    found += [Span(*match.span()) for match in _ZERO_WIDTH.finditer(content.text)]
    if is_html(content.text):
        found += unrendered_spans(content.text)
    if html and len(html) <= MAX_BYTES:
        found += islice(_hidden_texts(html, content), _MAX_SPANS)
    return tuple(united(found))


def shown_text(html: str) -> str:
    """Return the text of a page that a browser shows; nothing if the page cannot be parsed."""
    return _texts_of(html)[1] if len(html) <= MAX_BYTES else ""


def _hidden_texts(html: str, content: Content) -> Iterator[Span]:
    hidden, shown = _texts_of(html)
    hidden += islice(_comments(html), MAX_TEXTS)
    page, seen = Folded(shown).text, content.folded.text
    for text in dict.fromkeys(fold(part) for part in hidden):
        if len(text) < 2:
            continue
        same = _Contexts(page, text)
        for at in _places(seen, text):
            if not same.has(seen, at):
                yield content.folded.span(at, at + len(text))


class _Contexts:
    """What stands before and behind the places of *text* in *page*, which are shown."""

    def __init__(self, page: str, text: str) -> None:
        self._size = len(text)
        self._before: set[str] = set()
        self._behind: set[str] = set()
        for at in _places(page, text):
            before, behind = self._around(page, at)
            self._before.add(before)
            self._behind.add(behind)

    def has(self, page: str, at: int) -> bool:
        """Return True if the place *at* of another *page* has the same before or behind it."""
        before, behind = self._around(page, at)
        return before in self._before or behind in self._behind

    def _around(self, page: str, at: int) -> tuple[str, str]:
        end = at + self._size
        return page[max(0, at - _CONTEXT) : at].strip(), page[end : end + _CONTEXT].strip()


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    for _ in range(_MAX_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(part, at + len(part))


def _texts_of(html: str) -> tuple[list[str], str]:
    try:
        root = parse_in_place(utf8(html))
    except (ContentError, MemoryError):
        root = None
    return _texts(root) if root is not None else ([], "")


def _texts(root: HtmlElement) -> tuple[list[str], str]:
    """Return the texts of the hidden elements, whole and by block, and the text that is shown."""
    rules = hiding_of(root)
    hidden: list[str] = []
    alts: list[str] = []
    shown: list[str] = []
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, el in walker:
        if not isinstance(el.tag, str):
            continue
        if event == "end":
            shown.append(_space(el) + (el.tail or ""))
        elif el.tag in _NO_TEXT and not (el.tag == "title" and _is_drawn(el)):
            walker.skip_subtree()
        elif _is_hidden(el, rules):
            walker.skip_subtree()
            if len(hidden) < MAX_TEXTS:
                hidden += _parts(el)
        else:
            shown.append(_space(el) + (el.text or ""))
            if el.tag in _IMAGES and len(alts) < MAX_TEXTS:
                labels = (clean(el.get("alt")), clean(el.get("aria-label")))
                alts += filter(_states_something, labels)
    return hidden + alts, "".join(shown)


def _states_something(alt: str) -> bool:
    """Return True for an alt text that is more than the name of an icon."""
    return len(alt) > _MAX_NAME or any(char.isdigit() for char in alt)


def _is_hidden(el: HtmlElement, rules: Hiding) -> bool:
    if el.tag in _FALLBACK or el.tag in _DESCRIBED:
        return True
    return is_never_shown(el) or rules.hides(el) or hides_text(el, rules)


def _is_drawn(title: HtmlElement) -> bool:
    return title.getparent() is not None and title.getparent().tag != "head"


def _parts(el: HtmlElement) -> list[str]:
    """Return the text of an element, and that of each of its blocks."""
    pieces: list[str] = []
    size = 0
    for node in islice(el.iter(), 1000):
        if isinstance(node.tag, str) and node.tag not in _NO_TEXT:
            pieces.append(("\n" if _space(node) else "") + (node.text or ""))
            size += len(pieces[-1])
        if node is not el:
            pieces.append(("\n" if _space(node) else "") + (node.tail or ""))
            size += len(pieces[-1])
        if size > _MAX_TEXT:
            break
    text = "".join(pieces)[:_MAX_TEXT]
    return [text, *(line for line in text.split("\n")[:50] if line.strip())]


def _space(el: HtmlElement) -> str:
    return "\n" if isinstance(el.tag, str) and _BLOCKS.fullmatch(el.tag) else ""


def _comments(html: str) -> Iterator[str]:
    at = html.find("<!--")
    while at >= 0:
        end = html.find("-->", at + 4)
        if end < 0:
            return
        yield html[at + 4 : min(end, at + _MAX_TEXT)]
        at = html.find("<!--", end + 3)
