"""What tiers cost, and what follows from the defaults."""

from __future__ import annotations

from random import Random

import pytest
from scrapy.settings import Settings

from tests.learning.pages import NOW, page
from wikicrawler.errors import ConfigError
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome

TIERS = ("mediawiki", "http", "browser")


def test_what_is_not_configured_is_as_by_default() -> None:
    found = costs_of(Settings({"WIKICRAWLER_TIER_COSTS": {"browser": 5}}))
    paid = {"firecrawl": 40.0, "scrapingant": 20.0}
    assert found.tiers == {"mediawiki": 0.5, "http": 1.0, "browser": 5.0, **paid}
    assert (found.ban, found.page, found.explore) == (10.0, 200.0, 0.01)


def test_costs_may_come_from_the_command_line() -> None:
    found = costs_of(Settings({"WIKICRAWLER_TIER_COSTS": '{"ban": 2}', "WIKICRAWLER_EXPLORE": "0"}))
    assert (found.ban, found.explore) == (2.0, 0.0)


@pytest.mark.parametrize(
    "value", ["[1]", '{"http": "1"}', '{"http": true}', '{"http": -1}', '{"http": Infinity}', 7]
)
def test_what_is_no_cost_is_refused(value: object) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_TIER_COSTS"):
        costs_of(Settings({"WIKICRAWLER_TIER_COSTS": value}))


@pytest.mark.parametrize("value", ["much", -0.1, 0.6, []])
def test_what_is_no_share_is_refused(value: object) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_EXPLORE is"):
        costs_of(Settings({"WIKICRAWLER_EXPLORE": value}))


def test_by_default_a_wiki_is_asked_by_its_api_though_its_pages_come_as_well() -> None:
    learner = Learner(costs_of(Settings()), Random(1))  # noqa: S311 - no secret
    wiki = page("https://wiki.example/wiki/Amber", is_wiki=True)
    for _ in range(20):
        learner.record(wiki, "http", Outcome.SUCCESS, NOW)
    assert learner.choose(wiki, TIERS, NOW).options[0].tier == "mediawiki"
    for _ in range(4):
        learner.record(wiki, "mediawiki", Outcome.FAILURE, NOW)
    assert learner.choose(wiki, TIERS, NOW).options[0].tier == "http"
