"""What a document really does, apart from what it says: its tags, scripts and visible text.

A page about challenges quotes their markup, escaped or in a listing. Only a tokenizer tells that
from the markup itself; a parser would, too, but libxml2 may take minutes on hostile input, and
this runs on the event loop. Here every step goes forward and no tag is looked at beyond a bound.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

MAX_BYTES = 256 * 1024
"""Bytes of a document that are looked at."""

_MAX_TAG = 8 * 1024
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


@dataclass(frozen=True, slots=True)
class Markup:
    """The parts of a document that rules look at, in UTF-8, white space collapsed."""

    title: bytes = b""
    text: bytes = b""
    """What a reader sees, of title, forms' fields and frames nothing."""
    length: int = 0
    """Characters of ``text``; more than that where the reading stopped early."""
    tags: bytes = b""
    """Start tags, one a line: ``<name attribute="value">``, ``<name attribute="value" />`` where
    nothing is inside; with no ``<`` or ``>`` in values."""
    scripts: bytes = b""
    """The inline scripts that a browser would run, one after the other."""
    noscript: bytes = b""
    """What is written for browsers without scripts."""


def read_markup(body: bytes, enough: int | None = None) -> Markup:
    """The parts of the document in *body*.

    :param enough: stop after that many characters of visible text, counted with references and
        white space as they are written: no rule asks beyond, and ``length`` is larger then.
    """
    body = _as_ascii_superset(body[:MAX_BYTES])
    lower = body.lower()
    parts: dict[bytes, list[bytes]] = {b"script": [], b"title": [], b"noscript": [], b"xmp": []}
    text: list[bytes] = parts[b"xmp"]  # the one raw element that is shown
    tags: list[str] = []
    size = position = 0
    while enough is None or size <= enough:
        start = body.find(b"<", position)
        seen = body[position : start if start >= 0 else len(body)].strip()
        if seen:
            text.append(seen)
            size += len(seen.translate(None, _CONTINUATION))
        if start < 0:
            break
        if body.startswith((b"<!--", b"<!", b"<?"), start):
            end = b"-->" if body.startswith(b"<!--", start) else b">"
            position = _after(body, end, start)
            continue
        found = _TAG.match(body, start, start + _MAX_TAG)
        if found is None:
            # A lone "<" is text; a tag that is cut off or far too long is nothing.
            letter = body[start + 1 : start + 2]
            position = _after(body, b">", start) if letter.isalpha() else start + 1
            continue
        position = found.end()
        if found[1]:
            continue
        name = found[2].lower()
        closed = _EMPTY.match(body, position, position + _MAX_TAG)
        empty = closed is not None and closed[1].lower() == name
        tag = _normal(name, found[3], empty)
        tags.append(tag)
        if name in _RAW:
            end_tag = lower.find(b"</" + name, position)
            content = body[position : end_tag if end_tag >= 0 else len(body)]
            position = end_tag if end_tag >= 0 else len(body)
            if name == b"script" and (_DATA.search(tag) or _FLIGHT.match(content)):
                continue
            if name in parts:
                parts[name].append(content)
    shown = _plain(b" ".join(text))
    return Markup(
        title=_plain(b"".join(parts[b"title"][:1])).encode(),
        text=shown.encode(),
        length=len(shown) if enough is None or size <= enough else max(len(shown), enough + 1),
        tags="\n".join(tags).encode(),
        scripts=b"\n".join(parts[b"script"]),
        noscript=_plain(_INNER_TAG.sub(b" ", b" ".join(parts[b"noscript"]))).encode(),
    )


def _as_ascii_superset(body: bytes) -> bytes:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace").encode()
    return body


def _after(body: bytes, end: bytes, start: int) -> int:
    found = body.find(end, start)
    return found + len(end) if found >= 0 else len(body)


def _normal(name: bytes, attributes: bytes, empty: bool) -> str:
    pairs = [_text(name)]
    for found in _ATTRIBUTE.finditer(attributes):
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
