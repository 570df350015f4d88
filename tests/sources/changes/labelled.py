"""The labelled pairs, and how many of them the comparison gets right.

Run as a program, it prints the figures: ``python -m tests.sources.changes.labelled [--failures]``.
"""

# ruff: noqa: E501 - tables of examples

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import yaml

from wikicrawler.sources.changes import change_hash, compare

PAIRS = Path(__file__).parent / "pairs"


class Pair(NamedTuple):
    name: str
    split: str
    label: str
    old: str
    new: str
    sections: frozenset[tuple[tuple[str, ...], str]]


@dataclass
class Figures:
    pairs: int = 0
    substantive: int = 0
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    wrong_label: list[str] = field(default_factory=list)
    wrong_sections: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / self.substantive

    @property
    def precision(self) -> float:
        found = self.substantive - len(self.missed)
        return found / (found + len(self.false))

    @property
    def sections(self) -> float:
        """Share of the substantive pairs whose sections and actions are those expected."""
        return 1 - len(self.wrong_sections) / self.substantive

    @property
    def labels(self) -> float:
        return 1 - len(self.wrong_label) / self.pairs


def read() -> list[Pair]:
    """Return all labelled pairs."""
    return [
        Pair(
            pair["name"],
            file["split"],
            pair["label"],
            pair["old"],
            pair["new"],
            frozenset((tuple(part["headings"]), part["action"]) for part in pair["sections"]),
        )
        for path in sorted(PAIRS.glob("*.yml"))
        for file in [yaml.safe_load(path.read_text(encoding="utf-8"))]
        for pair in file["pairs"]
    ]


def measure(pairs: list[Pair]) -> Figures:
    """Compare the versions of each of the *pairs*."""
    figures = Figures(len(pairs), sum(pair.label == "substantive" for pair in pairs))
    for pair in pairs:
        change = compare(pair.old, pair.new)
        found = change.kind if change else "unchanged"
        assert (change is None) == (change_hash(pair.old) == change_hash(pair.new))
        if found != pair.label:
            figures.wrong_label.append(f"{pair.name}: {found}")
        if pair.label == "substantive":
            if found != "substantive":
                figures.missed.append(pair.name)
            parts = (
                frozenset((part.headings, part.action) for part in change.sections)
                if change
                else frozenset()
            )
            if parts != pair.sections:
                figures.wrong_sections.append(
                    f"{pair.name}: {sorted(parts)} not {sorted(pair.sections)}"
                )
        elif found == "substantive":
            figures.false.append(pair.name)
    return figures


if __name__ == "__main__":
    every = read()
    for split in ("seen", "held_out", "later"):
        if split in sys.argv or len(sys.argv) == 1:
            figures = measure([pair for pair in every if pair.split == split])
            print(  # noqa: T201
                f"{split}: {figures.pairs} pairs, recall {figures.recall:.3f}, precision "
                f"{figures.precision:.3f}, sections {figures.sections:.3f}, labels {figures.labels:.3f}"
            )
            if "--failures" in sys.argv:
                for line in (
                    figures.missed + figures.false + figures.wrong_label + figures.wrong_sections
                ):
                    print("  ", line)  # noqa: T201
