"""Recall and precision by kind, for a page and for a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Hashable, Iterable, Mapping

KINDS = (
    "headings",
    "cells",
    "links",
    "lists",
    "definitions",
    "code",
    "breaks",
    "words",
    "symbols",
    "shingles",
    "chrome",
)


@dataclass(slots=True)
class Score:
    """Counts of elements: of *expected* in the page, *found* are in the Markdown; of *given* in the
    Markdown, *right* are in the page. For chrome, *found* counts what leaked."""

    found: int = 0
    expected: int = 0
    right: int = 0
    given: int = 0

    @property
    def recall(self) -> float:
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else 1.0

    @property
    def leaked(self) -> float:
        return self.found / self.expected if self.expected else 0.0

    def __iadd__(self, other: Score) -> Score:
        self.found += other.found
        self.expected += other.expected
        self.right += other.right
        self.given += other.given
        return self


Thing = TypeVar("Thing", bound="Hashable")


def multiset(
    least: Counter[Thing], most: Counter[Thing], shown: Counter[Thing]
) -> tuple[Score, Counter[Thing], Counter[Thing]]:
    """Return the score of *shown*, and the missing and the extra elements.

    Each element must occur at least as often as in *least* and at most as often as in *most*.
    """
    missing, extra = least - shown, shown - most
    expected, given = least.total(), shown.total()
    score = Score(expected - missing.total(), expected, given - extra.total(), given)
    return score, missing, extra


def total(scores: Iterable[Mapping[str, Score]]) -> dict[str, Score]:
    result = {kind: Score() for kind in KINDS}
    for page in scores:
        for kind, score in page.items():
            result[kind] += score
    return result


def table(scores: Mapping[str, Mapping[str, Score]]) -> str:
    """Return a Markdown table of recall / precision, with a row by kind and a column by name."""
    lines = [
        "| | " + " | ".join(scores) + " |",
        "|---" * (len(scores) + 1) + "|",
    ]
    for kind in KINDS:
        cells = [_shown(kind, column[kind]) for column in scores.values()]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _shown(kind: str, score: Score) -> str:
    if kind == "chrome":
        return f"{score.leaked:.4f} leaked of {score.expected}"
    return f"{score.recall:.4f} / {score.precision:.4f} of {score.expected}"
