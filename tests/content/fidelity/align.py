"""Alignment of tables, rows and headings of the page with those of the Markdown."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from tests.content.fidelity.grid import EMPTY, Cell, Grid, Table, flat

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

_AHEAD = 12
"""Number of tables in the Markdown that are searched for the counterpart of a table."""
_MAX_PAIRS = 40_000


def in_order(expected: Sequence[Hashable], shown: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of indices at which both have equal elements, in the same order."""
    matcher = SequenceMatcher(a=expected, b=shown, autojunk=False)
    return [
        (a + step, b + step) for a, b, size in matcher.get_matching_blocks() for step in range(size)
    ]


def tables(expected: Sequence[Table], shown: Sequence[Table]) -> list[tuple[Table, Table | None]]:
    """Pair each table of the page with the table of the Markdown that has most of its words."""
    left = list(shown)
    pairs: list[tuple[Table, Table | None]] = []
    for table in expected:
        texts = _words(table)
        best, most = None, 0
        for place, candidate in enumerate(left[:_AHEAD]):
            common = (texts & _words(candidate)).total()
            if common > most:
                best, most = place, common
        pairs.append((table, left.pop(best) if best is not None else None))
    return pairs


def _words(table: Table) -> Counter[str]:
    return Counter(word for cell in flat(table.grid) for word in cell.words or (cell.key,))


def cells(expected: Grid, shown: Grid) -> Iterator[tuple[Cell, Cell | None]]:
    """Yield each cell of the page that has text, with the cell that shows it in the Markdown.

    Optional cells that are blank in the Markdown are left out.
    """
    matched = {
        row: other
        for start, other_start, rows in _blocks(expected, shown)
        for row, other in zip(rows, range(other_start, len(shown)), strict=False)
        if row >= start
    }
    for y, row in enumerate(expected):
        other = shown[matched[y]] if y in matched else []
        for x, cell in enumerate(row):
            if cell.key:
                twin = other[x] if x < len(other) else EMPTY
                if twin.key or not cell.optional:
                    yield cell, twin if cell.shown_by(twin) else None


def _blocks(expected: Grid, shown: Grid) -> Iterator[tuple[int, int, range]]:
    """Yield runs of corresponding rows: equal rows, and the best pairs of the rows in between."""
    matcher = SequenceMatcher(a=_keys(expected), b=_keys(shown), autojunk=False)
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        if kind == "equal":
            yield a, b, range(a, a_end)
        elif kind == "replace":
            if (a_end - a) * (b_end - b) > _MAX_PAIRS:
                yield a, b, range(a, min(a_end, a + b_end - b))
                continue
            for row, other in _pair(expected[a:a_end], shown[b:b_end]):
                yield a + row, b + other, range(a + row, a + row + 1)


def _keys(grid: Grid) -> list[tuple[str, ...]]:
    return [tuple(cell.key for cell in row) for row in grid]


def _pair(expected: Grid, shown: Grid) -> list[tuple[int, int]]:
    """Return the pairs of rows, in order, with the most equal cells."""
    same = [[_alike(row, other) for other in shown] for row in expected]
    best = [[0] * (len(shown) + 1) for _ in range(len(expected) + 1)]
    for a in range(len(expected) - 1, -1, -1):
        for b in range(len(shown) - 1, -1, -1):
            best[a][b] = max(best[a + 1][b], best[a][b + 1], same[a][b] + best[a + 1][b + 1])
    pairs, a, b = [], 0, 0
    while a < len(expected) and b < len(shown):
        if same[a][b] and best[a][b] == same[a][b] + best[a + 1][b + 1]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif best[a][b] == best[a + 1][b]:
            a += 1
        else:
            b += 1
    return pairs


def _alike(row: Sequence[Cell], other: Sequence[Cell]) -> int:
    return sum(
        cell != EMPTY and cell.shown_by(place) for cell, place in zip(row, other, strict=False)
    )
