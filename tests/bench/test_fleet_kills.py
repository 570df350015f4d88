"""Faults that happen to a fleet, and how what came of them is judged."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bench.fleet import Plan
from bench.fleet_kills import Outcome, Storm, judge, rage, section, storms
from bench.fleet_workers import Fault, Fleet, Weather
from tests.servers.many_sites import Exchange

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.redis import RealRedis

PLAN = Plan(sites=1, pages=2, delay=1.0, answer=0.5, places=2)


class Judged(Fleet):
    """A fleet that has ended."""

    def __init__(self) -> None:
        self.written = Counter({"a": 1, "b": 1})
        self._weather = Weather(lease=2.0)
        self.killed: dict[str, float] = {}
        self.faults: list[Fault] = []
        self.failures: list[str] = []

    def merged(self) -> Counter[str]:
        return self.written

    def records(self) -> int:
        return 3

    def logged(self, text: str) -> list[str]:
        return []


def judged(fleet: Judged, *exchanges: Exchange) -> Outcome:
    sites: Any = type("Sites", (), {"exchanges": {"a.org": list(exchanges)}})
    outcome = Outcome()
    judge(PLAN, sites, fleet, outcome)
    return outcome


def exchange(path: str, start: float, worker: str) -> Exchange:
    return Exchange(path, start, start + 0.5, 200, worker)


def test_a_request_sooner_than_the_delay_is_too_early_whoever_sent_it() -> None:
    outcome = judged(Judged(), exchange("/", 0.0, "0"), exchange("/1", 1.4, "1"))
    assert (outcome.early, outcome.again) == (1, 0)
    assert judged(Judged(), exchange("/", 0.0, "0"), exchange("/1", 1.6, "1")).early == 0


def test_a_request_of_a_worker_that_was_killed_ended_then() -> None:
    fleet = Judged()
    fleet.killed = {"0": 0.2}
    outcome = judged(fleet, exchange("/", 0.0, "0"), exchange("/1", 1.3, "1"))
    assert (outcome.early, outcome.cut_off) == (0, 1)


def test_what_is_requested_again_needs_a_fault() -> None:
    fleet = Judged()
    twice = exchange("/", 0.0, "0"), exchange("/", 20.0, "1")
    assert judged(fleet, *twice).unexplained == 1
    fleet.faults = [Fault("0", 1.0, 1.0)]
    outcome = judged(fleet, *twice)
    assert (outcome.again, outcome.unexplained) == (1, 0)
    fleet.faults = [Fault("0", 5.0, 5.0), Fault("2", 1.0, 1.0)]
    assert judged(fleet, *twice).unexplained == 1


def test_pages_are_counted_in_the_merged_feed() -> None:
    fleet = Judged()
    fleet.written = Counter({"a": 2})
    outcome = judged(fleet)
    assert (outcome.pages, outcome.lost, outcome.doubled, outcome.rewritten) == (2, 1, 1, 1)


def test_a_small_fleet_outlives_the_kill_of_a_worker(redis: RealRedis, tmp_path: Path) -> None:
    del redis  # its mark: there is a Redis
    plan = Plan(sites=6, pages=3, delay=0.3, answer=0.2, places=2)
    storm = Storm("kill -9 of a worker", 1, 1, Fleet.kill_worker, Weather(lease=2.0))
    outcome = Outcome()
    rage(plan, storm, outcome, tmp_path, workers=2, every=0.5)
    assert outcome.faults == 1
    assert outcome.requests >= 6 * 4
    assert (outcome.early, outcome.unexplained, outcome.lost, outcome.doubled) == (0, 0, 0, 0)
    text = section(plan, 2, 2.0, {"worker": (storm, outcome)}, "bench")
    assert "| kill -9 of a worker | 1 | 1 |" in text
    assert text.rstrip().endswith("| 18 | 0 | 0 |")


def test_all_kinds_of_faults_have_a_name() -> None:
    assert {"worker", "redis", "all", "still", "cut", "cut-long", "slow"} == set(storms(10.0))
