"""The policy that knows what sites there are, and worlds with hours and with few pages a site."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from bench.learning import simulate
from bench.learning.planning import Planner
from bench.learning.policies import Oracle, Static
from bench.learning.world import START, at_hour, make
from tests.bench.test_learning import small
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from bench.learning.metrics import Result

SHELL, BLOCKED = {"js_shell": 1.0}, {"blocked": 1.0}


def crawl(parameters: dict[str, Any], policy: str, seed: int = 1) -> Result:
    world = make(parameters, seed)
    return simulate.Crawl(world, simulate.POLICIES[policy](world, seed)).run()


def per_site(first: int, last: int, **archetypes: dict[str, Any]) -> dict[str, Any]:
    return small(**archetypes) | {"site_pages": [first, last], "sites": 200, "pages": 10_000}


def test_a_host_is_asked_for_as_many_pages_as_the_world_says() -> None:
    world = make(per_site(3, 10, static={"share": 1}), 1)
    numbers = Counter(page.host for page in world.pages)
    assert len(numbers) == 200
    assert set(numbers.values()) == set(range(3, 11))


@pytest.mark.parametrize(
    ("first", "hour", "expected"),
    [(8, 7, "a"), (8, 8, "b"), (8, 19, "b"), (8, 20, "a"), (20, 3, "b"), (20, 8, "a"), (0, 0, "b")],
)
def test_a_host_is_another_at_some_hours(first: int, hour: int, expected: str) -> None:
    archetypes = {"a": {"hours": {"from": first, "for": 12, "as": "b"}}, "b": {}}
    midnight = START // 86_400 * 86_400
    assert at_hour(archetypes, "a", "host", midnight + hour * 3600 + 60) == expected
    assert at_hour(archetypes, "b", "host", midnight + hour * 3600 + 60) == "b"


def test_a_host_keeps_the_hour_that_it_has_of_several() -> None:
    archetypes = {"a": {"hours": {"from": [1, 5, 9], "for": 4, "as": "b"}}, "b": {}}
    begins = set()
    for number in range(50):
        others = [h for h in range(24) if at_hour(archetypes, "a", f"h{number}", h * 3600) == "b"]
        assert len(others) == 4
        begins.add(others[0])
    assert begins == {1, 5, 9}


def test_an_answer_shows_what_the_archetype_says() -> None:
    shown = {"share": 1, "shows": {"server": {"nginx": 0.7}}}
    world = make(per_site(1, 1, static=shown), 1)
    servers = Counter(dict(page.part.shows)["server"] for page in world.pages)
    assert set(servers) == {"nginx", ""}
    assert 110 < servers["nginx"] < 170


@pytest.mark.parametrize("likely", [0.02, 0.1, 0.3, 0.5, 0.9])
def test_the_plan_of_a_page_is_the_cheapest_order(likely: float) -> None:
    """Without later pages and where no page is worth giving up."""
    world = make(small(static={"share": 1}), 1)
    outlook = {
        "open": {"http": {}, "browser": {"empty": 0.1}},
        "blocked": {"http": {"blocked": 0.9}, "browser": {"empty": 0.2}},
    }
    belief = {"open": likely, "blocked": 1 - likely}
    costs, values = world.costs, {}
    for order in permutations(("http", "browser")):
        value = 0.0
        for kind, share in belief.items():
            left = 1.0
            for tier in order:
                (reason, rate), *_ = [*outlook[kind][tier].items(), ("", 0.0)]
                ban = rate * costs.ban * (reason == Reason.BLOCKED)
                value += share * left * (costs.tiers[tier] + ban)
                left *= rate
        values[order] = value
    best = Planner(costs, lambda *_: []).best(
        belief, outlook, ("http", "browser"), 0.0, world.pages[0]
    )
    assert best == min(values, key=values.__getitem__)[0]


def test_bayes_begins_with_the_tier_that_its_path_implies() -> None:
    parts = [{"share": 0.5, "path": "/app/", "http": SHELL}, {"share": 0.5, "path": "/blog/"}]
    result = crawl(per_site(3, 3, mixed={"share": 1, "parts": parts}), "bayes")
    assert result.attempts == result.successes == 600


def test_bayes_asks_once_what_a_site_is() -> None:
    """The second page of each site begins with the right tier, as all pages of the oracle's do."""
    world = per_site(4, 4, static={"share": 0.5}, javascript={"share": 0.5, "http": SHELL})
    bayes, oracle, static = (crawl(world, name) for name in ("bayes", "oracle", "static"))
    shells = (oracle.cost - 800) / 11
    assert bayes.cost == pytest.approx(oracle.cost + shells / 4)
    assert static.cost == pytest.approx(oracle.cost + shells)


def test_bayes_tries_what_costs_more_now_and_less_later() -> None:
    """A plain GET that is blocked on most sites pays on a site with many pages, not with one."""
    sites = {
        "open": {"share": 0.3},
        "closed": {"share": 0.7, "http": BLOCKED},
    }
    for pages, tries in ((1, False), (30, True)):
        world = make(per_site(pages, pages, **sites), 1)
        result = simulate.Crawl(world, simulate.POLICIES["bayes"](world, 1)).run()
        assert any(first[0][1] == "http" for first in result.first.values()) is tries


def test_bayes_knows_the_hours() -> None:
    by_day = {"share": 1, "hours": {"from": 8, "for": 12, "as": "blocked"}}
    world = small(by_day=by_day, blocked={"share": 0, "http": BLOCKED})
    bayes, oracle = (crawl(world, name) for name in ("bayes", "oracle"))
    assert bayes.cost == oracle.cost
    assert bayes.blocked == 0


def test_bayes_follows_changes() -> None:
    drift = [{"name": "turn", "from": "static", "to": "blocked", "share": 0.5, "day": [2, 8]}]
    world = small(static={"share": 1}, blocked={"share": 0, "http": BLOCKED}) | {"drift": drift}
    turned = len({turn.host for turn in make(world, 1).turns})
    result = crawl(world, "bayes")
    assert 0 < turned < 5
    assert result.blocked <= 2 * turned


@pytest.mark.parametrize("policy", [Static, Oracle])
def test_hours_make_a_world_that_depends_on_them(policy: type) -> None:
    by_day = {"share": 1, "hours": {"from": 8, "for": 12, "as": "blocked"}}
    world = make(small(by_day=by_day, blocked={"share": 0, "http": BLOCKED}), 1)
    result = simulate.Crawl(world, policy(world.costs, 1)).run()
    by_day = sum(8 <= page.at / 3600 % 24 < 20 for page in world.pages)
    assert result.blocked == (by_day if policy is Static else 0)
