"""Detection of responses that are not HTML: by the first bytes, then by Content-Type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: First bytes of other file types; they override Content-Type.
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
# Servers send these for unknown types; the document itself then decides.
_GENERIC_TYPES = frozenset({"text/plain", "application/octet-stream"})

# https://mimesniff.spec.whatwg.org/#binary-data-byte
_BINARY = bytes({*range(0x20)} - set(b"\t\n\f\r\x1b"))
_TAG = re.compile(rb"<[!?/a-zA-Z]")
_SITEMAP = re.compile(
    rb"\s*+<\?xml [^<>]{1,200}>\s*+(?:<\?[^<>]{1,300}>\s*+){0,5}<(?:urlset|sitemapindex)[\s>]"
)
_HEAD = 1024
_BINARY_SHARE = 20  # binary if more than one byte in 20 is a control character


def non_html_type(headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the file type, safe to log, of a response that is not HTML; None if it may be HTML."""
    for magic, kind in _MAGIC:
        if body.startswith(magic):
            return kind
    if _SITEMAP.match(body[:_HEAD]):
        return "sitemap"
    label = headers.get("content-type", "").lower()
    if "utf-16" not in label and _is_binary(body[:_HEAD]):
        return "binary"
    kind = label.partition(";")[0].strip()
    if not kind or kind in _HTML or (kind in _GENERIC_TYPES and b"<html" in body[:1024].lower()):
        return None
    return re.sub(r"[^a-z0-9.+/-]", "?", kind[:60])


def _is_binary(head: bytes) -> bool:
    """Return True if *head* has many control characters, or some and no tag."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    text = head.translate(None, _BINARY)
    if len(text) == len(head):
        return False
    # Zeros do not count: in UTF-16 without a byte order mark every second byte is 0.
    others = len(head) - len(text) - head.count(0)
    return others * _BINARY_SHARE > len(head) or _TAG.search(text) is None
