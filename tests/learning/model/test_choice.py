"""The order in which tiers are tried."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from wikicrawler.learning.model.beta import Beta
from wikicrawler.learning.model.choice import (
    EXPLORE,
    MIN_CONFIDENCE,
    Choice,
    Costs,
    chances_of,
    choose,
    options_of,
)
from wikicrawler.learning.model.estimate import Estimate

COSTS = Costs({"mediawiki": 1.0, "http": 1.0, "browser": 12.0}, ban=10.0, page=200.0, probe="http")


class Never(Random):
    """Random numbers that never lead to exploration."""

    def random(self) -> float:
        return 0.999999


def certain(p: float, ban: float = 0.0) -> Estimate:
    return Estimate(Beta(100 * p, 100 * (1 - p)), ban)


def uncertain(p: float, ban: float = 0.0) -> Estimate:
    return Estimate(Beta(2 * p, 2 * (1 - p)), ban)


def chosen(**estimates: Estimate) -> Choice:
    return choose(estimates, COSTS, Never())


def test_the_order_depends_on_the_cost_of_a_page_not_on_probability_alone() -> None:
    choice = chosen(http=certain(0.6), browser=certain(0.99))
    assert choice.order == ("http", "browser")
    assert [o.cost_index for o in choice.options] == pytest.approx([1 / 0.6, 12 / 0.99])


def test_the_expensive_tier_comes_first_if_the_cheap_one_hardly_works() -> None:
    assert chosen(http=certain(0.05), browser=certain(0.95)).order == ("browser", "http")


def test_bans_add_to_the_cost() -> None:
    assert chosen(http=certain(0.6), browser=certain(0.95)).chosen == "http"
    assert chosen(http=certain(0.6, ban=0.4), browser=certain(0.3)).chosen == "http"
    assert chosen(http=certain(0.3, ban=0.7), browser=certain(0.95)).chosen == "browser"


def test_ties_keep_the_configured_order() -> None:
    same = certain(0.9)
    assert chosen(mediawiki=same, http=same).order == ("mediawiki", "http")
    assert chosen(http=same, mediawiki=same).order == ("http", "mediawiki")


def test_tiers_that_cost_more_than_a_page_is_worth_are_left_out_except_the_best() -> None:
    hopeless = certain(0.001, ban=1.0)
    assert chosen(mediawiki=certain(0.99), http=hopeless).order == ("mediawiki",)
    assert chosen(http=hopeless, browser=hopeless).order == ("http",)


def test_the_first_failures_do_not_rule_a_tier_out() -> None:
    for failures, order in ((1, ("mediawiki", "browser")), (4, ("mediawiki",))):
        failed = Estimate(Beta(0.1, 0.1 + failures), 1.0)
        assert chosen(mediawiki=certain(0.99), browser=failed).order == order


def test_no_tier_is_assumed_to_contain_another() -> None:
    """The API may answer where a browser is blocked."""
    estimates = {
        "mediawiki": certain(0.9),
        "http": certain(0.02, 0.98),
        "browser": certain(0.05, 0.95),
    }
    assert chosen(**estimates).order == ("mediawiki",)


def test_a_plain_get_probes_if_the_best_tier_is_uncertain() -> None:
    maybe = Estimate(Beta(0.5, 9.5), 0.0)
    choice = chosen(http=maybe, browser=uncertain(0.7))
    assert (choice.chosen, choice.probe, choice.order) == ("browser", True, ("http", "browser"))
    assert choice.confidence <= MIN_CONFIDENCE


def test_a_plain_get_that_is_known_to_fail_does_not_probe() -> None:
    choice = chosen(http=certain(0.02, ban=0.9), browser=uncertain(0.7))
    assert (choice.probe, choice.order[0]) == (False, "browser")


def test_a_tier_as_cheap_as_a_plain_get_is_its_own_probe() -> None:
    choice = chosen(mediawiki=uncertain(0.7), http=uncertain(0.6))
    assert (choice.probe, choice.order[0]) == (True, "mediawiki")


def test_no_probe_with_enough_confidence() -> None:
    assert chosen(http=certain(0.9), browser=certain(0.9)).confidence > MIN_CONFIDENCE
    assert not chosen(http=certain(0.9), browser=certain(0.9)).probe


def test_no_probe_without_plain_http() -> None:
    choice = chosen(browser=uncertain(0.5))
    assert (choice.probe, choice.order) == (False, ("browser",))


def test_exploration_costs_a_share_of_a_page_and_has_a_known_propensity() -> None:
    estimates = {"http": certain(0.01), "browser": certain(0.95)}
    random, seen = Random(1), Counter[str]()  # noqa: S311 - no secret
    probabilities = {}
    for _ in range(20_000):
        choice = choose(estimates, COSTS, random)
        seen[choice.chosen] += 1
        probabilities[choice.chosen] = choice.propensity
        assert choice.explored == (choice.chosen == "http")
    rate = seen["http"] / 20_000
    assert rate == pytest.approx(probabilities["http"], abs=0.01)
    assert probabilities["http"] + probabilities["browser"] == pytest.approx(1)
    assert rate * COSTS.tiers["http"] <= 1.1 * EXPLORE * 12 / 0.95


def test_several_explored_tiers_are_chosen_with_their_probabilities() -> None:
    estimates = {
        "mediawiki": certain(0.01),
        "http": certain(0.01, ban=0.3),
        "browser": certain(0.95),
    }
    chances = chances_of(options_of(estimates, COSTS), COSTS)
    probabilities = {option.tier: chance for option, chance in chances}
    assert sum(probabilities.values()) == pytest.approx(1)
    assert probabilities["mediawiki"] > 2 * probabilities["http"] > 0
    random = Random(1)  # noqa: S311 - no secret
    seen = Counter(choose(estimates, COSTS, random).chosen for _ in range(20_000))
    assert {tier: count / 20_000 for tier, count in seen.items()} == pytest.approx(
        probabilities, abs=0.01
    )


def test_a_tier_that_cannot_be_cheaper_is_not_explored() -> None:
    estimates = {"http": certain(0.9), "browser": certain(0.9)}
    for seed in range(200):
        choice = choose(estimates, COSTS, Random(seed))  # noqa: S311 - no secret
        assert (choice.chosen, choice.propensity) == ("http", 1)


def test_options_are_sorted_by_cost_index() -> None:
    estimates = {"mediawiki": certain(0.2), "http": certain(0.5), "browser": certain(0.9)}
    options = chosen(**estimates).options
    assert all(one.cost_index <= next_.cost_index for one, next_ in pairwise(options))


@pytest.mark.parametrize(
    ("http", "informative"),
    [
        (Estimate(Beta(0.18, 0.02), 0.0), True),  # a new site; similar ones mostly work
        (Estimate(Beta(5.0, 0.1), 0.0), False),
        (Estimate(Beta(5.0, 5.0), 0.0), True),  # much evidence, mixed
    ],
    ids=["new", "known", "mixed"],
)
def test_the_next_attempt_is_informative_with_little_evidence(
    http: Estimate, informative: bool
) -> None:
    assert chosen(http=http, browser=certain(0.5)).is_informative is informative
