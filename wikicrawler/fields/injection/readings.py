"""Decodes disguised spellings of a folded text: look-alike letters, ciphers, hyphens, reversal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CONFUSABLE = str.maketrans("аеорсухіјѕԁһӏνοαερτκᎥᎡᎪᏚᎢᏢᎳᎻᎷᏃ", "aeopcyxijsdhlvoaeptkieastpwhmz") | {
    first + number: chr(ord("a") + number)
    for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
    for number in range(26)
}
"""Letters of other alphabets that look like Latin ones, and letters in squares and circles."""
_LEET = str.maketrans("013457@$", "oieastas")
"""Digits and signs in place of the letters that they look like."""
_MIXED = re.compile(r"[a-z][013457@$]{1,10}[a-z]|\b[013457@$]{1,10}[a-z]{3}")
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_ROTATED = str.maketrans(_LATIN, _LATIN[13:] + _LATIN[:13])
# A cipher of English has its commonest words.
_ROTATED_WORDS = re.compile(r"\b(?:gur|naq|vtaber|cerivbhf|vafgehpgvbaf|nafjre)\b")
_REVERSED_WORDS = re.compile(r"\b(?:eht|dna|erongi|suoiverp|snoitcurtsni|rewsna)\b")
_HYPHENS = re.compile(
    r"(?:\b[a-z]{1,9}-[a-z]{1,9}(?:-[a-z]{1,9})?\b[ ,]{0,2}(?:[a-z]{1,12} ){0,2}){3}"
)
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")


class Reading(NamedTuple):
    """A text, and where each of its characters stands in the original."""

    text: str
    places: Sequence[int] | range

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return what ``text[start:end]``, which is not empty, was read from."""
        first, last = self.places[start], self.places[end - 1]
        return min(first, last), max(first, last) + 1


def plain_letters(text: str) -> str:
    """Return *text* with Latin letters for those that look like them."""
    return text if text.isascii() else text.translate(_CONFUSABLE)


def readings(text: str) -> Iterator[Reading]:
    """Yield *text*, and its other readings if it looks as if it had one."""
    same = range(len(text))
    yield Reading(text, same)
    plain = plain_letters(text)
    if plain != text:
        yield Reading(plain, same)
    if _MIXED.search(plain):
        yield Reading(plain.translate(_LEET), same)
    if _ROTATED_WORDS.search(plain):
        yield Reading(plain.translate(_ROTATED), same)
    if _REVERSED_WORDS.search(plain):
        yield Reading(plain[::-1], same[::-1])
    if _HYPHENS.search(plain):
        hyphens = {found.start() for found in _HYPHEN.finditer(plain)}
        yield Reading(_HYPHEN.sub("", plain), [at for at in same if at not in hyphens])
