"""Text as both sides can have it: the same words, whatever white space parts them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff]+")
_WORD = re.compile(r"\w+")
_SYMBOL = re.compile(r"[^\w\s\x00-\x1f\x7f-\x9f\ufeff]")


def key(text: str) -> str:
    """*text* without white space and control characters."""
    return _SPACE.sub("", text)


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def symbols(text: str) -> list[str]:
    """Everything in *text* that is neither word nor white space, a character each."""
    return _SYMBOL.findall(text)


def shingles(text: str) -> Iterator[tuple[str, ...]]:
    """Each four words in a row, or the whole of a shorter text."""
    found = words(text)
    if found:
        for start in range(max(1, len(found) - 3)):
            yield tuple(found[start : start + 4])
