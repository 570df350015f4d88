"""The order of candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.sources import source
from wikicrawler.reports.ranking import merge_equal, prioritize

if TYPE_CHECKING:
    from wikicrawler.reports.models import SourceRef

_SOURCES = st.builds(
    source,
    url=st.sampled_from([f"https://x.example/{one}" for one in "abc"]),
    tier=st.integers(1, 3),
    priority_score=st.integers(0, 100),
    content_type=st.sampled_from(["application/pdf", "text/html"]),
    provider=st.sampled_from(["one", "two", "three"]),
)


def test_a_better_tier_comes_before_a_better_score() -> None:
    third, first, second = (
        source(tier=2, priority_score=10),
        source(tier=1, priority_score=20),
        source(tier=1, priority_score=50),
    )
    assert prioritize([third, second, first]) == [first, second, third]


def test_there_may_be_no_candidates() -> None:
    assert prioritize([]) == []


@given(st.lists(_SOURCES, max_size=30))
def test_the_order_is_that_of_a_sort_by_insertion(candidates: list[SourceRef]) -> None:
    expected: list[tuple[int, int, int]] = []
    for at, one in enumerate(candidates):
        key = (one.tier, one.priority_score, at)
        place = sum(known < key for known in expected)
        expected.insert(place, key)
    assert prioritize(candidates) == [candidates[at] for _, _, at in expected]


@given(st.lists(_SOURCES, max_size=30), st.randoms())
def test_the_order_of_the_keys_does_not_depend_on_the_order_of_the_candidates(
    candidates: list[SourceRef], random: object
) -> None:
    shuffled = list(candidates)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    keys = [
        [(one.tier, one.priority_score) for one in prioritize(c)] for c in (candidates, shuffled)
    ]
    assert keys[0] == keys[1]


@given(st.lists(_SOURCES, max_size=30))
def test_equal_documents_are_one_candidate_at_the_best_place(candidates: list[SourceRef]) -> None:
    merged = merge_equal(candidates)
    keys = [(one.url, one.content_type) for one in merged]
    assert len(set(keys)) == len(keys)
    assert set(keys) == {(one.url, one.content_type) for one in candidates}
    for kept in merged:
        equal = [c for c in candidates if (c.url, c.content_type) == (kept.url, kept.content_type)]
        assert (kept.tier, kept.priority_score) == min((c.tier, c.priority_score) for c in equal)
    assert merge_equal(merged) == merged


def test_facts_at_one_address_are_two_documents_for_two_filings() -> None:
    facts = [source(accession=one, content_type="application/json") for one in ("1", "2")]
    assert merge_equal(facts) == facts


def test_references_without_an_address_are_not_compared() -> None:
    both = [source(url=None), source(url=None)]
    assert len(merge_equal(both)) == 2


@pytest.mark.parametrize(
    "bad", [{"tier": 0}, {"tier": 4}, {"priority_score": 101}, {"access": "x"}]
)
def test_a_reference_out_of_bounds_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        source(**bad)
