"""Attempts go in, choices come out."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.learning.pages import DAY, NOW, page
from wikicrawler.learning.model.choice import Costs
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome

if TYPE_CHECKING:
    from wikicrawler.learning.model.sums import Changed

COSTS = Costs({"mediawiki": 1.0, "http": 1.0, "browser": 12.0}, ban=10.0, page=200.0, probe="http")
TIERS = ("http", "browser")
SITE = page("https://a.example/x/y")


class Site:
    """A site that is crawled at one page a minute, with the learner's choices."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.now = NOW
        self.changes: list[Changed] = []

    def crawl(self, pages: int, **outcomes: Outcome) -> list[str]:
        """Crawl a number of *pages* and return the first tier of each.

        :param outcomes: the outcome of each tier
        """
        first_tiers = []
        for _ in range(pages):
            self.now += 60
            order = self.learner.choose(SITE, TIERS, self.now).order
            first_tiers.append(order[0])
            for tier in order:
                outcome = outcomes[tier]
                if changed := self.learner.record(SITE, tier, outcome, self.now):
                    self.changes.append(changed)
                if outcome is Outcome.SUCCESS:
                    break
        return first_tiers


@pytest.fixture
def site() -> Site:
    return Site(Learner(COSTS, Random(1)))  # noqa: S311 - no secret


def test_a_site_that_needs_a_browser_starts_with_it(site: Site) -> None:
    first_tiers = site.crawl(200, http=Outcome.FAILURE, browser=Outcome.SUCCESS)
    assert first_tiers[0] == "http"
    assert first_tiers[100:].count("browser") >= 70


def test_a_site_that_turns_to_javascript_and_back_is_followed(site: Site) -> None:
    works, fails = Outcome.SUCCESS, Outcome.FAILURE
    assert set(site.crawl(1000, http=works, browser=works)) == {"http"}
    turned = site.crawl(300, http=fails, browser=works)
    assert turned[100:].count("browser") >= 140
    back = site.crawl(300, http=works, browser=works)
    assert set(back[150:]) == {"http"}
    assert [change.tier for change in site.changes] == ["http", "http"]


def test_blocks_are_soon_avoided(site: Site) -> None:
    first_tiers = site.crawl(300, http=Outcome.BAN, browser=Outcome.SUCCESS)
    assert first_tiers.count("http") < 20


def test_an_outcome_of_none_changes_nothing(site: Site) -> None:
    site.crawl(50, http=Outcome.SUCCESS, browser=Outcome.SUCCESS)
    before = site.learner.estimate(SITE, "http", site.now)
    for _ in range(50):
        assert site.learner.record(SITE, "http", Outcome.NONE, site.now) is None
    assert site.learner.estimate(SITE, "http", site.now) == before


def test_estimates_become_uncertain_with_age(site: Site) -> None:
    site.crawl(30, http=Outcome.FAILURE, browser=Outcome.SUCCESS)
    means = [
        site.learner.estimate(SITE, "http", site.now + days * DAY).success.mean
        for days in (0, 90, 300)
    ]
    assert means == sorted(means)
    assert means[0] < 0.1
    assert means[2] > 0.4


def test_the_same_seed_gives_the_same_choices() -> None:
    first, second = (Site(Learner(COSTS, Random(7))) for _ in range(2))  # noqa: S311 - no secret
    for each in (first, second):
        each.crawl(100, http=Outcome.FAILURE, browser=Outcome.SUCCESS)
    assert first.crawl(200, http=Outcome.FAILURE, browser=Outcome.SUCCESS) == second.crawl(
        200, http=Outcome.FAILURE, browser=Outcome.SUCCESS
    )
