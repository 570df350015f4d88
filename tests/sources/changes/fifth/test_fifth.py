"""The pairs by a fifth author: no change is missed, whatever noise there is beside it."""

from __future__ import annotations

from tests.sources.changes.fifth import DOCUMENTS
from tests.sources.changes.unseen.measuring import measure
from tests.sources.changes.unseen.reading import read

PAIRS = read(DOCUMENTS)


def test_the_set_is_large_enough() -> None:
    assert len(PAIRS) >= 400
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)


def test_no_change_is_missed() -> None:
    figures = measure(PAIRS)
    assert figures.missed == []
    assert figures.precision >= 0.95, figures.false
    assert figures.sections >= 0.95, figures.wrong_sections
    assert figures.classes >= 0.95, figures.wrong_class
