"""Names that somebody mistyped."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_LENGTH = 100


def similarity(one: str, other: str, at_least: float = 0.0) -> float:
    """Return how similar two names are, from 0 to 1; 0 if they are less similar than *at_least*."""
    one, other = one[:_MAX_LENGTH], other[:_MAX_LENGTH]
    # Upper bounds, each cheaper than what follows it: most names have little in common.
    length = len(one) + len(other)
    if length and 2.0 * min(len(one), len(other)) / length < at_least:
        return 0.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    ratio = matcher.ratio() if matcher.quick_ratio() >= at_least else 0.0
    return ratio if ratio >= at_least else 0.0


def nearest(name: str, known: Iterable[str], at_least: float = 0.6) -> str | None:
    """Return the name in *known* that is most similar to *name*; None if none is similar enough."""
    score, found = max(((similarity(name, one, at_least), one) for one in known), default=(0.0, ""))
    return found if score >= at_least else None
