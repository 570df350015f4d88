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
)

_HTML = frozenset({"text/html", "application/xhtml+xml"})
# Servers that do not know say so; the page itself then decides.
_UNKNOWING = frozenset({"text/plain", "application/octet-stream"})


def other_kind(headers: Mapping[str, str], body: bytes) -> str | None:
    """What the answer is, if it is no HTML: a name that is safe to log; None where it may be."""
    for magic, kind in _MAGIC:
        if body.startswith(magic):
            return kind
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind or kind in _HTML or (kind in _UNKNOWING and b"<html" in body[:1024].lower()):
        return None
    return re.sub(r"[^a-z0-9.+/-]", "?", kind)[:60]
