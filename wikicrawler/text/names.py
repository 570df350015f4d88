"""Names that somebody mistyped."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_LENGTH = 100


def similarity(one: str, other: str) -> float:
    """Return how similar two names are, from 0 to 1."""
    return SequenceMatcher(None, one[:_MAX_LENGTH], other[:_MAX_LENGTH], autojunk=False).ratio()


def nearest(name: str, known: Iterable[str], at_least: float = 0.6) -> str | None:
    """Return the name in *known* that is most similar to *name*; None if none is similar enough."""
    score, found = max(((similarity(name, one), one) for one in known), default=(0.0, ""))
    return found if score >= at_least else None
