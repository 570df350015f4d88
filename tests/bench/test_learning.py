"""The simulation: worlds, policies and what is counted."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.learning import simulate
from bench.learning.crawlee import Predictor
from bench.learning.metrics import Result, calibration_error, interval, relearned
from bench.learning.policies import Learned, Literal, Oracle, Static
from bench.learning.world import START, Turn, World, make, read
from wikicrawler.errors import Reason

WORLDS = sorted((Path(simulate.__file__).parent / "worlds").glob("*.yml"))


def small(**archetypes: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": "small",
        "days": 10,
        "pages": 400,
        "sites": 5,
        "more_hosts": 0.0,
        "alike": 1.0,
        "popularity": 0.5,
        "session": 20,
        "gap": 1,
        "missing": 0.0,
        "noise": {},
        "costs": {"mediawiki": 1, "http": 1, "browser": 12, "ban": 10, "page": 200},
        "archetypes": archetypes,
        "drift": [],
    }


def cost(parameters: dict[str, Any], policy: type) -> Result:
    world = make(parameters, 1)
    return simulate.Crawl(world, policy(world.costs, 1)).run()


@pytest.mark.parametrize("file", WORLDS, ids=lambda file: file.stem)
def test_worlds_are_whole(file: Path) -> None:
    parameters = read(file)
    archetypes = parameters["archetypes"]
    counted = "sites" not in parameters
    assert counted or sum(a["share"] for a in archetypes.values()) == pytest.approx(1)
    assert all({d["from"], d["to"]} <= archetypes.keys() for d in parameters["drift"])
    for of in archetypes.values():
        for tier in ("mediawiki", "http", "browser"):
            assert {Reason(reason) for reason in of.get(tier, {})} <= set(Reason)
    world = make(parameters | {"pages": 500}, 1)
    assert len(world.pages) == 500
    assert all(a.at <= b.at for a, b in zip(world.pages, world.pages[1:], strict=False))


def test_a_seed_makes_the_same_world_again_and_another_another() -> None:
    parameters = read(WORLDS[0]) | {"pages": 300}
    assert make(parameters, 1).pages == make(parameters, 1).pages
    assert make(parameters, 1).pages != make(parameters, 2).pages


def test_a_world_may_have_so_many_sites_of_each_kind() -> None:
    parameters = small(static={"sites": 2}, javascript={"sites": 1, "http": {"js_shell": 1.0}})
    del parameters["sites"]
    world = make(parameters, 1)
    assert len(world.hosts) == 3
    shells = {page.host for page in world.pages if page.reason("http") == Reason.JS_SHELL}
    assert shells == {2}


def test_as_crawled_an_api_that_keeps_failing_is_left_alone() -> None:
    wiki = {"share": 1, "wiki": True, "mediawiki": {"api_error": 1.0}}
    closed = {"share": 1, "wiki": True, "mediawiki": {"api_off": 1.0}}
    world = small(wiki=wiki) | {"sites": 1, "days": 0.001}
    assert cost(world, Static).attempts == 800
    assert cost(world | {"as_crawled": True}, Static).attempts == 405
    world["archetypes"] = {"closed": closed}
    assert cost(world | {"as_crawled": True}, Static).attempts == 401


def test_as_crawled_a_page_is_on_its_way_when_its_site_is_paused() -> None:
    blocked = {"blocked_captcha": 1.0}
    everywhere = {"share": 1, "http": blocked, "browser": blocked}
    world = small(everywhere=everywhere) | {"sites": 1, "days": 0.001}
    assert cost(world, Static).attempts == 3 * 2
    assert cost(world | {"as_crawled": True}, Static).attempts == 4 * 2


def test_as_crawled_a_page_of_a_new_site_is_planned_when_the_first_has_been_tried() -> None:
    captcha = {"share": 1, "http": {"blocked_captcha": 1.0}}
    world = small(captcha=captcha) | {"sites": 1, "pages": 2, "as_crawled": True}
    assert cost(world, Learned).blocked == 1


def test_static_sites_cost_a_get_and_applications_a_browser_too() -> None:
    static = cost(small(static={"share": 1}), Static)
    assert (static.cost, static.successes, static.blocked) == (400, 400, 0)
    javascript = {"share": 1, "http": {"js_shell": 1.0}}
    assert cost(small(javascript=javascript), Static).cost == 400 * 13
    assert cost(small(javascript=javascript), Oracle).cost == 400 * 12


def test_a_ban_is_paid_for_and_a_site_that_blocks_all_is_left_alone() -> None:
    blocked = {"share": 1, "http": {"blocked": 1.0}}
    result = cost(small(blocked=blocked), Static)
    assert (result.blocked, result.cost) == (400, 400 * (1 + 10 + 12))
    everywhere = blocked | {"browser": {"blocked_captcha": 1.0}}
    assert cost(small(everywhere=everywhere), Static).attempts < 400


def test_the_oracle_asks_only_the_api_where_that_alone_is_safe() -> None:
    safe = {
        "share": 1,
        "wiki": True,
        "mediawiki": {"api_error": 0.02},
        "http": {"blocked": 1.0},
        "browser": {"blocked": 1.0},
    }
    result = cost(small(safe=safe), Oracle)
    assert (result.blocked, result.cost) == (0, 400)


def test_ours_is_nearer_to_the_oracle_than_the_fixed_order_and_the_literal_rule() -> None:
    world = small(
        static={"share": 0.5, "http": {"empty": 0.02}},
        javascript={"share": 0.3, "http": {"js_shell": 0.99}},
        blocked={"share": 0.2, "http": {"blocked": 0.98}},
    ) | {"pages": 3000, "sites": 20}
    static, literal, ours, oracle = (
        cost(world, policy).cost for policy in (Static, Literal, Learned, Oracle)
    )
    assert oracle < ours < min(static, literal)


def test_crawlee_tells_static_from_client_only_on_one_host() -> None:
    predictor = Predictor()
    assert predictor.predict(("a", "/blog/*")) == (False, 1.0)
    for _ in range(10):
        predictor.store(("a", "/blog/*"), is_static=True)
        predictor.store(("a", "/app/*"), is_static=False)
    assert predictor.predict(("a", "/blog/*")) == (True, 0.1)
    assert predictor.predict(("a", "/app/*")) == (False, 0.1)


def test_a_change_is_learned_when_pages_are_begun_with_the_right_tier() -> None:
    world = World("w", make(small(static={"share": 1}), 1).costs, ["h"])
    world.turns = [Turn(START + 100, 0, "turn")]
    result = Result()
    for second in range(500):
        right = "http" if second < 100 else "browser"
        first = "http" if second < 130 else "browser"
        result.first[0].append((START + second, first, right))
    assert relearned(world, result) == {"turn": [28]}  # 8 of the 10 pages from there are right


def test_calibration_is_perfect_where_belief_is_the_share() -> None:
    assert calibration_error([(0.75, True)] * 3 + [(0.75, False)]) == pytest.approx(0)
    assert calibration_error([(0.75, False)] * 4) == pytest.approx(0.75)


def test_the_interval_is_students() -> None:
    middle, half = interval([1.0, 2.0, 3.0])
    assert middle == 2
    assert half == pytest.approx(4.3027 / math.sqrt(3), abs=1e-3)


def test_the_command_prints_means_and_writes_all_figures(tmp_path: Path) -> None:
    file, out = tmp_path / "world.json", tmp_path / "out.json"
    file.write_text(json.dumps(small(static={"share": 1, "http": {"empty": 0.1}})), "utf-8")
    arguments = ["--world", file, "--seeds", "3-4", "--json", out]
    command = [sys.executable, simulate.__file__, *arguments]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "| learned |" in printed.stdout
    report = json.loads(out.read_text("utf-8"))
    assert set(report["seeds"]) == {"3", "4"}
    mean, half, number = report["means"]["learned"]["cost / oracle"]
    assert number == 2
    assert mean >= 0.9
    assert half >= 0
