"""The pairs that the rules were not written with: recall, precision, sections and classes."""

from __future__ import annotations

import pytest

from tests.sources.changes.unseen.measuring import measure
from tests.sources.changes.unseen.reading import read

PAIRS = read()


def test_both_splits_are_large_enough() -> None:
    for split in ("dev", "held_out"):
        pairs = [pair for pair in PAIRS if pair.split == split]
        assert len(pairs) >= 140
        assert sum("unchanged" in pair.labels for pair in pairs) >= 50
        assert sum("unchanged" not in pair.labels for pair in pairs) >= 80
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("split", ["dev", "held_out"])
def test_no_change_is_missed(split: str) -> None:
    figures = measure([pair for pair in PAIRS if pair.split == split])
    assert figures.missed == []
    assert figures.precision >= 0.95, figures.false
    assert figures.sections >= 0.95, figures.wrong_sections
    assert figures.classes >= 0.95, figures.wrong_class
