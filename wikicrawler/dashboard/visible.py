"""Text of strangers as markup: escaped, and with nothing in it that cannot be seen."""

from __future__ import annotations

from unicodedata import category

from markupsafe import Markup, escape

from wikicrawler.text.safe import escaped

_JOINERS = frozenset("\u200c\u200d")
"""Characters that Persian, Indic scripts and emoji need. They do not change the direction."""


def visible(text: str, *, strict: bool = False) -> Markup:
    """Return *text* as markup, with characters that control or hide text as ``\\u202e`` and such.

    Line ends, tabs, wide spaces and joiners stay as they are, unless *strict* is true: then only
    printable characters and spaces stay.
    """
    if text.isprintable():
        return escape(text)
    if strict:
        return escape(escaped(text))
    return escape("".join(c if c.isprintable() or _stays(c) else escaped(c) for c in text))


def _stays(character: str) -> bool:
    return character in "\n\t" or character in _JOINERS or category(character) == "Zs"


def cut(text: str, limit: int, *, strict: bool = True) -> Markup:
    """Return the first *limit* characters of *text* as in :func:`visible`, with ``…`` if it is
    longer."""
    if len(text) <= limit:
        return visible(text, strict=strict)
    return visible(text[:limit], strict=strict) + Markup("…")
