"""How many of the pairs the comparison gets right.

Run as a program, it prints the figures and what is wrong:
``python -m tests.sources.changes.unseen.measuring dev|held_out``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from tests.sources.changes.unseen.reading import Pair, Sections, plain_headings, read
from wikicrawler.sources.changes import Change, change_hash, compare


@dataclass
class Figures:
    """A change is found if the change hashes differ and the class is the labelled one."""

    pairs: int = 0
    changed: int = 0
    missed: list[str] = field(default_factory=list)
    """Changes that leave the change hash as it was, and substantive ones called cosmetic."""
    false: list[str] = field(default_factory=list)
    """Noise that changes the change hash."""
    wrong_class: list[str] = field(default_factory=list)
    judged: int = 0
    wrong_sections: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / self.changed

    @property
    def precision(self) -> float:
        found = self.changed - len(self.missed)
        return found / (found + len(self.false))

    @property
    def sections(self) -> float:
        """Share of the judged substantive pairs with exactly the labelled sections and actions."""
        return 1 - len(self.wrong_sections) / self.judged

    @property
    def classes(self) -> float:
        return 1 - len(self.wrong_class) / self.pairs


def measure(pairs: list[Pair]) -> Figures:
    """Compare the versions of each of the *pairs*."""
    figures = Figures(len(pairs))
    for pair in pairs:
        change = compare(pair.old, pair.new)
        assert (change is None) == (change_hash(pair.old) == change_hash(pair.new))
        found = change.kind if change else "unchanged"
        if found not in pair.labels:
            figures.wrong_class.append(f"{pair.name}: {found}")
        if "unchanged" in pair.labels:
            if found not in pair.labels:
                figures.false.append(pair.name)
            continue
        figures.changed += 1
        if found == "unchanged" or (found == "cosmetic" and "substantive" in pair.labels):
            figures.missed.append(pair.name)
        if pair.sections:
            figures.judged += 1
            reported = _sections(change)
            if not any(_agree(reported, plain_headings(right)) for right in pair.sections):
                figures.wrong_sections.append(
                    f"{pair.name}: {sorted(reported)} not {sorted(pair.sections[0])}"
                )
    return figures


def _sections(change: Change | None) -> Sections:
    if change is None:
        return frozenset()
    return plain_headings(frozenset((part.headings, part.action) for part in change.sections))


def _agree(reported: Sections, right: Sections) -> bool:
    """A labelled heading ``*9.3`` stands for a path whose last heading begins with ``9.3``."""
    if len(reported) != len(right):
        return False
    return all(
        any(action == other and _same_path(path, labelled) for labelled, other in right)
        for path, action in reported
    )


def _same_path(path: tuple[str, ...], labelled: tuple[str, ...]) -> bool:
    if labelled and labelled[0].startswith("*"):
        return bool(path) and path[-1].startswith(labelled[0][1:])
    return path == labelled


if __name__ == "__main__":
    for split in sys.argv[1:]:
        figures = measure([pair for pair in read() if pair.split == split])
        print(  # noqa: T201
            f"{split}: {figures.pairs} pairs, {figures.changed} changes, recall"
            f" {figures.recall:.3f}, precision {figures.precision:.3f}, sections"
            f" {figures.sections:.3f} of {figures.judged}, classes {figures.classes:.3f}"
        )
        for title in ("missed", "false", "wrong_class", "wrong_sections"):
            for line in getattr(figures, title):
                print(f"  {title}: {line}")  # noqa: T201
