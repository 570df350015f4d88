"""Evidence of extracted fields, highlighted in the text around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from wikicrawler.fields.report.escaping import shown
from wikicrawler.fields.report.highlights import MAX_HIGHLIGHT, Highlight, excerpt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.explain.results import FieldValue, Place

_AROUND = 120
"""Characters that are shown before and behind an evidence."""
_MAX_QUOTE = 600
"""Characters of an evidence that are shown beside its value."""
_MAX_NAMES = 5
_MARKS = ("hidden", "addressed", "contradicted")
"""Marks that stand out: they are classes of elements."""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The text of a page with its evidence highlighted."""

    html: Markup
    anchors: dict[tuple[int, int], str]
    """The id of the element of each evidence that is shown, by its start and end."""
    left_out: int
    """Characters of the text."""


def quote(place: Place, content: str | None) -> Markup:
    """Return an evidence within the text around it."""
    is_cut = len(place.text) > _MAX_QUOTE
    before = after = ""
    if content is not None and place.is_in_content:
        first, last = max(0, place.start - _AROUND), place.end + _AROUND
        before = ("…" if first else "") + content[first : place.start]
        after = content[place.end : last] + ("…" if last < len(content) else "")
    middle = place.text[:_MAX_QUOTE] + ("…" if is_cut else "")
    return Markup('<q class="quote" dir="auto">{}<mark>{}</mark>{}</q>').format(
        shown(before), shown(middle), shown("" if is_cut else after)
    )


def marked_text(content: str, values: Sequence[FieldValue], prefix: str) -> MarkedText:
    """Return *content* around the evidence of *values*.

    :param prefix: of the ids of the evidence
    """
    names: dict[tuple[int, int], dict[str, None]] = {}
    kinds: dict[tuple[int, int], set[str]] = {}
    for value in values:
        place = value.place
        if place is None or not place.is_in_content or place.end - place.start > MAX_HIGHLIGHT:
            continue
        span = place.start, place.end
        names.setdefault(span, {})[value.field] = None
        kinds.setdefault(span, set()).update(value.marks)
    spans = {span: f"{prefix}-{number}" for number, span in enumerate(sorted(names), 1)}
    found = excerpt(
        content,
        [
            Highlight(
                *(*span, anchor),
                ", ".join(list(names[span])[:_MAX_NAMES]),
                tuple(mark for mark in _MARKS if mark in kinds[span]),
            )
            for span, anchor in spans.items()
        ],
    )
    places = {span: anchor for span, anchor in spans.items() if anchor in found.ids}
    html = Markup(found.html)  # noqa: S704 - excerpt() escapes
    return MarkedText(html, places, found.left_out)
