"""Line numbers: what they look like, and how engines mark them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MAX_CLASSES = 200
"""Characters of a ``class`` value that are searched."""
_MAX_DIGITS = 8
"""Digits of a line number."""
_MAX_LINES = 20_000
"""Line numbers of a listing."""
_LEVELS = 3
"""Elements, each the first in the one before, that may be marked as line numbers."""
_PARTS = 10
"""Elements of a cell without text that are searched for the attribute of a number."""

_CLASS = re.compile(
    r"(?:^|[\s_-])(?:line-?(?:no|nr|num|number)s?|lines-num|linenodiv|blob-num|lnt?|"
    r"nums?|gutter)(?:$|[\s_-])",
    re.IGNORECASE,
)
_ATTRIBUTE = "data-line-number"
_UNSELECTABLE = re.compile(r"user-select\s*:\s*none")


def classes_of(el: HtmlElement) -> str:
    """Return the ``class`` of *el*, cut to what is searched."""
    return (el.get("class") or "")[:MAX_CLASSES]


@lru_cache(maxsize=4096)
def names_numbers(classes: str) -> bool:
    """Return True if a class in *classes* is one of line numbers."""
    return _CLASS.search(classes) is not None


def is_unselectable(el: HtmlElement) -> bool:
    """Return True if *el* has a style by which a reader does not copy it with the code."""
    style = el.get("style")
    return bool(style) and _UNSELECTABLE.search(style) is not None


def numbers_in(el: HtmlElement) -> list[int] | None:
    """Return the line numbers in *el*, or None if it has other text or too many."""
    found: list[int] = []
    for text in el.itertext():
        for word in text.split():
            if not _is_number(word):
                return None
            found.append(int(word))
        if len(found) > _MAX_LINES:
            return None
    if not found:
        parts = islice(el.iter(), _PARTS)
        stated = next(filter(None, (part.get(_ATTRIBUTE) for part in parts)), "")
        return [int(stated)] if _is_number(stated) else None
    return found


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS


def ascend(numbers: list[int]) -> bool:
    """Return True if there are *numbers*, each larger than the one before."""
    return bool(numbers) and all(a < b for a, b in pairwise(numbers))


def is_gutter(el: HtmlElement) -> bool:
    """Return True if *el*, or an element around all of its text, is marked as line numbers."""
    place: HtmlElement | None = el
    for _ in range(_LEVELS):
        if place is None:
            return False
        if place.get(_ATTRIBUTE) or is_unselectable(place) or names_numbers(classes_of(place)):
            return True
        place = next(iter(place), None)
    return False
