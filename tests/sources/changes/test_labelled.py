"""The labelled pairs: recall, precision and sections of each split."""

from __future__ import annotations

import pytest

from tests.sources.changes.labelled import measure, read

PAIRS = read()


def test_the_set_is_large_enough() -> None:
    labels = [pair.label for pair in PAIRS]
    assert labels.count("unchanged") >= 45
    assert labels.count("substantive") >= 45
    assert labels.count("cosmetic") >= 5
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)
    assert all(pair.old != pair.new for pair in PAIRS)


@pytest.mark.parametrize("split", ["seen", "held_out", "later"])
def test_no_substantive_change_is_missed(split: str) -> None:
    figures = measure([pair for pair in PAIRS if pair.split == split])
    assert figures.missed == []
    assert figures.precision >= 0.95, figures.false
    assert figures.sections >= 0.95, figures.wrong_sections
    assert figures.labels >= 0.95, figures.wrong_label
