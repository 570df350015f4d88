"""Where a text stands in a page: as it is, in another spelling, or nearly."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from rapidfuzz import fuzz

from wikicrawler.fields.evidence.folding import Folded, Span, fold, is_inside, joined
from wikicrawler.fields.evidence.spellings import number_spans

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

MAX_QUOTE = 5000
"""Characters of a text that is searched; a longer one is not."""
MAX_FUZZY = 500
"""Characters of a text that is searched for what is nearly the same."""
MIN_FUZZY = 16
"""Characters from which on a difference may be a slip: shorter texts are searched as they are."""
THRESHOLD = 0.9
"""Least similarity of what is nearly the same: twice the characters in common by those of both."""
MAX_FOUND = 200
"""Occurrences of a text that are looked at."""

MAX_ELIDED = 1000
"""Characters that an ellipsis in a quote leaves out."""
_MIN_PART = 8
_ELLIPSIS = re.compile(r"\[?(?:…|\.\.\.)\]?")
_MAX_TRIED = 20_000
_SEEDS, _PLACES, _WINDOWS = 16, 4, 8
"""Parts of a text that are searched, places of each, and windows around them that are compared: the
cost of a search is theirs, whatever the page."""
_NUMBERS = re.compile("[0-9]+")
_EDGE = 30


class Match(NamedTuple):
    """A place where a text stands."""

    span: Span
    method: Literal["exact", "normalised", "fuzzy"]
    score: float = 1.0
    """Similarity, from 0 to 1."""


class Content:
    """The text of a page, prepared for searches. What is prepared is kept.

    :ivar text: the stored content: offsets are those of its characters
    """

    def __init__(self, text: str, url: str = "") -> None:
        self.text, self.url = text, url

    @cached_property
    def folded(self) -> Folded:
        return Folded(self.text)

    @cached_property
    def numbers(self) -> dict[Decimal, list[Span]]:
        """Where each number stands, in the order of the page."""
        return number_spans(self.text)

    def find(self, text: str) -> Iterator[Match]:
        """Yield where *text* stands, best matches first: as it is, or in another spelling, at most
        :data:`MAX_FOUND` each; nothing for a text of markup alone.

        No match begins or ends within a word or number.
        """
        text = text.strip()
        if not text or len(text) > MAX_QUOTE or not (folded := fold(text)):
            return
        seen = set()
        for span in self._whole(self._exact(text)):
            seen.add(span)
            yield Match(span, "exact")
        # A tag in a quote is text, if the page shows one.
        for form in (folded, fold(text.replace("<", r"\<"))) if "<" in text else (folded,):
            for span in self._whole(self._normalised(form)):
                if span not in seen:
                    seen.add(span)
                    yield Match(span, "normalised")

    def fuzzy(self, text: str) -> Match | None:
        """Return where a text stands that is most similar to *text* and has the same numbers."""
        if len(text) > 2 * MAX_FUZZY:
            return None
        wanted = fold(text)
        if not MIN_FUZZY <= len(wanted) <= MAX_FUZZY:
            return None
        best: Match | None = None
        for start in self._candidates(wanted):
            found = self._aligned(wanted, start)
            if found and (best is None or found.score > best.score):
                best = found
        return best

    def elided(self, text: str) -> Match | None:
        """Return the place of a *text* with ``...`` in it: of two to four parts, each found as
        :meth:`find` does, in their order, at most :data:`MAX_ELIDED` characters from each other.

        The score is the part of the place that *text* has.
        """
        parts = _ELLIPSIS.split(text) if len(text) <= MAX_QUOTE else []
        parts = [part.strip() for part in parts]
        if not 2 <= len(parts) <= 4 or any(len(part) < _MIN_PART for part in parts):
            return None
        for first in islice(self.find(parts[0]), _WINDOWS):
            start, end = first.span
            for part in parts[1:]:
                behind = (match.span for match in self.find(part))
                following = [span for span in behind if 0 <= span.start - end <= MAX_ELIDED]
                if not following:
                    break
                end = min(following).end
            else:
                score = min(1.0, sum(map(len, parts)) / (end - start))
                return Match(Span(start, end), "fuzzy", round(score, 4))
        return None

    def _whole(self, spans: Iterator[Span]) -> Iterator[Span]:
        whole = (span for span in islice(spans, _MAX_TRIED) if is_whole(self.text, span))
        return islice(whole, MAX_FOUND)

    def _exact(self, text: str) -> Iterator[Span]:
        at = self.text.find(text)
        while at >= 0:
            yield Span(at, at + len(text))
            at = self.text.find(text, at + len(text))

    def _normalised(self, folded: str) -> Iterator[Span]:
        page = self.folded.text
        at = page.find(folded)
        while at >= 0:
            yield self.folded.span(at, at + len(folded))
            at = page.find(folded, at + len(folded))

    def _candidates(self, wanted: str) -> list[int]:
        """Return where *wanted* may begin in the folded page: where most of its parts agree."""
        page, size = self.folded.text, 8 if len(wanted) >= 40 else 5
        slack, votes = _slack(wanted), dict[int, int]()
        step = max(size, len(wanted) // _SEEDS)
        for offset in range(0, len(wanted) - size + 1, step):
            seed, at = wanted[offset : offset + size], -1
            for _ in range(_PLACES):
                at = page.find(seed, at + 1)
                if at < 0:
                    break
                group = (at - offset) // slack
                votes[group] = votes.get(group, 0) + 1
        # Parts of one place may fall into two groups that are next to each other.
        ranked = sorted(votes, key=lambda group: (-votes[group], group))
        return [group * slack for group in ranked[:_WINDOWS]]

    def _aligned(self, wanted: str, start: int) -> Match | None:
        page, slack = self.folded.text, _slack(wanted)
        low = max(0, start - slack)
        window = page[low : max(0, start) + len(wanted) + 2 * slack]
        aligned = fuzz.partial_ratio_alignment(wanted, window, score_cutoff=75)
        if aligned is None or len(window) < len(wanted) // 2:
            return None
        first, last = low + aligned.dest_start, low + aligned.dest_end
        first, last = _at_words(page, first, last)
        text = page[first:last]
        score = fuzz.ratio(wanted, text) / 100
        if score < THRESHOLD or _NUMBERS.findall(text) != _NUMBERS.findall(wanted):
            return None
        span = self.folded.span(first, last)
        return Match(span, "fuzzy", score) if is_whole(self.text, span) else None


def is_whole(text: str, span: Span) -> bool:
    """Return True if *span*, not empty, begins and ends where a word or number of *text* does.

    In scripts without space between words, each character is one.
    """
    start, end = span
    if start >= end or is_inside(text, start) or is_inside(text, end):
        return False
    return not (_goes_on(text, start) or _goes_on(text, end))


def _goes_on(text: str, at: int) -> bool:
    """Return True if a word or number goes on from before *at* to behind it."""
    left, right = text[at - 1 : at] if at else "", text[at : at + 1]
    if not left or not right:
        return False
    back = at - 1
    while back > max(0, at - 5) and is_inside(text, back):
        back -= 1
    if joined(text[back], right):
        return True
    if left in ".," and right.isdigit():
        return at > 1 and text[at - 2].isdigit()
    return left.isdigit() and right in ".," and text[at + 1 : at + 2].isdigit()


def _slack(wanted: str) -> int:
    return len(wanted) // 8 + 8


def _at_words(page: str, first: int, last: int) -> tuple[int, int]:
    """Return the nearest ends of words, without space."""
    left = right = first
    while left > max(0, first - _EDGE) and joined(page[left - 1], page[left]):
        left -= 1
    while right < min(last, first + _EDGE) and joined(page[right - 1 : right], page[right]):
        right += 1
    first = left if first - left <= right - first else right
    left = right = last
    while left > max(first, last - _EDGE) and joined(page[left - 1], page[left : left + 1]):
        left -= 1
    while right < min(len(page), last + _EDGE) and joined(page[right - 1], page[right]):
        right += 1
    last = right if right - last <= last - left else left
    while first < last and page[first] == " ":
        first += 1
    while last > first and page[last - 1] == " ":
        last -= 1
    return first, last
