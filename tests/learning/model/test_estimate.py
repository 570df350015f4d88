"""Estimates from evidence."""

from __future__ import annotations

import pytest

from tests.learning.pages import NOW, attempts, page, segment_sums
from wikicrawler.learning.model.estimate import LEVEL_WEIGHTS, Estimate, estimate, estimate_given
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.segment_effect import effect_of
from wikicrawler.learning.model.sums import LEVELS, Observation, sum_observations


def estimate_at(evidence: Evidence, url: str, tier: str = "http") -> Estimate:
    return estimate(evidence.sums(page(url), tier, NOW))


def evidence_of(*what: tuple[str, Outcome, int]) -> Evidence:
    evidence = Evidence()
    for url, outcome, times in what:
        for _ in range(times):
            evidence.add(page(url), "http", outcome, NOW)
    return evidence


def test_an_estimate_from_stored_sums_equals_one_from_all_attempts() -> None:
    made, evidence = attempts(500), Evidence()
    rows = [row for _, row in made]
    for features, row in made:
        evidence.add(features, row.tier, row.outcome, row.at)
    for features in {features for features, _ in made}:
        named = features.named()
        sums = [
            sum_observations(rows, "http", {name: named[name] for name in names}, NOW)
            for names in LEVELS
        ]
        effect = effect_of(segment_sums(rows, "http", features, NOW))
        kept, summed = estimate_for(evidence, features), estimate(sums, effect)
        assert kept.success.mean == pytest.approx(summed.success.mean, abs=1e-9)
        assert kept.success.quantile(0.2) == pytest.approx(summed.success.quantile(0.2), abs=1e-9)
        assert kept.ban == pytest.approx(summed.ban, abs=1e-9)


def estimate_for(evidence: Evidence, features) -> Estimate:
    effect = effect_of(evidence.segments.sums(features, "http", NOW))
    return estimate(evidence.sums(features, "http", NOW), effect)


def test_without_evidence_the_estimate_is_the_initial_mean() -> None:
    nothing = estimate_at(Evidence(), "http://a.example/")
    assert nothing.success.mean == pytest.approx(0.5)
    assert nothing.ban == 0
    assert nothing.success.quantile(0.2) < 0.6


def test_a_new_site_is_estimated_from_others_and_soon_from_itself() -> None:
    others = [(f"http://s{i}.example/x", Outcome.SUCCESS, 2) for i in range(30)]
    new = "http://new.example/x"
    assert estimate_at(evidence_of(*others), new).success.mean > 0.9
    assert estimate_at(evidence_of(*others, (new, Outcome.FAILURE, 30)), new).success.mean < 0.1


def test_hosts_of_a_site_and_parts_of_a_host_share_evidence() -> None:
    works = [(f"http://s{i}.example/x", Outcome.SUCCESS, 2) for i in range(30)]
    fails = ("http://a.site.com/app/x", Outcome.FAILURE, 10)
    evidence = evidence_of(*works, fails)
    app, part, sister, other = (
        estimate_at(evidence, url).success.mean
        for url in (
            "http://a.site.com/app/y",
            "http://a.site.com/blog/y",
            "http://b.site.com/app/y",
            "http://other.example/app/y",
        )
    )
    assert app < part < other
    assert sister < other


def test_the_weight_of_evidence_is_capped() -> None:
    url = "http://a.example/x"
    hundred, thousands = (
        estimate_at(evidence_of((url, Outcome.FAILURE, n)), url).success for n in (100, 5000)
    )
    assert thousands == pytest.approx(hundred)
    assert sum(thousands) <= LEVEL_WEIGHTS[-1].cap + LEVEL_WEIGHTS[-1].strength


def test_bans_are_a_share_of_the_failures() -> None:
    url = "http://a.example/x"
    evidence = evidence_of(
        (url, Outcome.BAN, 20), (url, Outcome.FAILURE, 20), (url, Outcome.SUCCESS, 40)
    )
    assert estimate_at(evidence, url).ban == pytest.approx(0.25, abs=0.02)
    assert estimate_at(evidence, url).success.mean == pytest.approx(0.5, abs=0.02)


def given(rows: list[Observation], conditions: dict[str, str]) -> Estimate:
    return estimate_given(conditions, lambda shared: sum_observations(rows, "http", shared, NOW))


def test_estimate_for_any_conjunction_of_heuristics() -> None:
    rows = [row for _, row in attempts(2000)]
    of = {"domain": "shop.site1.com", "suffix": ".html", "scheme": "https"}
    found = given(rows, of)
    sums = sum_observations(rows, "http", of, NOW)
    assert sums.successes + sums.failures > 4
    share = sums.successes / (sums.successes + sums.failures)
    general = given(rows, {}).success.mean
    assert min(share, general) <= found.success.mean <= max(share, general)
    nowhere = given(rows, {"domain": "shop.site1.com", "suffix": ".x"})
    alone = given(rows, {"domain": "shop.site1.com"})
    assert nowhere.success.mean == pytest.approx(alone.success.mean, abs=0.1)


def test_an_unseen_conjunction_gets_the_tiers_general_estimate() -> None:
    rows = [row for _, row in attempts(500)]
    any_ = given(rows, {}).success.mean
    never = given(rows, {"domain": "never.example"}).success
    assert never.mean == pytest.approx(any_)
    assert never.quantile(0.2) < never.mean - 0.2
