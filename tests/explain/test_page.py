"""The explanation of a page agrees with its attempts and with a crawl's choice."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawling import project_settings
from tests.learning.model.by_definition import DAY, assert_follows, made, many, rows_of, same
from wikicrawler.errors import ConfigError
from wikicrawler.explain.page import PageExplainer
from wikicrawler.explain.page_text import page_lines
from wikicrawler.learning.model.beta import cdf
from wikicrawler.learning.model.choice import Costs
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.features import features_of
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.store.attempts import add_attempts
from wikicrawler.store.database import Database
from wikicrawler.store.sites import SitePause, TierChange, add_changes, note_sites

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from wikicrawler.explain.facts import PageExplanation
    from wikicrawler.learning.model.sums import Changed
    from wikicrawler.store.attempts import FetchAttempt

NOW = 1_700_000_000.0
COSTS = Costs({"mediawiki": 1.0, "http": 1.0, "browser": 12.0}, ban=10.0, page=200.0, probe="http")
WITH_BROWSER = {"CRAWL4AI_URL": "http://127.0.0.1:1"}


class Fixed(Random):
    """Random numbers that are all the same."""

    def __init__(self, draw: float) -> None:
        super().__init__()
        self.draw = draw

    def random(self) -> float:
        return self.draw


def evidence_of(attempts: Sequence[FetchAttempt]) -> Evidence:
    evidence = Evidence()
    for one, row in zip(attempts, rows_of(attempts), strict=True):
        features = features_of(one.url, is_wiki=one.wiki == "wiki")
        if row.outcome is not Outcome.NONE:
            evidence.add(features, one.tier, row.outcome, one.at)
    return evidence


@contextmanager
def explainer(
    folder: Path,
    attempts: Sequence[FetchAttempt] = (),
    *,
    evidence: Evidence | None = None,
    changes: Sequence[TierChange] = (),
    pauses: Sequence[SitePause] = (),
    costs: Costs = COSTS,
    at: float = NOW,
    **settings: Any,
) -> Iterator[PageExplainer]:
    """Yield an explainer with a database of *attempts*, *changes* and *pauses*."""
    database = Database(f"sqlite:///{folder}/db.sqlite")
    with database.write() as connection:
        add_attempts(connection, 1, enumerate(attempts, 1))
        add_changes(connection, 1, enumerate(changes, 1))
        note_sites(connection, [(one.site, one.at) for one in attempts], pauses)
    known = evidence if evidence is not None else evidence_of(attempts)
    with database.read() as connection:
        yield PageExplainer(project_settings(**settings), known, connection, costs, at)
    database.close()


def explain(folder: Path, url: str, attempts: Sequence[FetchAttempt] = (), **how: Any):
    number = how.pop("number", 10)
    with explainer(folder, attempts, **how) as made_of:
        return made_of.explain(url, number)


def works(tier: str, reason: str, url: str = "https://a.com/x", times: int = 30, **facts: Any):
    return [made(NOW - n * 60, url, tier, reason, **facts) for n in range(times, 0, -1)]


# Estimates


@pytest.mark.parametrize("url", ["https://shop.site1.com/app/z", "https://new.example/b.html"])
def test_every_number_follows_from_the_attempts(url: str, tmp_path: Path) -> None:
    attempts = many(NOW)
    page = explain(tmp_path, url, attempts, **WITH_BROWSER)
    assert {tier.tier for tier in page.tiers} == {"http", "browser"}
    for tier in page.tiers:
        assert_follows(asdict(tier), rows_of(attempts), NOW)
        last = tier.levels[-1]
        if not tier.hour.weight:
            assert (tier.success, tier.p_ban) == (last.success, last.p_ban)
        assert tier.expected_cost == same(tier.cost + 10 * tier.p_ban)
        assert tier.cost_index == same(tier.expected_cost / tier.success.mean)


def test_estimates_include_changes(tmp_path: Path) -> None:
    attempts = [
        *works("http", "ok", "https://www.a.com/x"), *works("http", "ok", "https://b.a.com/x")
    ]  # fmt: skip
    evidence = evidence_of(attempts)
    change = evidence.discount(features_of("https://www.a.com/x", is_wiki=False), "http", NOW)
    page = explain(tmp_path, "https://www.a.com/y", attempts, evidence=evidence)
    assert_follows(asdict(page.tiers[0]), rows_of(attempts), NOW, [change])


def test_a_segment_that_is_new_on_a_site_is_judged_by_sites_alike_elsewhere(tmp_path: Path) -> None:
    attempts = [*works("http", "ok", "https://a.com/docs/x")]
    for site in ("b.com", "c.com", "d.com", "e.com"):
        attempts += works("http", "ok", f"https://{site}/docs/x", times=3)
        attempts += works("http", "blocked", f"https://{site}/shop/x", times=3)
    with explainer(tmp_path, attempts) as made_of:
        tried, new = (made_of.explain(f"https://{site}/shop/y", 3) for site in ("b.com", "a.com"))
    assert_follows(asdict(new.tiers[0]), rows_of(attempts), NOW)
    given = new.tiers[0].segment.given
    assert (given.successes, given.failures) == pytest.approx((0, 12), rel=0.01)
    assert "elsewhere ok" in "\n".join(page_lines(new))
    assert "elsewhere" not in "\n".join(page_lines(tried))


@pytest.mark.parametrize("hours_later", [0, 12, 18])
def test_estimates_include_the_hour_of_the_day(hours_later: int, tmp_path: Path) -> None:
    """Blocked 12 hours ago, on each of six days; not now."""
    attempts = [
        made(NOW - day * DAY - age * 3600 + 10 * n, "https://a.com/x", "http", reason)
        for day in range(6, 0, -1)
        for age, reason in ((12, "blocked"), (0, "ok"))
        for n in range(5)
    ]
    evidence, at = evidence_of(attempts), NOW + hours_later * 3600
    with explainer(tmp_path, attempts, evidence=evidence, at=at, **WITH_BROWSER) as made_of:
        page = made_of.explain("https://a.com/y", 3)
    tier = next(tier for tier in page.tiers if tier.tier == "http")
    features = features_of("https://a.com/y", is_wiki=False)
    crawl = Learner(COSTS, Fixed(0.5), evidence).estimate(features, "http", at)
    assert (tier.success.a, tier.success.b) == same((crawl.success.a, crawl.success.b))
    assert tier.p_ban == same(crawl.ban)
    assert tier.hour.trial == same(crawl.trial)
    if hours_later == 18:
        assert (tier.hour.weight, tier.success) == (0, tier.levels[-1].success)
    else:
        assert tier.hour.weight > 0.9
        assert (tier.success.mean > 0.9) == (hours_later == 0)
    shown = " ".join("\n".join(page_lines(page)).split())
    assert ("hour of day" in shown) == (hours_later != 18)


def test_an_interval_contains_its_share_of_the_posterior(tmp_path: Path) -> None:
    page = explain(tmp_path, "https://shop.site1.com/app/z", many(NOW), **WITH_BROWSER)
    for posterior in (level.success for tier in page.tiers for level in tier.levels):
        within = [
            cdf(x, posterior.a, posterior.b)
            for x in (*posterior.interval_80, *posterior.interval_95)
        ]
        assert within == pytest.approx([0.1, 0.9, 0.025, 0.975], abs=1e-6)


# The decision


@pytest.mark.parametrize("seed", range(8))
def test_the_decision_equals_that_of_a_crawl(seed: int, tmp_path: Path) -> None:
    attempts = many(NOW, seed=seed)
    evidence = evidence_of(attempts)
    url, tiers = "https://shop.site1.com/app/z", ("http", "browser")
    page = explain(tmp_path, url, attempts, **WITH_BROWSER)
    assert page.decision is not None
    features = features_of(url, is_wiki=False)
    crawl = Learner(COSTS, Fixed(0.999999), evidence).choose(features, tiers, NOW)
    best = page.decision
    assert (best.order, best.chosen, best.probing) == (crawl.order, crawl.chosen, crawl.probing)
    assert best.confidence == same(crawl.confidence)
    assert best.probability == same(crawl.propensity)
    for one in best.explored:
        crawl = Learner(COSTS, Fixed(0.0), evidence).choose(features, tiers, NOW)
        assert (one.tier, one.order, one.probing) == (crawl.chosen, crawl.order, crawl.probing)
        assert one.probability == same(crawl.propensity)
    shares = {tier.tier: tier.probability for tier in page.tiers}
    assert sum(shares.values()) == same(1)
    assert shares[best.chosen] == best.probability


def test_the_probability_of_exploring_equals_its_frequency_in_a_crawl(tmp_path: Path) -> None:
    attempts = works("http", "js_shell") + works("browser", "ok")
    page = explain(tmp_path, "https://a.com/y", attempts, **WITH_BROWSER)
    learner = Learner(COSTS, Random(1), evidence_of(attempts))  # noqa: S311 - no secret
    features = features_of("https://a.com/y", is_wiki=False)
    seen = Counter(learner.choose(features, ("http", "browser"), NOW).chosen for _ in range(10_000))
    assert page.decision is not None
    assert page.decision.order == ("browser", "http")
    (explored,) = page.decision.explored
    assert explored.tier == "http"
    assert seen["http"] / 10_000 == pytest.approx(explored.probability, abs=0.01)


def test_nothing_is_explored_without_a_share_for_exploration(tmp_path: Path) -> None:
    attempts = works("http", "js_shell") + works("browser", "ok")
    costs = COSTS._replace(explore=0.0)
    page = explain(tmp_path, "https://a.com/y", attempts, costs=costs, **WITH_BROWSER)
    assert page.decision is not None
    assert (page.decision.explored, page.decision.probability) == ((), 1)


def left_out(page: PageExplanation) -> dict[str, str]:
    return {out.tier: out.why for out in page.left_out}


def test_a_tier_that_is_left_out_has_a_reason(tmp_path: Path) -> None:
    page = explain(tmp_path, "https://a.com/y", works("http", "ok"))
    assert left_out(page) == {"mediawiki": "no_wiki", "browser": "no_server"}
    hopeless = works("browser", "blocked", times=400)
    page = explain(tmp_path, "https://a.com/y", works("http", "ok") + hopeless, **WITH_BROWSER)
    assert left_out(page) == {"mediawiki": "no_wiki", "browser": "not_worth_it"}
    assert {tier.tier for tier in page.tiers} == {"http", "browser"}
    page = explain(tmp_path, "https://a.com/y", WIKICRAWLER_TIERS="http", **WITH_BROWSER)
    assert left_out(page) == {"mediawiki": "not_configured", "browser": "not_configured"}


def test_without_a_usable_tier_there_is_no_decision(tmp_path: Path) -> None:
    page = explain(tmp_path, "https://a.com/y", WIKICRAWLER_TIERS="browser")
    assert (page.decision, page.tiers) == (None, ())
    assert left_out(page)["browser"] == "no_server"


def test_stealth_is_used_where_plain_gets_are_banned(tmp_path: Path) -> None:
    for reason, hides in (("blocked", True), ("js_shell", False)):
        attempts = works("http", reason) + works("browser", "ok")
        page = explain(tmp_path / reason, "https://a.com/y", attempts, **WITH_BROWSER)
        assert page.decision is not None
        assert page.decision.stealth is hides


# Policy and wiki


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ("static", "static")),
        ({"WIKICRAWLER_TIER_POLICY": "learned"}, ("learned", "learned")),
        ({"WIKICRAWLER_TIER_POLICY": "shadow"}, ("shadow", "static")),
        (
            {"WIKICRAWLER_TIER_POLICY": "split", "WIKICRAWLER_TIER_SPLIT": 1},
            ("split", "learned"),
        ),
        ({"WIKICRAWLER_TIER_POLICY": "split", "WIKICRAWLER_TIER_SPLIT": 0}, ("split", "static")),
    ],
)
def test_the_policy_is_reported(
    settings: dict[str, Any], expected: tuple[str, str], tmp_path: Path
) -> None:
    page = explain(tmp_path, "https://a.com/y", **settings)
    assert (page.policy, page.decided_by) == expected
    assert page.static_order == ("http", "browser")


def test_an_unknown_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"WIKICRAWLER_TIER_POLICY: 'leanred' is not a policy"):
        explain(tmp_path, "https://a.com/y", WIKICRAWLER_TIER_POLICY="leanred")


def test_a_wiki_is_recognised_by_the_configuration_or_the_latest_attempt(
    tmp_path: Path,
) -> None:
    config = tmp_path / "sources.yml"
    config.write_text("mediawiki_sites:\n  a.com: https://a.com/w/api.php\n")
    is_one = works("mediawiki", "ok", "https://b.com/wiki/X", is_wiki=True)
    attempts = works("http", "ok", "https://b.com/wiki/X") + is_one + works("http", "ok")
    with explainer(tmp_path, attempts, WIKICRAWLER_CONFIG=str(config)) as made_of:
        pages = {
            host: made_of.explain(f"https://{host}/wiki/Y", 10)
            for host in ("a.com", "b.com", "c.com")
        }
    assert {host: (page.is_wiki, page.is_wiki_by) for host, page in pages.items()} == {
        "a.com": (True, "configuration"),
        "b.com": (True, "attempts"),
        "c.com": (False, "nothing"),
    }
    assert "mediawiki" in {tier.tier for tier in pages["b.com"].tiers}
    undiscovered = {"WIKICRAWLER_DISCOVER_WIKIS": False}
    page = explain(tmp_path / "2", "https://b.com/wiki/Y", attempts, **undiscovered)
    assert not page.is_wiki


def test_the_pause_of_the_pages_site_is_reported(tmp_path: Path) -> None:
    pauses = [SitePause(NOW - 60, "a.com", NOW + 600, 2, "blocked")]
    page = explain(tmp_path, "https://www.a.com/y", works("http", "blocked"), pauses=pauses)
    budget = page.budget
    assert (budget.name, budget.is_paused, budget.risk_level) == ("a.com", True, 2)
    assert budget.paused_until is not None
    assert budget.paused_until.timestamp() == NOW + 600
    assert (budget.attempt_count, budget.reason) == (30, "blocked")


# Attempts


def test_the_last_attempts_on_the_domain_are_listed(tmp_path: Path) -> None:
    attempts = [
        made(NOW - 30 * DAY, "https://a.com/1", "http", "ok", propensity=0.25, expected=0.75),
        made(NOW - 60, "https://a.com/2", "http", "timeout", status=None, policy="learned"),
        made(NOW, "https://b.com/3", "http", "ok"),
    ]
    page = explain(tmp_path, "https://a.com/y", attempts)
    newest, oldest = page.attempts
    assert (newest.url, newest.outcome, newest.weight) == ("https://a.com/2", "none", 0)
    assert (newest.status, newest.policy, newest.expected) == (None, "learned", None)
    assert (oldest.weight, oldest.propensity, oldest.expected) == (0.5, 0.25, 0.75)
    assert oldest.at.timestamp() == NOW - 30 * DAY
    assert len(explain(tmp_path / "2", "https://a.com/y", attempts, number=1).attempts) == 1
    assert explain(tmp_path / "3", "https://a.com/y", attempts, number=0).attempts == ()


def test_the_weights_of_the_attempts_add_up_to_those_of_the_domain(tmp_path: Path) -> None:
    attempts = [one for one in many(NOW, 600) if one.domain == "shop.site1.com"]
    evidence = evidence_of(attempts)
    features = features_of("https://shop.site1.com/x", is_wiki=False)
    changed: Changed = evidence.discount(features, "http", NOW)
    change = TierChange(NOW, "site1.com", "shop.site1.com", "http", changed.kept, False)
    page = explain(
        tmp_path, "https://shop.site1.com/x", attempts,
        evidence=evidence, changes=[change], number=1000, **WITH_BROWSER,
    )  # fmt: skip
    for tier in page.tiers:
        mine = [one for one in page.attempts if one.tier == tier.tier]
        ok = sum(one.weight for one in mine if one.outcome == "success")
        failed = sum(one.weight for one in mine if one.outcome in {"failure", "ban"})
        domain = tier.levels[3].seen
        assert (ok, failed) == same((domain.successes, domain.failures))


def test_a_reason_of_another_version_is_listed_and_is_no_evidence(tmp_path: Path) -> None:
    attempts = works("http", "ok", times=1)
    strange = made(NOW, "https://a.com/x", "http", "blocked_by_a_new_thing")
    with explainer(tmp_path, [*attempts, strange], evidence=evidence_of(attempts)) as made_of:
        newest, _ = made_of.explain("https://a.com/x", 10).attempts
    assert (newest.reason, newest.outcome) == ("blocked_by_a_new_thing", "none")
