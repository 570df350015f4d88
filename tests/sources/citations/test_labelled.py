"""How many of the labelled citations are found, and how many others.

The rules were written by the passages of ``seen.yml``. Nothing was changed for those of
``held_out.yml``.
"""

from __future__ import annotations

import pytest

from tests.sources.citations.labels import Label, Passage, passages, score

LEAST_F1 = 0.95


@pytest.mark.parametrize("name", ["seen.yml", "held_out.yml"])
def test_most_citations_are_found_and_few_others(name: str) -> None:
    result = score(passages(name))
    assert result.f1 >= LEAST_F1, result.wrong


def test_the_passages_are_many_and_some_cite_nothing() -> None:
    seen, held_out = passages("seen.yml"), passages("held_out.yml")
    assert len(seen) + len(held_out) >= 220
    assert sum(not passage.labels for passage in [*seen, *held_out]) >= 60
    assert {passage.text for passage in seen}.isdisjoint(passage.text for passage in held_out)


def test_the_score_counts_what_is_wrong() -> None:
    text = "See 12 CFR 1024.5 and 15 U.S.C. 1601."
    right = [Label("cfr:12/1024.5", 4, 17, False), Label("usc:15/1601", 22, 36, False)]
    assert score([Passage(text, None, None, right)]).f1 == 1
    for wrong in (
        [right[0]],
        [right[0], right[1]._replace(key="usc:15/1602")],
        [right[0], right[1]._replace(ambiguous=True)],
        [right[0], right[1]._replace(start=0, end=4)],
        [*right, Label("fr:1/20", 0, 3, False)],
    ):
        assert score([Passage(text, None, None, wrong)]).f1 < 1
