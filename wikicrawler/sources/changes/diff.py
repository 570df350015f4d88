"""Word-level differences, bounded in time and memory.

RapidFuzz finds the longest common subsequence by bit-parallel operations: 64 comparisons at a time,
with one bit of memory each. Sequences beyond the bound are first split at runs of words that occur
once in both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CELLS = 100_000_000
"""Comparisons of one call: 12 MB of memory, 20 ms."""
_ALL_CELLS = 2_000_000_000
"""Comparisons for two documents."""
_RUN = 4
"""Words of a run that splits a sequence."""


class Edit(NamedTuple):
    """Words of the old sequence that are replaced by words of the new one."""

    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(slots=True)
class Budget:
    cells: int = _ALL_CELLS
    exceeded: bool = False
    """True if a difference is not the shortest one, for lack of time."""

    def take(self, cells: int) -> bool:
        """Return True if *cells* comparisons are allowed, and count them."""
        if cells > min(_CELLS, self.cells):
            return False
        self.cells -= cells
        return True


def edits(old: Sequence[str], new: Sequence[str], budget: Budget) -> list[Edit]:
    """Return the edits that turn *old* into *new*."""
    numbers: dict[str, int] = {}
    one = [numbers.setdefault(word, len(numbers)) for word in old]
    other = [numbers.setdefault(word, len(numbers)) for word in new]
    found: list[Edit] = []
    for edit in _edits(one, other, 0, 0, budget, split=True):
        if found and found[-1].old[1] == edit.old[0] and found[-1].new[1] == edit.new[0]:
            last = found.pop()
            edit = Edit((last.old[0], edit.old[1]), (last.new[0], edit.new[1]))  # noqa: PLW2901
        found.append(edit)
    return found


def _edits(
    old: list[int], new: list[int], at: int, there: int, budget: Budget, *, split: bool
) -> Iterator[Edit]:
    """Yield the edits between two sequences that begin at *at* and *there* of the documents."""
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    at, there = at + start, there + start
    whole = Edit((at, at + len(old)), (there, there + len(new)))
    if not old and not new:
        return
    if not old or not new:
        yield whole
    elif budget.take(len(old) * len(new)):
        for code in LCSseq.opcodes(old, new):
            if code.tag != "equal":
                yield Edit(
                    (at + code.src_start, at + code.src_end),
                    (there + code.dest_start, there + code.dest_end),
                )
    elif split and (anchors := _anchors(old, new)):
        before = later = 0
        for one, other in [*anchors, (len(old), len(new))]:
            gap = old[before:one], new[later:other]
            yield from _edits(*gap, at + before, there + later, budget, split=False)
            before, later = one, other
    else:
        budget.exceeded = True
        yield whole


def _anchors(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    """Where runs of words that occur once in both sequences begin, in the order of both."""
    once, other = _unique(old), _unique(new)
    pairs = [(at, other[run]) for run, at in once.items() if run in other]
    return [pairs[at] for at in increasing([there for _, there in pairs])]


def _unique(words: list[int]) -> dict[tuple[int, ...], int]:
    runs = list(zip(*(words[at:] for at in range(_RUN)), strict=False))
    counts = Counter(runs)
    return {run: at for at, run in enumerate(runs) if counts[run] == 1}


def increasing(numbers: Sequence[int]) -> list[int]:
    """Return the indices of a longest increasing subsequence of different *numbers*."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, number in enumerate(numbers):
        place = bisect_left(tails, number)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(number)
            ends.append(at)
        else:
            tails[place] = number
            ends[place] = at
    found: list[int] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    return found[::-1]
