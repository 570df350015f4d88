"""A citation, and what a reader finds before its place in the Markdown is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that cites a text."""

    key: str
    """What is cited: ``cfr:12/1024.5(b)``, ``usc:42/3601``. Equal for all ways to write it."""
    text: str
    """The passage, with its Markdown."""
    start: int
    end: int
    ambiguous: bool = False
    """Several texts have this name, or its part is unknown (``?`` in the key)."""


class Found(NamedTuple):
    """A citation in a text without markup."""

    key: str
    start: int
    end: int
    ambiguous: bool = False


class Reading(NamedTuple):
    """What a reader made of the text at an anchor."""

    found: list[Found]
    end: int
    """Where the search goes on."""
