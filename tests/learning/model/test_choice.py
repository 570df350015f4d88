"""The order in which tiers are tried."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from wikicrawler.learning.model.beta import Beta
from wikicrawler.learning.model.choice import (
    CONFIDENT,
    EXPLORE,
    Choice,
    Costs,
    chances_of,
    choose,
    options_of,
)
from wikicrawler.learning.model.estimate import Estimate

COSTS = Costs({"mediawiki": 1.0, "http": 1.0, "browser": 12.0}, ban=10.0, page=200.0, probe="http")


class Never(Random):
    """Chance that never explores."""

    def random(self) -> float:
        return 0.999999


def sure(p: float, ban: float = 0.0) -> Estimate:
    return Estimate(Beta(100 * p, 100 * (1 - p)), ban)


def unsure(p: float, ban: float = 0.0) -> Estimate:
    return Estimate(Beta(2 * p, 2 * (1 - p)), ban)


def chosen(**estimates: Estimate) -> Choice:
    return choose(estimates, COSTS, Never())


def test_it_goes_by_the_cost_of_a_page_and_not_by_probability_alone() -> None:
    choice = chosen(http=sure(0.6), browser=sure(0.99))
    assert choice.order == ("http", "browser")
    assert [o.cost_index for o in choice.options] == pytest.approx([1 / 0.6, 12 / 0.99])


def test_the_dearer_tier_comes_first_where_the_cheaper_hardly_works() -> None:
    assert chosen(http=sure(0.05), browser=sure(0.95)).order == ("browser", "http")


def test_a_ban_is_a_cost() -> None:
    assert chosen(http=sure(0.6), browser=sure(0.95)).chosen == "http"
    assert chosen(http=sure(0.6, ban=0.4), browser=sure(0.3)).chosen == "http"
    assert chosen(http=sure(0.3, ban=0.7), browser=sure(0.95)).chosen == "browser"


def test_of_equals_the_first_that_is_configured_is_first() -> None:
    same = sure(0.9)
    assert chosen(mediawiki=same, http=same).order == ("mediawiki", "http")
    assert chosen(http=same, mediawiki=same).order == ("http", "mediawiki")


def test_what_costs_more_than_a_page_is_worth_is_left_out_but_never_all() -> None:
    hopeless = sure(0.001, ban=1.0)
    assert chosen(mediawiki=sure(0.99), http=hopeless).order == ("mediawiki",)
    assert chosen(http=hopeless, browser=hopeless).order == ("http",)


def test_a_few_failures_rule_no_tier_out() -> None:
    failed = Estimate(Beta(0.1, 3.1), 1.0)
    assert chosen(mediawiki=sure(0.99), browser=failed).order == ("mediawiki", "browser")


def test_no_tier_is_thought_to_contain_another() -> None:
    """The API may answer where a browser is blocked."""
    estimates = {"mediawiki": sure(0.9), "http": sure(0.02, 0.98), "browser": sure(0.05, 0.95)}
    assert chosen(**estimates).order == ("mediawiki",)


def test_where_the_best_is_doubtful_a_plain_get_looks_first() -> None:
    maybe = Estimate(Beta(0.5, 9.5), 0.0)
    choice = chosen(http=maybe, browser=unsure(0.7))
    assert (choice.chosen, choice.probe, choice.order) == ("browser", True, ("http", "browser"))
    assert choice.confidence <= CONFIDENT


def test_a_plain_get_that_is_known_to_fail_looks_no_more() -> None:
    choice = chosen(http=sure(0.02, ban=0.9), browser=unsure(0.7))
    assert (choice.probe, choice.order[0]) == (False, "browser")


def test_a_tier_as_cheap_as_a_probe_is_its_own() -> None:
    choice = chosen(mediawiki=unsure(0.7), http=unsure(0.6))
    assert (choice.probe, choice.order[0]) == (True, "mediawiki")


def test_nothing_is_probed_where_there_is_confidence() -> None:
    assert chosen(http=sure(0.9), browser=sure(0.9)).confidence > CONFIDENT
    assert not chosen(http=sure(0.9), browser=sure(0.9)).probe


def test_a_probe_without_plain_http_is_none() -> None:
    choice = chosen(browser=unsure(0.5))
    assert (choice.probe, choice.order) == (False, ("browser",))


def test_exploring_costs_a_share_of_the_page_and_its_propensity_is_told() -> None:
    estimates = {"http": sure(0.01), "browser": sure(0.95)}
    random, seen = Random(1), Counter[str]()  # noqa: S311 - no secret
    told = {}
    for _ in range(20_000):
        choice = choose(estimates, COSTS, random)
        seen[choice.chosen] += 1
        told[choice.chosen] = choice.propensity
        assert choice.explored == (choice.chosen == "http")
    rate = seen["http"] / 20_000
    assert rate == pytest.approx(told["http"], abs=0.01)
    assert told["http"] + told["browser"] == pytest.approx(1)
    assert rate * COSTS.tiers["http"] <= 1.1 * EXPLORE * 12 / 0.95


def test_of_several_that_are_explored_each_comes_as_often_as_is_told() -> None:
    estimates = {"mediawiki": sure(0.01), "http": sure(0.01, ban=0.3), "browser": sure(0.95)}
    chances = chances_of(options_of(estimates, COSTS), COSTS)
    told = {option.tier: chance for option, chance in chances}
    assert sum(told.values()) == pytest.approx(1)
    assert told["mediawiki"] > 2 * told["http"] > 0
    random = Random(1)  # noqa: S311 - no secret
    seen = Counter(choose(estimates, COSTS, random).chosen for _ in range(20_000))
    assert {tier: count / 20_000 for tier, count in seen.items()} == pytest.approx(told, abs=0.01)


def test_what_could_not_be_cheaper_is_not_explored() -> None:
    estimates = {"http": sure(0.9), "browser": sure(0.9)}
    for seed in range(200):
        choice = choose(estimates, COSTS, Random(seed))  # noqa: S311 - no secret
        assert (choice.chosen, choice.propensity) == ("http", 1)


def test_tiers_come_by_rising_cost_index() -> None:
    estimates = {"mediawiki": sure(0.2), "http": sure(0.5), "browser": sure(0.9)}
    options = chosen(**estimates).options
    assert all(one.cost_index <= next_.cost_index for one, next_ in pairwise(options))


@pytest.mark.parametrize(
    ("http", "telling"),
    [
        (Estimate(Beta(0.18, 0.02), 0.0), True),  # a new site of a kind that mostly works
        (Estimate(Beta(5.0, 0.1), 0.0), False),
        (Estimate(Beta(5.0, 5.0), 0.0), True),  # well known, to be in doubt
    ],
    ids=["new", "known", "in doubt"],
)
def test_where_little_is_known_the_next_attempt_tells_much(http: Estimate, telling: bool) -> None:
    assert chosen(http=http, browser=sure(0.5)).is_telling is telling
