"""The pairs by a sixth author, which no rule was written with: no change is missed."""

from __future__ import annotations

from tests.sources.changes.sixth import DOCUMENTS
from tests.sources.changes.unseen.measuring import measure
from tests.sources.changes.unseen.reading import read

PAIRS = read(DOCUMENTS)


def test_the_set_is_large_enough() -> None:
    assert len(PAIRS) >= 290
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)


def test_no_change_is_missed() -> None:
    figures = measure(PAIRS)
    assert figures.missed == []
    # As at first sight: much of its noise is text that only a later visit can tell from the page's.
    assert figures.precision >= 0.60, figures.false
    assert figures.sections >= 0.60, figures.wrong_sections
