"""Texts that carry a value."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.evidence.alignment import MAX_QUOTE, Content, Match
from wikicrawler.fields.evidence.folding import Span, fold, joined
from wikicrawler.fields.evidence.spellings import date_spans, decimal_of, iso_date_of, number_spans

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

_WORD = re.compile(r"[0-9]+(?:[.,][0-9]+)+|\w+")  # 12.50 is one
_MAX_NUMERIC = 60


class Carrier(ABC):
    """What a text must have to carry a value.

    :ivar text: the value as a string
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @abstractmethod
    def is_in(self, text: str) -> bool:
        """Return True if *text* carries the value."""

    @abstractmethod
    def places(self, content: Content) -> Iterator[Match]:
        """Yield where the value stands in a page."""


class TextCarrier(Carrier):
    """A string, as it is or in another spelling, and dates in other formats."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._folded = fold(text)
        self._words = _WORD.findall(self._folded)
        self._date = iso_date_of(text.strip())

    def is_in(self, text: str) -> bool:
        folded = fold(text)
        if self.text.strip() in text and self._folded == "":
            return True
        return (
            _has(folded, self._folded)
            or _has_words(folded, self._words)
            or (self._date is not None and any(date_spans(text, self._date)))
        )

    def places(self, content: Content) -> Iterator[Match]:
        yield from content.find(self.text)
        if self._date is not None:
            for span in date_spans(content.text, self._date):
                yield Match(span, "normalised")


class NumberCarrier(Carrier):
    """A number in any of its usual spellings."""

    def __init__(self, text: str, number: Decimal) -> None:
        super().__init__(text)
        self._number = number

    def is_in(self, text: str) -> bool:
        return self._number in number_spans(text)

    def places(self, content: Content) -> Iterator[Match]:
        for span in content.numbers.get(self._number, ()):
            same = content.text[span.start : span.end] == self.text
            yield Match(Span(*span), "exact" if same else "normalised")


def carrier_of(value: Any, *, numeric: bool) -> Carrier | None:
    """Return what must have *value*, a scalar; None for null, a boolean, an empty or long string.

    :param numeric: a string is a number in the page's own spelling, if it can be
    """
    number = decimal_of(value)
    if number is not None:
        return NumberCarrier(str(value)[:_MAX_NUMERIC], number)
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_QUOTE:
        return None
    if numeric and len(value) <= _MAX_NUMERIC:
        numbers = list(number_spans(value))
        if len(numbers) == 1:
            return NumberCarrier(value.strip(), numbers[0])
    return TextCarrier(value)


def _has(text: str, wanted: str) -> bool:
    """Return True if *wanted* stands in *text* without a word or number around it going on."""
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        if not _goes_on(text, at) and not _goes_on(text, end):
            return True
        at = text.find(wanted, at + 1)
    return False


def _goes_on(text: str, at: int) -> bool:
    left, right = text[max(0, at - 1) : at], text[at : at + 1]
    if not left or not right:
        return False
    if joined(left, right):
        return True
    if left in ".," and right.isdigit():
        return text[at - 2 : at - 1].isdigit() if at > 1 else False
    return left.isdigit() and right in ".," and text[at + 1 : at + 2].isdigit()


def _has_words(text: str, words: list[str]) -> bool:
    return bool(words) and f" {' '.join(words)} " in f" {' '.join(_WORD.findall(text))} "
