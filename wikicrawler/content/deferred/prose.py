"""Texts in data: whether they are prose, and as HTML."""

from __future__ import annotations

import re
from html import escape, unescape

_TAGS = re.compile(
    r"<(?:p|br|div|h[1-6]|ul|ol|table|blockquote|pre|figure|section|article)\b[^<>]*>",
    re.IGNORECASE,
)
_ESCAPED_TAGS = re.compile(r"&lt;(?:p|br|div|h[1-6]|ul|ol|table|blockquote)\b", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]?(?=\s|$)|[。！？।؟]")
_CODE = frozenset("{}<>=;\\|_$#@^`~")
MIN_SENTENCES = 3
_MIN_LETTERS, _MAX_CODE = 0.6, 0.02
"""Shares of the characters of a text that are letters, at least, and signs of code, at most."""


def as_html(text: str) -> str:
    """Return a text of data as HTML: it may be HTML, escaped HTML, or lines."""
    if _TAGS.search(text):
        return text
    if _ESCAPED_TAGS.search(text):
        return unescape(text)
    lines = (line.strip() for line in unescape(text).splitlines())
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines if line)


def is_prose(text: str, least: int) -> bool:
    """Return True if *text*, plain or HTML, consists of sentences, *least* characters or more."""
    if len(text) < least:
        return False
    text = plain(text)
    if len(text) < least or sum(1 for _ in _SENTENCE_END.finditer(text)) < MIN_SENTENCES:
        return False
    letters = sum(map(str.isalpha, text))
    code = sum(map(_CODE.__contains__, text))
    return letters >= _MIN_LETTERS * len(text) and code <= _MAX_CODE * len(text)


def plain(text: str) -> str:
    """Return a text of data, plain or HTML, on one line and without tags."""
    if _ESCAPED_TAGS.search(text):
        text = unescape(text)
    if "<" in text:
        text = _ANY_TAG.sub(" ", text)
    return " ".join(text.split())
