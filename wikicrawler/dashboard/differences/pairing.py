"""Which section of the new version is which one of the old version."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from wikicrawler.sources.changes.diff import increasing

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from wikicrawler.dashboard.differences.parts import Section

Pairs = dict[int, int]
"""Places of old sections by those of new ones."""


def paired(old: Sequence[Section], new: Sequence[Section]) -> Pairs:
    """Return the pairs of sections: those that are equal, then those with the same headings above
    them, then those with the same text, and last what alone stands between two pairs."""
    pairs: Pairs = {}
    paths = _paths(old), _paths(new)
    keys: list[Callable[[int, int], Hashable]] = [
        lambda side, at: (paths[side][at], (old, new)[side][at].body),
        lambda side, at: paths[side][at],
        lambda side, at: (old, new)[side][at].body or None,
    ]
    for key in keys:
        _pair(pairs, len(old), len(new), key)
    _pair_alone(pairs, old, new)
    return pairs


def moved(pairs: Pairs) -> set[int]:
    """Return the places of new sections that are not in the order of the old ones, as few as
    possible."""
    places = sorted(pairs)
    stays = {places[at] for at in increasing([pairs[place] for place in places])}
    return set(places) - stays


def _paths(sections: Sequence[Section]) -> list[tuple[str, ...]]:
    """Return the headings from the top to each section; those that come again are not unique."""
    above: list[tuple[int, str]] = []
    found = []
    for section in sections:
        while above and above[-1][0] >= section.level:
            above.pop()
        above.append((section.level, section.heading))
        found.append(tuple(heading for _, heading in above))
    return found


def _pair(pairs: Pairs, old: int, new: int, key: Callable[[int, int], Hashable]) -> None:
    """Pair the sections without a pair that have the same *key* (of a side and a place), in their
    order; those whose key is None not at all."""
    taken = set(pairs.values())
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for place in reversed(range(old)):
        if place not in taken:
            waiting[key(0, place)].append(place)
    for place in range(new):
        if place in pairs:
            continue
        wanted = key(1, place)
        if wanted is not None and waiting.get(wanted):
            pairs[place] = waiting[wanted].pop()


def _pair_alone(pairs: Pairs, old: Sequence[Section], new: Sequence[Section]) -> None:
    """Pair a new section with the old one at its place if both have the same level, their
    neighbours before are a pair, and so are those behind: its heading is another one now."""
    taken = set(pairs.values())
    for place, section in enumerate(new):
        if place in pairs or not section.level:
            continue
        other = pairs.get(place - 1, -1) + 1 if place else 0
        if other in taken or other >= len(old) or old[other].level != section.level:
            continue
        behind = pairs.get(place + 1)
        if behind == other + 1 or (place + 1 == len(new) and other + 1 == len(old)):
            pairs[place] = other
            taken.add(other)
