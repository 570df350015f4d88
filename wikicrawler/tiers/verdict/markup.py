"""What a document really does, apart from what it says: its tags, scripts and visible text.

A page about challenges quotes their markup, escaped or in a listing. Only a tokenizer tells that
from the markup itself; a parser would, too, but libxml2 may take minutes on hostile input, and
this runs on the event loop. Here every step goes forward and no tag is looked at beyond a bound.
"""

from __future__ import annotations

import re
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    _Tag = tuple[re.Match[bytes], bytes]
    """A start tag, and what is in its element where that is raw."""

MAX_BYTES = 256 * 1024
"""Bytes of a document that are looked at."""

_MAX_TAG = 8 * 1024
_SLASH = ord("/")
_TAG = re.compile(
    rb"<(/?)([a-zA-Z][^\s/>]*+)((?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+)>",
)
_ATTRIBUTE = re.compile(rb"([^\s=/>\"']++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]*+)))?+")
_EMPTY = re.compile(rb"(?:\s++|<!--[^-]*+-->)*+</([a-zA-Z][^\s/>]*+)")
_CONTINUATION = bytes(range(0x80, 0xC0))  # of a character in UTF-8, all bytes but the first
_INNER_TAG = re.compile(rb"<[^<>]*+>")
# Inside these is no markup: their content ends at their own end tag alone.
_RAW = frozenset(
    (b"script", b"style", b"title", b"textarea", b"noscript", b"iframe", b"template", b"xmp")
)
_DATA = re.compile(r' type="(?!(?:module|(?:text|application)/(?:java|ecma)script)?")')
# React's flight data: the page's own text once more, as strings in calls.
_FLIGHT = re.compile(rb"\s*+(?:self|window)\.__next_f\b")


class Markup:
    """The parts of a document that rules look at, in UTF-8, white space collapsed.

    What is found of it is written out when a rule asks for it, as few do.
    """

    def __init__(
        self, shown: str = "", tags: Sequence[_Tag] = (), *, length: int | None = None
    ) -> None:
        self._tags = tags
        self.text = shown.encode()
        """What a reader sees, of title, forms' fields and frames nothing."""
        self.length = len(shown) if length is None else length
        """Characters of ``text``."""

    @cached_property
    def title(self) -> bytes:
        return _plain(b"".join(self._contents(b"title")[:1])).encode()

    @cached_property
    def tags(self) -> bytes:
        """Start tags, one a line: ``<name attribute="value">``, ``<name attribute="value" />``
        where nothing is inside; with no ``<`` or ``>`` in values."""
        return "\n".join(_normal(tag) for tag, _ in self._tags).encode()

    @cached_property
    def scripts(self) -> bytes:
        """The inline scripts that a browser would run, one after the other."""
        return b"\n".join(
            content
            for tag, content in self._tags
            if tag[2].lower() == b"script"
            and not _DATA.search(_normal(tag))
            and not _FLIGHT.match(content)
        )

    @cached_property
    def noscript(self) -> bytes:
        """What is written for browsers without scripts."""
        return _plain(_INNER_TAG.sub(b" ", b" ".join(self._contents(b"noscript")))).encode()

    def _contents(self, name: bytes) -> list[bytes]:
        return [content for tag, content in self._tags if tag[2].lower() == name]


def read_markup(body: bytes, enough: int | None = None) -> Markup:
    """The parts of the document in *body*.

    :param enough: stop after that many characters of visible text, counted with references and
        white space as they are written: no rule asks beyond. Then only ``length`` is told, and is
        larger.
    """
    body = _as_ascii_superset(body[:MAX_BYTES])
    text: list[bytes] = []
    tags: list[_Tag] = []
    size = position = 0
    while (start := body.find(b"<", position)) >= 0:
        if start > position and (seen := body[position:start].strip()):
            text.append(seen)
            size += len(seen) if seen.isascii() else _characters(seen)
            if enough is not None and size > enough:
                return Markup(length=enough + 1)
        found = _TAG.match(body, start, start + _MAX_TAG)
        if found is None:
            position = _after_no_tag(body, start)
            continue
        position = found.end()
        if body[start + 1] == _SLASH:
            continue
        content = b""
        if found[2].lower() in _RAW:
            begin, position = position, _end_of_raw(body, found[2], position)
            content = body[begin:position]
            if found[2].lower() == b"xmp":  # the one raw element that is shown
                text.append(content)
        tags.append((found, content))
    text.append(body[position:])
    return Markup(_plain(b" ".join(text)), tags)


def _characters(seen: bytes) -> int:
    return len(seen.translate(None, _CONTINUATION))


def _after_no_tag(body: bytes, start: int) -> int:
    """Where to go on after a ``<`` that begins no tag: a lone one is text; a comment, a
    declaration and a tag that is cut off or far too long are nothing."""
    if body.startswith(b"<!--", start):
        return _after(body, b"-->", start)
    if body.startswith((b"<!", b"<?"), start) or body[start + 1 : start + 2].isalpha():
        return _after(body, b">", start)
    return start + 1


def _end_of_raw(body: bytes, name: bytes, position: int) -> int:
    name = name.lower()
    while (position := body.find(b"</", position)) >= 0:
        if body[position + 2 : position + 2 + len(name)].lower() == name:
            return position
        position += 2
    return len(body)


def _as_ascii_superset(body: bytes) -> bytes:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace").encode()
    return body


def _after(body: bytes, end: bytes, start: int) -> int:
    found = body.find(end, start)
    return found + len(end) if found >= 0 else len(body)


def _normal(tag: re.Match[bytes]) -> str:
    name = tag[2].lower()
    closed = _EMPTY.match(tag.string, tag.end(), tag.end() + _MAX_TAG)
    empty = closed is not None and closed[1].lower() == name
    pairs = [_text(name)]
    for found in _ATTRIBUTE.finditer(tag[3]):
        value = _text(found[2] or found[3] or found[4] or b"")
        if "&" in value:
            value = unescape(value)
        value = value.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
        pairs.append(f'{_text(found[1]).lower()}="{" ".join(value.split())}"')
    return f"<{' '.join(pairs)}{' /' if empty else ''}>"


def _plain(raw: bytes) -> str:
    return " ".join(unescape(_text(raw)).split())


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
