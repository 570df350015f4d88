"""Stored sums, compared with sums over all attempts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.pages import NOW, assert_same_segments, attempts, page, segment_sums
from wikicrawler.learning.model.evidence import WEIGHT_AFTER_CHANGE, Evidence, Group
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.sums import HALF_LIFE, LEVELS, Changed, Sums, sum_observations


def close(stored: Sums, summed: Sums) -> bool:
    return stored == pytest.approx(summed, abs=1e-9, rel=1e-9)


def assert_same_as_brute_force(evidence: Evidence, made, changes: list[Changed], now: float):
    rows = [row for _, row in made]
    for features in {features for features, _ in made}:
        for tier in ("mediawiki", "http", "browser"):
            stored = evidence.sums(features, tier, now)
            for names, sums in zip(LEVELS, stored, strict=True):
                shared = {name: features.named()[name] for name in names}
                assert close(sums, sum_observations(rows, tier, shared, now, changes))
            kept = evidence.segments.sums(features, tier, now)
            assert_same_segments(kept, segment_sums(rows, tier, features, now))


@settings(max_examples=20)
@given(number=st.integers(1, 300), seed=st.integers(0, 2**31))
def test_stored_sums_equal_sums_over_all_attempts(number: int, seed: int) -> None:
    made = attempts(number, seed)
    evidence = Evidence()
    for features, row in made:
        evidence.add(features, row.tier, row.outcome, row.at)
    assert_same_as_brute_force(evidence, made, [], NOW)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**31), at=st.lists(st.integers(1, 199), max_size=6))
def test_stored_sums_equal_sums_over_all_attempts_after_changes(seed: int, at: list[int]) -> None:
    made, changes, evidence = attempts(200, seed), [], Evidence()
    for number, (features, row) in enumerate(made):
        if number in at:
            changes.append(evidence.discount(features, row.tier, row.at))
        evidence.add(features, row.tier, row.outcome, row.at)
    assert_same_as_brute_force(evidence, made, changes, NOW)


def test_attempts_out_of_order_are_weighted_by_their_own_age() -> None:
    made = attempts(100)
    evidence = Evidence()
    for features, row in reversed(made):
        evidence.add(features, row.tier, row.outcome, row.at)
    assert_same_as_brute_force(evidence, made, [], NOW)


def test_the_weight_of_an_attempt_halves_in_thirty_days() -> None:
    assert HALF_LIFE == 30 * 24 * 3600
    evidence, a = Evidence(), page("http://a.example/x")
    evidence.add(a, "http", Outcome.BAN, NOW)
    assert set(evidence.sums(a, "http", NOW)) == {(0.0, 1.0, 1.0)}
    assert set(evidence.sums(a, "http", NOW + HALF_LIFE)) == {(0.0, 0.5, 0.5)}


def test_a_change_of_a_tier_on_a_domain_does_not_affect_others() -> None:
    evidence = Evidence()
    a, sister = page("http://a.example.org/x"), page("http://b.example.org/x")
    for features in (a, sister):
        for tier in ("http", "browser"):
            for _ in range(100):
                evidence.add(features, tier, Outcome.SUCCESS, NOW)
    assert evidence.discount(a, "http", NOW) == (
        NOW,
        "http",
        "a.example.org",
        WEIGHT_AFTER_CHANGE / 100,
    )
    seen = [sums.successes for sums in evidence.sums(a, "http", NOW)]
    assert seen == pytest.approx(
        [200, 200, 100 + WEIGHT_AFTER_CHANGE, WEIGHT_AFTER_CHANGE, WEIGHT_AFTER_CHANGE]
    )
    assert [s.successes for s in evidence.sums(a, "browser", NOW)] == [200, 200, 200, 100, 100]
    assert [s.successes for s in evidence.sums(sister, "http", NOW)][3:] == [100, 100]


def test_the_least_recently_used_bucket_is_discarded() -> None:
    evidence, often = Evidence(max_buckets=100), page("http://often.example/x")
    for number in range(1000):
        evidence.add(often, "http", Outcome.SUCCESS, NOW)
        evidence.add(page(f"http://s{number}.example/x"), "http", Outcome.FAILURE, NOW)
    assert len(evidence) <= 100
    assert evidence.sums(often, "http", NOW)[-1].successes == 1000


def test_a_domain_is_discarded_after_its_shapes() -> None:
    """Otherwise its shapes would seem older than its changes, and weigh too much."""
    evidence, a = Evidence(max_buckets=6), page("http://a.example/x")
    for _ in range(100):
        evidence.add(a, "http", Outcome.SUCCESS, NOW)
    evidence.discount(a, "http", NOW)
    for number in range(3):
        evidence.add(page(f"http://b.example/{number}/x"), "http", Outcome.SUCCESS, NOW)
        assert evidence.sums(a, "http", NOW)[-1].successes <= WEIGHT_AFTER_CHANGE * 1.001


# Merging older evidence


@settings(max_examples=30)
@given(
    seed=st.integers(0, 2**31),
    parts=st.lists(st.integers(0, 200), min_size=2, max_size=2).map(sorted),
    at=st.lists(st.integers(0, 199), max_size=8),
)
def test_older_evidence_adds_up_with_newer_evidence(
    seed: int, parts: list[int], at: list[int]
) -> None:
    """Three crawls, each of which detects changes from its own attempts only."""
    made, changes = attempts(200, seed), []
    crawls = [Evidence() for _ in range(3)]
    for number, (features, row) in enumerate(made):
        crawl = crawls[sum(number >= part for part in parts)]
        if number in at:
            changes.append(crawl.discount(features, row.tier, row.at))
        crawl.add(features, row.tier, row.outcome, row.at)
    first, second, third = crawls
    second.merge_older(first)
    third.merge_older(second)
    assert_same_as_brute_force(third, made, changes, NOW)


def test_changes_and_attempts_after_a_merge_count() -> None:
    made, changes, older, evidence = attempts(300), [], Evidence(), Evidence()
    for number, (features, row) in enumerate(made):
        into = older if number < 100 else evidence
        if number == 200:
            evidence.merge_older(older)
        if number % 40 == 39:
            changes.append(into.discount(features, row.tier, row.at))
        into.add(features, row.tier, row.outcome, row.at)
    assert_same_as_brute_force(evidence, made, changes, NOW)


FAILED, A = Outcome.FAILURE, page("http://a.example/x")


def site_evidence(count: int, *, surprises: int = 0) -> Evidence:
    """Return the evidence of a site that worked, and then failed unexpectedly."""
    evidence = Evidence()
    for _ in range(count):
        evidence.add(A, "http", Outcome.SUCCESS, NOW)
    for _ in range(surprises):
        assert not evidence.detect_change(A, "http", FAILED, 0.98, NOW)
        evidence.add(A, "http", FAILED, NOW)
    return evidence


def test_the_older_change_test_continues_with_little_newer_evidence() -> None:
    evidence = site_evidence(1)
    evidence.merge_older(site_evidence(50, surprises=2))
    assert evidence.detect_change(A, "http", FAILED, 0.98, NOW)


def test_the_newer_change_test_takes_precedence() -> None:
    evidence = site_evidence(50)
    evidence.merge_older(site_evidence(50, surprises=2))
    assert not evidence.detect_change(A, "http", FAILED, 0.98, NOW)
    evidence = site_evidence(50, surprises=2)
    evidence.merge_older(site_evidence(50))
    assert evidence.detect_change(A, "http", FAILED, 0.98, NOW)


def test_a_newer_change_discards_the_older_change_test() -> None:
    evidence = site_evidence(50)
    evidence.discount(A, "http", NOW)
    for _ in range(4):
        evidence.add(A, "http", FAILED, NOW)
    evidence.merge_older(site_evidence(50, surprises=2))
    assert not evidence.detect_change(A, "http", FAILED, 0.98, NOW)


def test_a_merge_keeps_the_most_recently_used_buckets() -> None:
    older, evidence = Evidence(max_buckets=100), Evidence(max_buckets=50)
    for number in range(100):
        older.add(page(f"http://s{number}.example/x"), "http", FAILED, NOW)
    evidence.add(A, "http", Outcome.SUCCESS, NOW)
    evidence.merge_older(older)
    assert len(evidence) == 50
    assert evidence.sums(A, "http", NOW)[-1].successes == 1
    assert evidence.sums(page("http://s99.example/x"), "http", NOW)[-1].failures == 1
    assert evidence.sums(page("http://s1.example/x"), "http", NOW)[-1].failures == 0
    assert evidence.sums(A, "http", NOW)[0].failures == 100


def test_groups_beyond_the_limit_count_in_existing_buckets() -> None:
    groups = [
        Group(page(f"http://s{number}.example/x"), "http", Sums(1, 0, 0), 1.0, NOW)
        for number in range(100)
    ]
    evidence = Evidence.of_groups(groups, NOW, max_buckets=50)
    assert len(evidence) == 50
    assert evidence.sums(groups[0].features, "http", NOW)[-1].successes == 1
    assert evidence.sums(groups[99].features, "http", NOW)[-1].successes == 0
    assert evidence.sums(groups[99].features, "http", NOW)[0].successes == 100
    evidence.add(A, "http", Outcome.SUCCESS, NOW)  # makes room at the expense of the oldest
    assert evidence.sums(groups[0].features, "http", NOW)[-1].successes == 1
