"""The pairs by another author: recall, precision, sections and classes."""

from __future__ import annotations

from pathlib import Path

from tests.sources.changes.unseen.measuring import measure
from tests.sources.changes.unseen.reading import read

PAIRS = read(Path(__file__).parent / "documents")


def test_the_set_is_large_enough() -> None:
    assert len(PAIRS) >= 200
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)


def test_no_change_is_missed() -> None:
    figures = measure(PAIRS)
    assert figures.missed == []
    assert figures.precision >= 0.95, figures.false
    assert figures.sections >= 0.95, figures.wrong_sections
    assert figures.classes >= 0.95, figures.wrong_class
