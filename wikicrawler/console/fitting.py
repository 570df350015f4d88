"""A line of text that fits the width of a terminal without a word or number being cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_SEPARATOR = " | "


class Form(NamedTuple):
    """One way to write a part of the line."""

    text: str
    rank: int
    """Which forms are given up first: those with the lowest rank."""


Part = tuple[Form, ...]
"""The forms of a part of the line, from the longest to the shortest. After the last one the part is
left out."""


def fit(parts: Sequence[Part], width: int) -> str:
    """Return the *parts* as one line of at most *width* columns, in their order.

    While the line is too long, the form with the lowest rank is replaced by the part's next one.
    """
    from rich.cells import cell_len  # noqa: PLC0415 - only on a terminal

    left = [part for part in parts if part]
    while left:
        line = _SEPARATOR.join(part[0].text for part in left)
        if cell_len(line) <= width:
            return line
        least = min(range(len(left)), key=lambda index: left[index][0].rank)
        shorter = left[least][1:]
        left[least : least + 1] = [shorter] if shorter else []
    return ""
