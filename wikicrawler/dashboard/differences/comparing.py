"""The comparison of two versions of a Markdown text, bounded in time and size."""

from __future__ import annotations

from wikicrawler.dashboard.differences.lines import Effort, one_sided, rows
from wikicrawler.dashboard.differences.model import Difference, SectionDifference, SectionKind
from wikicrawler.dashboard.differences.pairing import moved, paired
from wikicrawler.dashboard.differences.parts import Section, sections

MAX_CHARACTERS = 500_000
"""Characters of each version that are compared."""
MAX_LINES = 10_000
_CELLS = 150_000_000
"""Comparisons of words and lines by the bit-parallel method."""


def compare(old: str, new: str) -> Difference:
    """Return what is different between the Markdown texts *old* and *new*.

    Sections are compared line by line, and lines that are versions of each other word by word.
    Ends of lines, white space behind them and empty lines do not count. Texts beyond 500,000
    characters or 10,000 lines are cut, which a notice says.
    """
    notices: list[str] = []
    before = sections(_lines(old, "old", notices))
    after = sections(_lines(new, "new", notices))
    budget = Effort(_CELLS)
    found = tuple(_sections(before, after, budget))
    if budget.exceeded:
        notices.append(
            "Some long passages are shown as replaced as a whole: comparing their words would take "
            "too long."
        )
    return Difference(found, tuple(notices))


def _lines(text: str, which: str, notices: list[str]) -> list[str]:
    lines = text[:MAX_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(text) > MAX_CHARACTERS:
        notices.append(
            f"Only the first {MAX_CHARACTERS} of {len(text)} characters of the {which} version are "
            "compared."
        )
    if len(lines) > MAX_LINES:
        notices.append(
            f"Only the first {MAX_LINES} of {len(lines)} lines of the {which} version are compared."
        )
    lines = [line.rstrip() for line in lines[:MAX_LINES]]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _sections(old: list[Section], new: list[Section], budget: Effort) -> list[SectionDifference]:
    pairs = paired(old, new)
    out_of_order = moved(pairs)
    kept = set(pairs.values())
    # A removed section stands behind the pair of the section before it.
    removed: dict[int, list[int]] = {}
    after = -1
    for place in range(len(old)):
        if place in kept:
            after = place
        else:
            removed.setdefault(after, []).append(place)
    found = [_removed(old, place) for place in removed.pop(-1, [])]
    for place, section in enumerate(new):
        if place not in pairs:
            lines = tuple(one_sided("added", section.lines, section.start))
            found.append(SectionDifference("added", section.heading, None, lines, None, place + 1))
            continue
        other = old[pairs[place]]
        both = tuple(rows(other.lines, section.lines, (other.start, section.start), budget))
        different = any(row.is_change for row in both)
        kind: SectionKind = (
            "moved" if place in out_of_order else "changed" if different else "unchanged"
        )
        found.append(
            SectionDifference(
                kind, section.heading, other.heading, both, pairs[place] + 1, place + 1
            )
        )
        found += [_removed(old, gone) for gone in removed.pop(pairs[place], [])]
    return found


def _removed(old: list[Section], place: int) -> SectionDifference:
    section = old[place]
    lines = tuple(one_sided("removed", section.lines, section.start))
    return SectionDifference("removed", section.heading, section.heading, lines, place + 1, None)
