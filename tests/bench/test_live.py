"""Real crawls of a small world save what the simulation says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.learning import live
from bench.learning.world import make, read
from tests.servers.archetypes import Asked

WORLD = Path(live.__file__).parent / "worlds" / "live.yml"


def test_by_what_is_learned_pages_cost_less_as_much_as_the_simulation_says(tmp_path: Path) -> None:
    world = make(read(WORLD) | {"pages": 700}, 2)
    figures = live.compare(world, ("static", "learned"), tmp_path)
    static, learned = figures["static, live"], figures["learned, live"]
    assert learned["cost a page"] < 0.9 * static["cost a page"]
    assert learned["blocked"] <= 0.6 * static["blocked"]
    assert learned["success"] >= static["success"] - 0.5
    # The policies' own chance moves the cost of a page by 0.3 % here, the few blocks by 8 %.
    for ratio in (figures["static, ratio"], figures["learned, ratio"]):
        for name in ("cost a page", "success", "attempts"):
            assert ratio[name] == pytest.approx(1, abs=0.1)
    assert figures["static, ratio"]["blocked"] == pytest.approx(1, abs=0.1)


def test_shadow_asks_for_what_static_asks_for(tmp_path: Path) -> None:
    world = make(read(WORLD) | {"pages": 300}, 2)
    logs = []
    for policy in ("static", "shadow"):
        folder = tmp_path / policy
        folder.mkdir()
        log, _ = live.crawl(world, policy, folder)
        logs.append(Counter(log))
    assert logs[0] == logs[1]


def test_a_second_crawl_goes_by_what_the_first_has_learned(tmp_path: Path) -> None:
    world = make(read(WORLD) | {"pages": 400, "drift": []}, 3)
    first, again = (
        live.result_of(world, live.crawl(world, "learned", tmp_path)[0]) for _ in range(2)
    )
    assert again.blocked < 0.6 * first.blocked
    assert again.cost < first.cost
    assert again.successes == first.successes


def test_figures_are_counted_in_the_log() -> None:
    parameters = read(WORLD) | {"pages": 60, "missing": 0.0, "drift": []}
    parameters["archetypes"] = {"closed": {"sites": 1, "wiki": True, "mediawiki": {"api_off": 1.0}}}
    log = [
        Asked(0, None, "", "missing", 404),  # robots.txt
        Asked(0, None, "mediawiki", "api_off", 404),  # what the wiki is, which was the attempt
        Asked(0, 0, "http", "blocked", 403),
        Asked(0, 0, "browser", "ok", 200),
        Asked(0, 1, "http", "ok", 200),
    ]
    result = live.result_of(make(parameters, 1), log)
    assert (result.attempts, result.blocked, result.successes, result.pages) == (4, 1, 2, 60)
    assert result.cost == 0.5 + (1 + 10) + 12 + 1
    assert [first for _, first, _ in result.first[0]] == ["http", "http"]


def test_a_world_without_an_answer_for_a_reason_is_refused() -> None:
    parameters = read(WORLD) | {"pages": 60, "noise": {"timeout": 0.1}}
    with pytest.raises(ValueError, match="timeout"):
        live.Archetypes(make(parameters, 1))
