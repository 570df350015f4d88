"""Where the value of a field stands in a page: the quote that a model gives for it must stand in
the page and carry the value.

What carries a value:

- a string: the same text, or one that differs in case, white space, compatibility forms of Unicode,
  quotation marks, dashes, Markdown, or punctuation between the words. An ISO 8601 date is carried
  by the same day in another format, too: *5 May 2024*, ``05.05.2024``
- a number: the same number in a usual spelling, see
  :func:`~wikicrawler.fields.evidence.spellings.number_spans`
- a boolean, and a value that may be derived: any quote that stands in the page
- an object: each of its strings and numbers, near to each other
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.fields.evidence.alignment import MAX_FOUND, MAX_QUOTE, Content, Match
from wikicrawler.fields.evidence.carriers import Carrier, carrier_of
from wikicrawler.fields.evidence.folding import Span, fold, overlaps
from wikicrawler.fields.evidence.leaves import covering_span, leaves_of
from wikicrawler.fields.models import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.fields.models import FieldDefinition

_NEAR = 120
"""Characters before and behind a value in which the name of its field is looked for."""
_BEHIND = 3
"""How much farther away a name behind a value is: most pages put it before."""
_LOOKED_AT = 4
"""Places of a quote that are searched for the value."""
_DISTINCT = 12
"""Characters of a string that is not on a page by accident."""
_SURE = 4
"""Characters of a value that no hidden place is preferred for, if it is shown anywhere."""
_UNSEEN = 2, 4
"""By how much farther away from the name of its field a hidden place is, as factor and summand."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Missing(StrEnum):
    """Why a value has no evidence."""

    NOTHING_TO_SEARCH = "nothing_to_search"
    """No text stands for the value: it is empty, or a boolean without a quote."""
    TOO_LONG = "too_long"
    """The value has more than 5,000 characters, or an object more than 50 values."""
    QUOTE_NOT_FOUND = "quote_not_found"
    """The quote is not in the page, and neither the value in a place that is clearly its own."""
    VALUE_NOT_IN_QUOTE = "value_not_in_quote"
    """The quote is in the page, but does not contain the value."""
    VALUE_NOT_FOUND = "value_not_found"
    """The model gave no quote, and the value is not in the page; of an object, not all its values
    are near to each other."""


class Search(NamedTuple):
    """The evidence of a value, or the reason why there is none."""

    evidence: Evidence | None
    reason: Missing | None = None


def find_evidence(
    content: Content,
    value: Any,
    quote: str | None,
    field: FieldDefinition,
    hidden: Sequence[Span] = (),
) -> Search:
    """Return where *value* stands in *content*. Never raises; bounded whatever the value is.

    ``content.text[evidence.start : evidence.end] == evidence.text``, and no evidence begins or ends
    within a word, a number or a character with combining marks. With a quote it is the place of the
    quote. A quote that is not in the page, or does not carry the value, is made up or inexact: then
    the value alone is evidence only where the name of the field stands near, or if it is a longer
    text. Without a quote any place of the value is, the first near the name if there is one, and so
    it is with a quote of a few characters, which may stand in several places. A place that a person
    sees is preferred, but for a value of a few characters only if it is as near to the name.

    :param value: as the model returned it or coerced; one element of a list
    :param hidden: what a person does not see, in order
    """
    if isinstance(value, dict | list):
        match = _search_object(content, value, quote)
    else:
        match = _search(content, value, quote, field, hidden)
    if isinstance(match, Missing):
        return Search(None, match)
    start, end = match.span
    return Search(
        Evidence(
            url=content.url,
            start=start,
            end=end,
            text=content.text[start:end],
            method=match.method,
            score=match.score,
        )
    )


def _search(
    content: Content,
    value: Any,
    quote: str | None,
    field: FieldDefinition,
    hidden: Sequence[Span],
) -> Match | Missing:
    carrier = carrier_of(value, numeric=field.element_type in {"number", "integer"})
    if field.element_type == "boolean" or field.derived or isinstance(value, bool):
        match = next(iter(_seen_first(_matches(content, quote), hidden)), None) if quote else None
        missing = Missing.QUOTE_NOT_FOUND if quote else Missing.NOTHING_TO_SEARCH
        if match or carrier is None or not field.derived:
            return match or missing
    if carrier is None:
        too_long = isinstance(value, str) and len(value) > MAX_QUOTE
        return Missing.TOO_LONG if too_long else Missing.NOTHING_TO_SEARCH
    if not quote or not quote.strip():
        return _best(content, carrier, field, hidden) or Missing.VALUE_NOT_FOUND
    matches = _matches(content, quote)
    # Places of the same text carry the same.
    carrying = [
        match
        for match in matches[:_LOOKED_AT]
        if carrier.is_in(content.text[match.span.start : match.span.end])
    ]
    if carrying:
        chosen = _chosen(content, quote, matches, field, hidden)
        carries = carrier.is_in(content.text[chosen.span.start : chosen.span.end])
        return chosen if carries else carrying[0]
    own = _best(content, carrier, field, hidden, strict=True)
    return own or (Missing.VALUE_NOT_IN_QUOTE if matches else Missing.QUOTE_NOT_FOUND)


def _chosen(
    content: Content,
    quote: str,
    matches: list[Match],
    field: FieldDefinition,
    hidden: Sequence[Span],
) -> Match:
    """Return the one of *matches*, places of *quote*, that is evidence."""
    nearest = None
    if len(fold(quote)) < _DISTINCT:
        nearest = _nearest(content, _sure(matches, quote, hidden), field, hidden)
    return nearest or _seen_first(matches, hidden)[0]


def _sure(matches: list[Match], text: str, hidden: Sequence[Span]) -> list[Match]:
    """Return those *matches* of *text* that a person sees, if it is not there by accident."""
    if len(text.removesuffix(".0")) < _SURE:
        return matches
    return [match for match in matches if not overlaps(match.span, hidden)] or matches


def _matches(content: Content, quote: str) -> list[Match]:
    """Return where *quote* stands, and only if it does nowhere, where it nearly does."""
    quote = quote.strip().strip("…").removeprefix("...").removesuffix("...")
    found = list(islice(content.find(quote), MAX_FOUND))
    if not found and (nearly := content.fuzzy(quote) or content.elided(quote)) is not None:
        found.append(nearly)
    return found


def _seen_first(matches: list[Match], hidden: Sequence[Span]) -> list[Match]:
    return sorted(matches, key=lambda match: overlaps(match.span, hidden)) if hidden else matches


def _best(
    content: Content,
    carrier: Carrier,
    field: FieldDefinition,
    hidden: Sequence[Span],
    *,
    strict: bool = False,
) -> Match | None:
    """Return the place of a value that is nearest to the name of its field, or else the first.

    :param strict: the first one counts only if the value is a longer text
    """
    matches = list(islice(carrier.places(content), MAX_FOUND))
    matches = _sure(matches, carrier.text, hidden)
    if place := _nearest(content, matches, field, hidden):
        return place
    if not matches or (strict and len(fold(carrier.text)) < _DISTINCT):
        return None
    return _seen_first(matches, hidden)[0]


def _nearest(
    content: Content, matches: list[Match], field: FieldDefinition, hidden: Sequence[Span]
) -> Match | None:
    """Return the one of *matches* that is nearest to the name of the field; None if none is."""
    words = _words_of(field.name)
    best, least = None, inf
    for match in matches:
        distance = _distance(content, match.span, words)
        if overlaps(match.span, hidden):
            distance = _UNSEEN[0] * distance + _UNSEEN[1]
        if distance < least:
            best, least = match, distance
    return best


def _words_of(name: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in _WORD.findall(_CAMEL.sub(" ", name)))


def _distance(content: Content, span: Span, words: tuple[str, ...]) -> float:
    """Return how far away from *span* the nearest of *words* stands; infinity if none is near."""
    folded, found = content.folded, inf
    start, end = folded.offset(span.start), folded.offset(span.end)
    before, behind = folded.text[max(0, start - _NEAR) : start], folded.text[end : end + _NEAR]
    for word in words:
        if (at := before.rfind(word)) >= 0:
            found = min(found, len(before) - at)
        if (at := behind.find(word)) >= 0:
            found = min(found, _BEHIND * (at + 1))
    return found


def _search_object(content: Content, value: Any, quote: str | None) -> Match | Missing:
    leaves = leaves_of(value)
    if leaves is None:
        return Missing.TOO_LONG
    carriers = [carrier for leaf in leaves if (carrier := carrier_of(leaf, numeric=False))]
    quoted = next(iter(_matches(content, quote)), None) if quote else None
    if not carriers:
        return quoted or (Missing.QUOTE_NOT_FOUND if quote else Missing.NOTHING_TO_SEARCH)
    if quoted:
        text = content.text[quoted.span.start : quoted.span.end]
        if all(carrier.is_in(text) for carrier in carriers):
            return quoted
    places = [list(islice(carrier.places(content), MAX_FOUND)) for carrier in carriers]
    span = covering_span([[match.span for match in of] for of in places])
    if span is None:
        return Missing.VALUE_NOT_IN_QUOTE if quoted else Missing.VALUE_NOT_FOUND
    exact = all(any(match.method == "exact" for match in of) for of in places)
    return Match(span, "exact" if exact else "normalised")
