"""Whole numbers in English words, up to ninety-nine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.fields.evidence.folding import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = (
    {"zero": 0}
    | {word: value for value, word in enumerate((*_ONES, *_TEENS), 1)}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
)
_NEXT = r"[ \xa0‐‑-]"
"""What may stand between the words of a number: *twenty-one*, *two hundred*."""
_NUMBER = re.compile(
    rf"(?<![\w-])(?:({'|'.join(_TENS)})(?:{_NEXT}({'|'.join(_ONES)}))?|({'|'.join(_VALUES)}))"
    # A part of a larger number, or of a compound (*two-thirds*), is none.
    rf"(?!\w|{_NEXT}(?:hundred|thousand|million|billion|trillion|dozen|score|half|halves|thirds?"
    rf"|quarters?|fifths?|point)\b)",
    re.IGNORECASE,
)
_LARGER = re.compile(r"(?:hundred|thousand|million|billion)(?: and)?[ \xa0-]\Z", re.IGNORECASE)


def word_number_spans(text: str) -> Iterator[tuple[int, Span]]:
    """Yield each number of *text* that is written in words, and where it stands, in linear time."""
    for found in _NUMBER.finditer(text):
        tens, ones, alone = found.groups()
        if _LARGER.search(text, max(0, found.start() - 16), found.start()):
            continue
        value = _VALUES[alone.lower()] if alone else _VALUES[tens.lower()]
        if ones:
            value += _VALUES[ones.lower()]
        yield value, Span(*found.span())
