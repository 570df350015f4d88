"""Whether an answer is HTML at all: by its first bytes, then by its label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: What other kinds of file begin with, whatever their label says.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "PDF"),
    (b"\x89PNG\r\n", "PNG"),
    (b"GIF8", "GIF"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"RIFF", "RIFF"),  # WebP, WAV, AVI
    (b"PK\x03\x04", "ZIP"),  # and the office formats
    (b"Rar!\x1a\x07", "RAR"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x1f\x8b", "gzip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1", "OLE"),  # Office before 2007
    (b"OggS", "Ogg"),
    (b"ID3", "MP3"),
    (b"\x1aE\xdf\xa3", "Matroska"),
    (b"\x7fELF", "ELF"),
    (b"SQLite format 3\0", "SQLite"),
)

_HTML = frozenset({"text/html", "application/xhtml+xml"})
# Servers that do not know say so; the page itself then decides.
_UNKNOWING = frozenset({"text/plain", "application/octet-stream"})

# https://mimesniff.spec.whatwg.org/#binary-data-byte
_BINARY = bytes({*range(0x20)} - set(b"\t\n\f\r\x1b"))
_TAG = re.compile(rb"<[!?/a-zA-Z]")
_HEAD = 1024
_MANY = 20  # one in so many


def other_kind(headers: Mapping[str, str], body: bytes) -> str | None:
    """What the answer is, if it is no HTML: a name that is safe to log; None where it may be."""
    for magic, kind in _MAGIC:
        if body.startswith(magic):
            return kind
    label = headers.get("content-type", "").lower()
    if "utf-16" not in label and _is_binary(body[:_HEAD]):
        return "binary"
    kind = label.partition(";")[0].strip()
    if not kind or kind in _HTML or (kind in _UNKNOWING and b"<html" in body[:1024].lower()):
        return None
    return re.sub(r"[^a-z0-9.+/-]", "?", kind)[:60]


def _is_binary(head: bytes) -> bool:
    """Whether no page begins like this: with many control characters, or some and no tag."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    text = head.translate(None, _BINARY)
    if len(text) == len(head):
        return False
    others = len(head) - len(text) - head.count(0)  # of UTF-16 without a mark each other byte is 0
    return others * _MANY > len(head) or _TAG.search(text) is None
