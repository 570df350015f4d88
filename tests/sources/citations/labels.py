"""Passages with the citations that a person found in them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import yaml

from wikicrawler.sources.citations import Citation, find_citations

FOLDER = Path(__file__).parent


class Label(NamedTuple):
    key: str
    start: int
    end: int
    ambiguous: bool


class Passage(NamedTuple):
    text: str
    title: str | None
    part: str | None
    labels: list[Label]


class Score(NamedTuple):
    f1: float
    wrong: list[str]
    """Citations that were found and have no label, and labels that were not found."""


def passages(name: str) -> list[Passage]:
    """Return the passages of a file in this folder."""
    entries = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    return [_passage(entry) for entry in entries]


def _passage(entry: dict[str, object]) -> Passage:
    text = str(entry["text"])
    title, _, part = str(entry.get("page", "")).partition("/")
    labels = []
    position = 0
    for label in entry.get("citations", []):  # type: ignore[attr-defined]
        start = text.index(label["text"], position)
        position = start + len(label["text"])
        labels.append(Label(label["key"], start, position, label.get("ambiguous", False)))
    return Passage(text, title or None, part or None, labels)


def score(of: list[Passage]) -> Score:
    """Return F1 over all citations. One is right if its key and its ambiguity are those of a label
    whose span overlaps its own."""
    right = 0
    wrong: list[str] = []
    for passage in of:
        missing = list(passage.labels)
        for found in find_citations(passage.text, part=passage.part, title=passage.title):
            label = next((each for each in missing if _is(found, each)), None)
            if label is None:
                wrong.append(f"found {found.key} in {passage.text!r}")
            else:
                missing.remove(label)
                right += 1
        wrong += [f"missed {each.key} in {passage.text!r}" for each in missing]
    return Score(2 * right / (2 * right + len(wrong)), wrong)


def _is(found: Citation, label: Label) -> bool:
    return (
        (found.key, found.ambiguous) == (label.key, label.ambiguous)
        and found.start < label.end
        and label.start < found.end
    )
