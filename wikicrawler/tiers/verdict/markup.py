"""Tokenizer that separates a document's tags, scripts and visible text.

A page about challenges quotes their markup, escaped or in a listing; a tokenizer distinguishes
quoted from real markup. A parser would too, but libxml2 may take minutes on hostile input, and this
runs on the event loop. This tokenizer never backtracks and reads tags up to a maximum length.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from wikicrawler.text.references import unescape

if TYPE_CHECKING:
    from collections.abc import Sequence

    _Tag = tuple[re.Match[bytes], bytes]
    """A start tag, and the content of its element if that is raw text."""

MAX_BYTES = 256 * 1024
"""Bytes of a document that are read."""

_MAX_TAG = 8 * 1024
_MAX_TAGS = 16_384  # a page of a table has fewer; each costs some microseconds of the event loop
_SLASH = ord("/")
_TAG = re.compile(
    rb"<(/?)([a-zA-Z][^\s/>]*+)((?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+)>",
)
_ATTRIBUTE = re.compile(rb"([^\s=/>\"']++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]*+)))?+")
_EMPTY = re.compile(rb"(?:\s++|<!--[^-]*+-->)*+</([a-zA-Z][^\s/>]*+)")
_CONTINUATION = bytes(range(0x80, 0xC0))  # in UTF-8, all bytes of a character but the first
_INNER_TAG = re.compile(rb"<[^<>]*+>")
# Raw text elements: they contain no markup and end only at their own end tag.
_RAW_ELEMENTS = frozenset(
    (b"script", b"style", b"title", b"textarea", b"noscript", b"iframe", b"template", b"xmp")
)
# May be a letter; those that most pages have are signs.
_REFERENCE = re.compile(rb"&(?!amp;|quot;|lt;|gt;|nbsp;|#0?39;|#34;|#x27;)[#a-zA-Z]")
_DATA = re.compile(r' type="(?!(?:module|(?:text|application)/(?:java|ecma)script)?")')
# React's flight data repeats the page's own text in string arguments.
_FLIGHT = re.compile(rb"\s*+(?:self|window)\.__next_f\b")


class Markup:
    """The parts of a document that rules examine, in UTF-8, with white space collapsed.

    Parts that few rules need are computed on demand.
    """

    def __init__(
        self, shown: str = "", tags: Sequence[_Tag] = (), *, length: int | None = None
    ) -> None:
        self.is_cut = length is not None
        """True if the document has more text than was asked for, so that only :attr:`length` is
        set."""
        self._tags = tags
        self.text = shown.encode()
        """The visible text, without title, form fields and frames."""
        self.length = len(shown) if length is None else length
        """Length of ``text`` in characters."""

    @cached_property
    def title(self) -> bytes:
        return _plain(b"".join(self._contents(b"title")[:1])).encode()

    @cached_property
    def tags(self) -> bytes:
        """Start tags, one per line: ``<name attribute="value">``, or ``<name attribute="value" />``
        for an empty element; values contain no ``<`` or ``>``."""
        return "\n".join(_normal_tag(tag) for tag, _ in self._tags).encode()

    @cached_property
    def raw_tags(self) -> bytes:
        """Start tags as the document has them: with the words of :attr:`tags`, in any case."""
        raw = [tag[0] for tag, _ in self._tags]
        if _REFERENCE.search(joined := b"\n".join(raw)) is None:
            return joined
        return b"\n".join(
            _normal_tag(tag).encode() if _REFERENCE.search(text) else text
            for text, (tag, _) in zip(raw, self._tags, strict=True)
        )

    @cached_property
    def scripts(self) -> bytes:
        """The inline scripts that a browser would run, concatenated."""
        return b"\n".join(
            content
            for tag, content in self._tags
            if tag[2].lower() == b"script"
            and not _DATA.search(_normal_tag(tag))
            and not _FLIGHT.match(content)
        )

    @cached_property
    def noscript(self) -> bytes:
        """The text for browsers without scripts."""
        return _plain(_INNER_TAG.sub(b" ", b" ".join(self._contents(b"noscript")))).encode()

    def _contents(self, name: bytes) -> list[bytes]:
        return [content for tag, content in self._tags if tag[2].lower() == name]


def read_markup(body: bytes, enough: int | None = None) -> Markup:
    """Return the parts of the document in *body*.

    :param enough: stop after that many characters of visible text, including character references
        and white space as written, because no rule applies to more. Then only ``length`` is set, to
        a larger number.
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
            position = _skip_non_tag(body, start)
            continue
        position = found.end()
        if body[start + 1] == _SLASH:
            continue
        content = b""
        if found[2].lower() in _RAW_ELEMENTS:
            begin, position = position, _end_of_raw(body, found[2], position)
            content = body[begin:position]
            if found[2].lower() == b"xmp":  # the only raw text element that is visible
                text.append(content)
        if len(tags) < _MAX_TAGS:
            tags.append((found, content))
    text.append(body[position:])
    return Markup(_plain(b" ".join(text)), tags)


def _characters(seen: bytes) -> int:
    return len(seen.translate(None, _CONTINUATION))


def _skip_non_tag(body: bytes, start: int) -> int:
    """Return the position after a ``<`` that does not begin a tag.

    A lone ``<`` is text. Comments, declarations, and truncated or overlong tags are skipped.
    """
    if body.startswith(b"<!--", start):
        return _after(body, b"-->", start)
    name = start + 1 + body.startswith(b"</", start)
    if body.startswith((b"<!", b"<?"), start) or body[name : name + 1].isalpha():
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


def _normal_tag(tag: re.Match[bytes]) -> str:
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
