"""The text of a page in parts that end between blocks."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from typing import NamedTuple

from wikicrawler.content.chunking.blocks import blocks
from wikicrawler.text.safe import without_surrogates

# Controls, which may be escapes of a terminal; marks that change the order of what a person sees;
# "tags", which no person sees at all.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
_SPACES = re.compile(r"\s+")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+\)")
_HEAD = 4000
"""Characters of a text in which its first paragraph is searched."""
_SENTENCE = 40
"""Characters of a paragraph that says something."""
_MIN_SHARE = 4
"""A part is at least this fraction of what it may be, if a block, a line or a word allows it."""


class PreparedText(NamedTuple):
    """The text of a page, ready to be cut."""

    text: str
    cuts: array[int]
    """Offsets at which a part may end: behind each block that is not a heading."""
    removed: int
    """Number of characters that were left out."""


def prepare(markdown: str) -> PreparedText:
    """Return the text of a page, without characters that control a terminal or are not seen.

    It takes time linear in the length: call it in a worker.
    """
    text, removed = safe_text(markdown)
    cuts = array("Q", (block.end for block in blocks(text) if block.kind != "heading"))
    return PreparedText(text, cuts, removed)


def safe_text(text: str) -> tuple[str, int]:
    """Return *text* without control characters but line ends and tabs, and without those that
    hide text or change its order; and how many were left out."""
    kept, removed = _UNSAFE.subn("", without_surrogates(text))
    return _LINE_ENDS.sub(" ", kept), removed


def safe_line(text: str | None, limit: int) -> str:
    """Return *text*, which a page states, as one line of at most *limit* characters."""
    if not text:
        return ""
    line = _SPACES.sub(" ", safe_text(text[: 4 * limit])[0]).strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def first_words(text: str, limit: int) -> str:
    """Return the beginning of the first paragraph of *text* as one line, without the addresses of
    links."""
    head = text[:_HEAD]
    found = [head[block.start : block.end] for block in blocks(head) if block.kind == "paragraph"]
    plain = [safe_line(_LINK.sub(r"\1", one), limit) for one in found]
    return next((one for one in plain if len(one) >= _SENTENCE), plain[0] if plain else "")


def end_of_part(text: str, cuts: array[int], offset: int, limit: int) -> int:
    """Return the end of the part of *text* that begins at *offset*: of at most *limit* characters,
    and at least one if there is one.

    It ends behind a block if one ends in it, else behind a line, else behind a word. The parts
    that follow each other are the whole text.
    """
    last = offset + limit
    if last >= len(text):
        return len(text)
    least = offset + max(1, limit // _MIN_SHARE)
    found = bisect_right(cuts, last)
    if found and cuts[found - 1] > offset:
        return cuts[found - 1]
    for mark in ("\n", " "):
        if (at := text.rfind(mark, least, last)) >= 0:
            return at + 1
    return last
