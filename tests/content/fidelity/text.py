"""Text in a form that both sides share: the same words, independent of white space."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
LISTS = frozenset({"ul", "ol", "menu", "dir"})
_BLOCKS = """
    address article aside blockquote br caption center dd details dialog div dl dt fieldset
    figcaption figure footer form header hr li main p pre section summary table tbody td tfoot th
    thead tr
"""
ENDS_LINE = HEADINGS | LISTS | set(_BLOCKS.split())
"""Elements that start and end a line or a cell for the reader."""

_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff]+")
_WORD = re.compile(r"\w+")
_SYMBOL = re.compile(r"[^\w\s\x00-\x1f\x7f-\x9f\ufeff]")


def key(text: str) -> str:
    """Return *text* without white space and control characters."""
    return _SPACE.sub("", text)


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def symbols(text: str) -> list[str]:
    """Return the characters of *text* that are neither in a word nor white space."""
    return _SYMBOL.findall(text)


def spaced(el: HtmlElement) -> str:
    """Return the text of *el* with a space wherever a reader sees a new line or cell."""
    parts: list[str] = []
    for event, child in etree.iterwalk(el, events=("start", "end")):
        if child.tag in ENDS_LINE:
            parts.append(" ")
        if event == "start":
            parts.append(child.text or "")
        elif child is not el:
            parts.append(child.tail or "")
    return "".join(parts)


def shingles(text: str) -> Iterator[tuple[str, ...]]:
    """Yield each run of four words, or the whole of a shorter text."""
    found = words(text)
    if found:
        for start in range(max(1, len(found) - 3)):
            yield tuple(found[start : start + 4])
