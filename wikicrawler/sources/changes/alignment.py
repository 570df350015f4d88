"""Which section of one version is which of the other."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.changes.diff import increasing

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from wikicrawler.sources.changes.sections import Section

_SIMILAR = 0.5
"""Part of the words that a renamed section keeps at least."""
_COMPARED_WORDS = 2_000
_COMPARISONS = 2_500
"""Pairs of sections whose words are compared."""


class Alignment(NamedTuple):
    pairs: list[tuple[int, int]]
    """Indices of the same section in both versions, in the order of the old one."""
    moved: set[int]
    """Old indices of paired sections that are at another place among the others."""
    removed: list[int]
    added: list[int]


def align(old: Sequence[Section], new: Sequence[Section]) -> Alignment:
    """Pair the sections of *old* and *new*: equal ones first, then those with the same heading,
    then those with similar words."""
    pairs: dict[int, int] = {}
    keys: tuple[Callable[[Section], Hashable], ...] = (
        lambda section: (section.path, section.key),
        lambda section: section.key,
        lambda section: section.path,
        lambda section: section.path[-1:] or None,
    )
    for key in keys:
        _pair_by(key, old, new, pairs)
    _pair_similar(old, new, pairs)
    ordered = sorted(pairs.items())
    kept = set(increasing([there for _, there in ordered]))
    taken = set(pairs.values())
    return Alignment(
        ordered,
        {at for place, (at, _) in enumerate(ordered) if place not in kept},
        [at for at in range(len(old)) if at not in pairs],
        [at for at in range(len(new)) if at not in taken],
    )


def _pair_by(
    key: Callable[[Section], Hashable],
    old: Sequence[Section],
    new: Sequence[Section],
    pairs: dict[int, int],
) -> None:
    """Pair the sections that have the same *key* and no pair yet, in their order."""
    taken = set(pairs.values())
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for at, section in enumerate(new):
        if at not in taken and (value := key(section)) is not None:
            waiting[value].append(at)
    if not waiting:
        return
    for at, section in enumerate(old):
        if at not in pairs and (found := waiting.get(key(section))):
            pairs[at] = found.popleft()


def _pair_similar(old: Sequence[Section], new: Sequence[Section], pairs: dict[int, int]) -> None:
    """Pair renamed sections: those that have most of their words in common."""
    taken = set(pairs.values())
    left = [at for at in range(len(old)) if at not in pairs]
    right = [at for at in range(len(new)) if at not in taken]
    if len(left) * len(right) > _COMPARISONS:
        # Too many to compare each with each: only those at the same place.
        candidates = list(zip(left, right, strict=False))[:_COMPARISONS]
    else:
        candidates = [(at, there) for at in left for there in right]
    counts: dict[tuple[int, int], Counter[str]] = {}

    def counted(side: int, at: int, section: Section) -> Counter[str]:
        if (side, at) not in counts:
            counts[side, at] = Counter(section.key[:_COMPARED_WORDS])
        return counts[side, at]

    scores = []
    for at, there in candidates:
        score = _similarity(counted(0, at, old[at]), counted(1, there, new[there]))
        if len(old[at].blocks) == len(new[there].blocks) == 1 and pairs.get(at + 1) == there + 1:
            score = max(score, _SIMILAR)  # a heading alone, above the same section
        if score >= _SIMILAR:
            scores.append((-score, abs(at - there), at, there))
    for _, _, at, there in sorted(scores):
        if at not in pairs and there not in taken:
            pairs[at] = there
            taken.add(there)


def _similarity(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
