"""Plausibility checks and fallbacks for the encoding of a page."""

from __future__ import annotations

from functools import cache

from w3lib.encoding import resolve_encoding

# https://encoding.spec.whatwg.org/#names-and-labels. A server may name any Python codec. Some are
# not text encodings (rot13, zlib), some take quadratic time (idna, punycode), and browsers support
# none of them.
_LABELS = """
    utf-8 utf-16 utf-16be utf-16le us-ascii ibm866 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4
    iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13
    iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh mac-cyrillic windows-874
    windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256
    windows-1257 windows-1258 gbk gb18030 gb2312 big5 big5-hkscs euc-jp iso-2022-jp shift_jis euc-kr
"""
_USUAL = frozenset({"utf-8", "cp1252"})
_HEAD = 1024


def is_plausible(encoding: str, body: bytes) -> bool:
    """Return True if the HTML *body* may be in *encoding*, a codec name resolved by w3lib."""
    if encoding not in _USUAL and encoding not in _encodings():
        return False
    if encoding.startswith("utf-16"):
        # In UTF-16 every second byte of a tag is zero. A declaration that is readable as ASCII is
        # wrong.
        return b"\0" in body[:_HEAD]
    if encoding == "utf-8":
        # Reject it if no non-ASCII character decodes: such a body is usually Windows-1252.
        return body.isascii() or not body.decode("utf-8", "ignore").isascii()
    if encoding == "cp1252":
        # Many servers send it by default. Windows-1252 text is almost never valid UTF-8, so a
        # body that is valid UTF-8 is UTF-8.
        return body.isascii() or guess_encoding(body) == encoding
    return True


@cache
def _encodings() -> frozenset[str | None]:
    """Return the codecs of all labels; the first call imports most of them."""
    return frozenset(map(resolve_encoding, _LABELS.split()))


def guess_encoding(body: bytes) -> str:
    """Return ``utf-8`` if *body* is valid UTF-8, otherwise ``cp1252`` (Windows-1252)."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
