"""The rows of two sections: which line became which one, and which words of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.dashboard.differences.model import Row, Run
from wikicrawler.dashboard.differences.parts import words
from wikicrawler.sources.changes.diff import Budget, edits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.dashboard.differences.model import RunKind

_ALIKE = 0.3
"""Share of words that two lines have in common to be versions of one line."""
_MAX_TABLE = 2_500
"""Comparisons of the lines of one replaced block by each other."""


@dataclass(slots=True)
class Effort(Budget):
    """What the comparison of two documents may still take."""

    pairs: int = 40_000
    """Comparisons of lines of replaced blocks by each other."""

    def take_pairs(self, number: int) -> bool:
        """Return True if *number* pairs of lines may be compared, and count them."""
        if number > min(_MAX_TABLE, self.pairs):
            return False
        self.pairs -= number
        return True


def rows(
    old: Sequence[str], new: Sequence[str], starts: tuple[int, int], budget: Effort
) -> Iterator[Row]:
    """Yield the rows of two sections whose first lines are at *starts* of their documents."""
    at = there = 0
    for edit in edits(old, new, budget):
        yield from _same(old[at : edit.old[0]], at + starts[0], there + starts[1])
        yield from _replaced(
            old[slice(*edit.old)],
            new[slice(*edit.new)],
            (edit.old[0] + starts[0], edit.new[0] + starts[1]),
            budget,
        )
        at, there = edit.old[1], edit.new[1]
    yield from _same(old[at:], at + starts[0], there + starts[1])


def one_sided(kind: RunKind, lines: Sequence[str], start: int) -> Iterator[Row]:
    """Yield the rows of *lines* that only the old or only the new version has."""
    for number, line in enumerate(lines, start + 1):
        run = (Run(kind, line),)
        if kind == "removed":
            yield Row("removed", number, None, run, ())
        else:
            yield Row("added", None, number, (), run)


def _same(lines: Sequence[str], old: int, new: int) -> Iterator[Row]:
    for at, line in enumerate(lines, 1):
        run = (Run("same", line),)
        yield Row("same", old + at, new + at, run, run)


def _replaced(
    old: Sequence[str], new: Sequence[str], starts: tuple[int, int], budget: Effort
) -> Iterator[Row]:
    at = there = 0
    for one, other in [*_pairs(old, new, budget), (len(old), len(new))]:
        yield from one_sided("removed", old[at:one], at + starts[0])
        yield from one_sided("added", new[there:other], there + starts[1])
        if one < len(old) and other < len(new):
            numbers = one + starts[0] + 1, other + starts[1] + 1
            yield _changed(old[one], new[other], numbers, budget)
        at, there = one + 1, other + 1


def _pairs(old: Sequence[str], new: Sequence[str], budget: Effort) -> list[tuple[int, int]]:
    """Return which lines of a replaced block are versions of each other, in the order of both.

    The sum of what they have in common is as large as it can be. A block that is too large for
    that, with the same number of lines on both sides, is compared line by line.
    """
    if not old or not new:
        return []
    table = budget.take_pairs(len(old) * len(new))
    if not table and len(old) != len(new):
        return []
    bags = [_bag(line) for line in old], [_bag(line) for line in new]
    if not table:
        return [
            (at, at) for at, both in enumerate(zip(*bags, strict=True)) if _alike(*both) >= _ALIKE
        ]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    likes = [[_alike(one, other) for other in bags[1]] for one in bags[0]]
    for at in reversed(range(len(old))):
        for there in reversed(range(len(new))):
            like = likes[at][there]
            together = like + best[at + 1][there + 1] if like >= _ALIKE else 0.0
            best[at][there] = max(together, best[at + 1][there], best[at][there + 1])
    found, at, there = [], 0, 0
    while at < len(old) and there < len(new):
        like = likes[at][there]
        if like >= _ALIKE and best[at][there] == like + best[at + 1][there + 1]:
            found.append((at, there))
            at, there = at + 1, there + 1
        elif best[at][there] == best[at + 1][there]:
            at += 1
        else:
            there += 1
    return found


def _bag(line: str) -> Counter[str]:
    return Counter(word for word in words(line[:5_000]) if not word.isspace())


def _alike(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that two lines have in common."""
    total = one.total() + other.total()
    if not total:
        return 1.0
    if len(one) > len(other):
        one, other = other, one
    both = sum(min(count, other[word]) for word, count in one.items() if word in other)
    return 2 * both / total


def _changed(old: str, new: str, numbers: tuple[int, int], budget: Effort) -> Row:
    before, after = words(old), words(new)
    left: list[Run] = []
    right: list[Run] = []
    at = there = 0
    for edit in _joined(edits(before, after, budget), before):
        same = "".join(before[at : edit[0][0]])
        _add(left, "same", same)
        _add(right, "same", same)
        _add(left, "removed", "".join(before[slice(*edit[0])]))
        _add(right, "added", "".join(after[slice(*edit[1])]))
        at, there = edit[0][1], edit[1][1]
    _add(left, "same", "".join(before[at:]))
    _add(right, "same", "".join(after[there:]))
    return Row("changed", *numbers, tuple(left), tuple(right))


def _joined(
    found: Sequence[tuple[tuple[int, int], tuple[int, int]]], before: Sequence[str]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the edits, those as one between which there is nothing but white space."""
    last: tuple[tuple[int, int], tuple[int, int]] | None = None
    for old, new in found:
        if last and all(word.isspace() for word in before[last[0][1] : old[0]]):
            last = (last[0][0], old[1]), (last[1][0], new[1])
            continue
        if last:
            yield last
        last = old, new
    if last:
        yield last


def _add(runs: list[Run], kind: RunKind, text: str) -> None:
    if text:
        runs.append(Run(kind, text))
