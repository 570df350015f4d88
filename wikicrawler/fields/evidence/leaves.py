"""The values in an object, and the place in a page where they stand together."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.evidence.folding import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LEAVES = 50
MAX_SPAN = 2000
"""Characters of a page in which all values of an object stand."""


def leaves_of(value: Any) -> list[Any] | None:
    """Return the strings, numbers and booleans in *value*, any JSON; None if there are more than
    :data:`MAX_LEAVES`."""
    found: list[Any] = []
    stack = [value]
    steps = 0
    while stack:
        item = stack.pop()
        steps += 1
        if steps > 20 * MAX_LEAVES or len(found) > MAX_LEAVES:
            return None
        if isinstance(item, dict | list):
            if len(item) > 10 * MAX_LEAVES:
                return None
            stack += item.values() if isinstance(item, dict) else item
        elif item is not None:
            found.append(item)
    return found if len(found) <= MAX_LEAVES else None


def covering_span(places: Sequence[Sequence[Span]]) -> Span | None:
    """Return the shortest span that covers one place of each value; None if a value has none, or
    none is as short as :data:`MAX_SPAN`.

    Around each place of the rarest value, the nearest place of each other one is taken.
    """
    ordered = sorted((sorted(spans) for spans in places), key=len)
    if not ordered or not ordered[0]:
        return None
    best: Span | None = None
    for anchor in ordered[0]:
        near = [_nearest(spans, anchor) for spans in ordered[1:]]
        start = min([anchor.start, *(span.start for span in near)])
        end = max([anchor.end, *(span.end for span in near)])
        if end - start <= MAX_SPAN and (best is None or end - start < best.end - best.start):
            best = Span(start, end)
    return best


def _nearest(spans: Sequence[Span], to: Span) -> Span:
    index = bisect_left(spans, to)
    around = spans[max(0, index - 1) : index + 1]
    return min(around, key=lambda span: abs(span.start - to.start))
