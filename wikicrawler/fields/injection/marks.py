"""Marks of values that may be injected.

An injected text *is* on the page, so that evidence does not catch it. A mark is a reason to look,
not a verdict:

- ``addressed``: the value stands in a passage, or is stated by one, that speaks to a model or an
  automated reader, or imitates the markup of a chat; or the text around it is about its extraction
  (:mod:`wikicrawler.fields.injection.signs`)
- ``contradicted``: beside the name of the field, the page states another value
- ``hidden``: a person does not see it

What that means:

- a page *about* injection that quotes one has a passage that is one. Values from that paragraph and
  the next are marked; the rest of the page is not. An exception for quotations would be the first
  thing that an attacker writes
- phrases that people hear, too (*you must answer*, *reply only with*) count only two together, or
  near to a name of a model. So a form is no injection, and an injection without any word for its
  reader or the orders before may pass
- statements, blocks of data and errata that a person could have meant, and pictures, are not
  recognised. Nor are other languages than those of :mod:`wikicrawler.fields.injection.addressing`
  and :mod:`wikicrawler.fields.injection.languages`
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from wikicrawler.fields.evidence.carriers import carrier_of
from wikicrawler.fields.evidence.folding import Span, overlaps, united
from wikicrawler.fields.evidence.leaves import leaves_of
from wikicrawler.fields.injection import addressing, languages
from wikicrawler.fields.injection.labels import Stated, compare
from wikicrawler.fields.injection.paragraphs import paragraph_ends
from wikicrawler.fields.injection.readings import readings
from wikicrawler.fields.injection.signs import is_about_extraction
from wikicrawler.fields.injection.unrendered import is_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.fields.evidence.alignment import Content
    from wikicrawler.fields.models import Evidence, FieldDefinition

ADDRESSED = "addressed"
"""The mark of a text that addresses a model."""
CONTRADICTED = "contradicted"
"""The mark of a value beside whose field's name the page states another one."""
HIDDEN = "hidden"
"""The mark of a text that a person does not see."""
MAX_PASSAGES = 200

_BEFORE, _BEHIND = 400, 800
"""Characters of the paragraph before a phrase, and behind it to the end of the next paragraph."""
_LEAST_BEHIND = 24
"""Characters of the next paragraph; if it is shorter, the one behind it counts, too."""
_NEAR = 250
"""Characters between two weak phrases."""
_BLOCK_TAG = re.compile(
    r"</?(?:p|br|hr|div|li|ul|ol|dl|h[1-6]|td|th|tr|table|dt|dd|pre|code|blockquote|section|article|b|strong)"
    r"(?:\s[^<>]{0,300}+)?/?>",
    re.IGNORECASE,
)
_ESCAPED = (
    ("&lt;", "   <"),
    ("&gt;", ">   "),
    ("\\<", " <"),
    ("\\>", "> "),
    ("\\[", " ["),
    ("\\]", " ]"),
)

_passages: WeakKeyDictionary[Content, tuple[Span, ...]] = WeakKeyDictionary()


def marks_of(
    evidence: Evidence | None,
    content: Content,
    hidden: Sequence[Span],
    value: Any = None,
    field: FieldDefinition | None = None,
) -> tuple[str, ...]:
    """Return the marks of a value, in the order of the alphabet.

    :param hidden: what :func:`~wikicrawler.fields.injection.hidden.hidden_spans` returns for the
        page
    :param value: the value itself. A value that an addressed passage states is marked wherever its
        evidence is: the same number may stand elsewhere by accident
    :param field: without it, the name of the field is not looked for
    """
    marks = []
    own = Span(evidence.start, evidence.end) if evidence else Span(0, 0)
    stated = compare(value, content, field) if field else Stated(same=False, other=False)
    passages = addressed_spans(content)
    unseen = overlaps(own, hidden)  # attributes and scripts have names of fields for machines
    if (
        overlaps(own, passages)
        or _is_stated(value, content, passages)
        or (
            field
            and own.end
            and not unseen
            and is_about_extraction(content, own, field, doubted=stated.other)
        )
    ):
        marks.append(ADDRESSED)
    if stated.other and not stated.same:
        marks.append(CONTRADICTED)
    if unseen and not _is_beside(value, content, own, hidden):
        marks.append(HIDDEN)
    return tuple(marks)


def _is_beside(value: Any, content: Content, own: Span, hidden: Sequence[Span]) -> bool:
    """Return True if what a person sees of the evidence has *value*."""
    leaves = leaves_of(value) if isinstance(value, dict | list) else [value]
    carriers = [carrier_of(leaf, numeric=False) for leaf in leaves or ()]
    pieces, at = [], own.start
    for span in hidden[bisect_right(hidden, own.start, key=attrgetter("end")) :]:
        if span.start >= own.end:
            break
        pieces.append(content.text[at : span.start])
        at = span.end
    seen = " ".join([*pieces, content.text[at : own.end]])
    return bool(carriers) and all(carrier and carrier.is_in(seen) for carrier in carriers)


def addressed_spans(content: Content) -> tuple[Span, ...]:
    """Return the passages of a page that address a model: a phrase with its paragraph and the next
    one, both bounded, in order.

    The time is linear in the length of the page. The result is kept with *content*.
    """
    if content not in _passages:
        ends = paragraph_ends(content)
        passages = (_passage(content.text, span, ends) for span in _phrases(content))
        _passages[content] = tuple(united(passages))[:MAX_PASSAGES]
    return _passages[content]


def _phrases(content: Content) -> Iterator[Span]:
    folded = content.folded
    for reading in readings(folded.text):
        text = reading.text
        for start, end in _scored(text):
            # A match may begin with the end of the sentence before.
            first = next((at for at in range(start, end) if text[at].isalnum()), start)
            yield folded.span(*reading.original(first, end))
    shown = _lines(content.text)
    for pattern in _patterns()[2]:
        for found in pattern.finditer(shown):
            yield Span(*found.span())


@cache
def _patterns() -> tuple[tuple[Any, ...], ...]:
    return (
        addressing.compiled(addressing.STRONG + languages.PHRASES),
        addressing.compiled(addressing.WEAK),
        addressing.compiled(addressing.MARKUP),
        addressing.compiled((f"{addressing.NAMES}|{languages.NAMES}",)),
    )


def _scored(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a strong phrase stands, or two different weak ones near to each other."""
    strong, weak, _, (names,) = _patterns()
    for pattern in strong:
        yield from (found.span() for found in pattern.finditer(text))
    hits = [
        (*found.span(), max(index, 1))  # the first two are one kind
        for index, pattern in enumerate(weak)
        for found in pattern.finditer(text)
    ]
    if not hits:
        return
    # The same word cannot be both the phrase and the name.
    near = [(*found.span(), -1) for found in names.finditer(text)]
    ordered = sorted(hits + near)
    for (start, end, kind), (other, last, its_kind) in pairwise(ordered):
        if kind != its_kind and max(kind, its_kind) >= 0 and end <= other <= end + _NEAR:
            yield start, max(end, last)


def _lines(text: str) -> str:
    """Return *text*, as long as it is, with the brackets that a person sees, and of HTML with line
    ends for the tags of blocks."""
    if is_html(text):
        text = _BLOCK_TAG.sub(lambda tag: "\n" + " " * (len(tag[0]) - 1), text)
    for escaped, shown in _ESCAPED:
        text = text.replace(escaped, shown)
    return text


def _passage(text: str, span: Span, ends: re.Pattern[str]) -> Span:
    """Return *span* from the beginning of its paragraph to the end of the next ones."""
    low = max(0, span.start - _BEFORE)
    start = low
    for found in ends.finditer(text, low, span.start):
        start = found.end()
    limit = min(len(text), span.end + _BEHIND)
    end = own_end = _paragraph_end(ends, text, span.end, limit)
    while end < limit and end - own_end < _LEAST_BEHIND:
        end = _paragraph_end(ends, text, end, limit)
    return Span(start, max(end, span.end))


def _paragraph_end(ends: re.Pattern[str], text: str, at: int, limit: int) -> int:
    """Return where the next paragraph begins, or *limit*."""
    found = ends.search(text, at, limit)
    return found.end() if found else limit


def _is_stated(value: Any, content: Content, passages: tuple[Span, ...]) -> bool:
    """Return True if a passage has *value*, or a value of the object."""
    values = list(value.values())[:50] if isinstance(value, dict) else [value]
    carriers = [carrier for item in values if (carrier := carrier_of(item, numeric=False))]
    return any(
        carrier.is_in(content.text[start:end]) for start, end in passages for carrier in carriers
    )
