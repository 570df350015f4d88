"""Which encodings a page may have."""

from __future__ import annotations

from w3lib.encoding import resolve_encoding

# https://encoding.spec.whatwg.org/#names-and-labels. A server may name any codec of Python's: some
# are no encodings of text (rot13, zlib), some take a time that grows with the square of the length
# (idna, punycode), and browsers know none of them.
_LABELS = """
    utf-8 utf-16 utf-16be utf-16le us-ascii ibm866 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4
    iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13
    iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh mac-cyrillic windows-874
    windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256
    windows-1257 windows-1258 gbk gb18030 gb2312 big5 big5-hkscs euc-jp iso-2022-jp shift_jis euc-kr
"""
_ENCODINGS = frozenset(map(resolve_encoding, _LABELS.split()))
_HEAD = 1024


def may_be(encoding: str, body: bytes) -> bool:
    """Whether the HTML *body* may be in *encoding*, a name that w3lib made of a label."""
    # Who can read "charset=utf-16" in a page knows that it is not: each tag would be half zeros.
    return encoding in _ENCODINGS and (not encoding.startswith("utf-16") or b"\0" in body[:_HEAD])


def guess_encoding(body: bytes) -> str:
    """The encoding of a page that names none: UTF-8 where it is, Windows-1252 otherwise."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
