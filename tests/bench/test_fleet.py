"""A crawl of a fleet, and what the report says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.fleet import Outcome, Plan, crawl, section

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.redis import RealRedis

ONE = Outcome(500, 50.0, early=0, again=0, lost=0, twice=0, cpu=5.0)
TWO = Outcome(510, 26.0, early=1, again=2, lost=3, twice=4, cpu=5.0)


def test_the_speed_is_compared_with_that_of_the_first() -> None:
    text = section(Plan(100, 4, 1.0, 0.8, 8), {1: ONE, 2: TWO}, "bench")
    assert "| 1 | 500 | 50.0 | 10.0 | 1.00× |" in text
    assert "| 2 | 510 | 26.0 | 19.6 | 1.96× |" in text
    assert text.rstrip().endswith("| 1 | 2 | 3 | 4 |")


def test_two_workers_share_a_small_web(redis: RealRedis, tmp_path: Path) -> None:
    plan = Plan(sites=4, pages=2, delay=0.2, answer=0.1, places=2)
    outcome = crawl(plan, 2, redis, tmp_path)
    assert outcome.requests == 4 * 3
    assert outcome[2:6] == (0, 0, 0, 0)
    assert outcome.seconds > 3 * 0.1 + 2 * 0.2
