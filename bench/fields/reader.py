"""A reader that knows what is right on a page, and finds it in the text that it is given.

It shows what a program makes of a model without faults: what its conversion loses, what its parts
and their merging lose, and which right answers it rejects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bench.fields.score import as_number

if TYPE_CHECKING:
    from bench.fields.corpus import Field

_WORDS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
]
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
_MAX_QUOTE = 200


class Found(NamedTuple):
    """A value, and the text that states it."""

    value: str | float | int
    text: str
    """The value as it stands there."""
    quote: str


def find(field: Field, page: str) -> Found | None:
    """Return the value of *field* in *page*; None if it is not in it."""
    if field.type == "string":
        for right in field.right:
            words = r"\s+".join(re.escape(word) for word in right.split())
            match = re.search(rf"(?<!\w){words}(?!\w)", page, re.IGNORECASE)
            if match:
                return Found(right, match[0], _line(page, match.span()))
        return None
    for right in filter(None, map(as_number, field.right)):
        value = int(right) if right == int(right) else right
        matches = [one for one in _NUMBER.finditer(page) if as_number(one[0]) == right]
        if right in range(len(_WORDS)) and not matches:
            matches = list(re.finditer(rf"\b{_WORDS[int(right)]}\b", page, re.IGNORECASE))
        if matches:
            near = min(matches, key=lambda one: _distance(field, page, one.start()))
            return Found(value, near[0], _line(page, near.span()))
    return None


def _distance(field: Field, page: str, at: int) -> int:
    """Return how few words of the field stand around a place."""
    around = page[max(0, at - 100) : at + 100].lower()
    words = set(re.findall(r"[a-z]{4,}", f"{field.name} {field.description}".lower()))
    return -sum(word in around for word in words)


def _line(page: str, span: tuple[int, int]) -> str:
    """Return the text around a place, within its line."""
    start = max(page.rfind("\n", 0, span[0]) + 1, span[0] - _MAX_QUOTE // 2)
    end = page.find("\n", span[1])
    end = min(len(page) if end < 0 else end, span[1] + _MAX_QUOTE // 2)
    return page[start:end].strip()
