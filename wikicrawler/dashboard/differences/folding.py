"""Long stretches of lines without a change, which a reader opens only if they are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.dashboard.differences.model import Row

CONTEXT = 3
"""Lines before and behind a change that are always shown."""
_LEAST = 2
"""Lines of a stretch that is folded: one line takes no more room than its fold."""


class Fold(NamedTuple):
    """Lines without a change that are not shown at first."""

    rows: Sequence[Row]


def folded(rows: Sequence[Row]) -> Iterator[Sequence[Row] | Fold]:
    """Yield the rows of a section in stretches: shown ones, and folded ones between them."""
    shown = [False] * len(rows)
    reach = -1
    for at, row in enumerate(rows):
        if row.is_change:
            start = max(at - CONTEXT, reach + 1, 0)
            reach = min(at + CONTEXT, len(rows) - 1)
            shown[start : reach + 1] = [True] * (reach + 1 - start)
    start = 0
    last: list[Row] = []
    for at in range(len(rows) + 1):
        if at < len(rows) and shown[at] == shown[start]:
            continue
        part = rows[start:at]
        if part and not shown[start] and len(part) >= _LEAST:
            if last:
                yield last
            last = []
            yield Fold(part)
        else:
            last += part
        start = at
    if last:
        yield last
