"""Fleets side by side: what is counted, and the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import fleet_peers
from bench.fleet import Plan
from bench.fleet_peers import Outcome, crawl, section
from bench.fleet_queue import Case
from bench.fleet_queue import section as queue_section

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.servers.redis import RealRedis

PLAN = Plan(sites=3, pages=2, delay=0.2, answer=0.1, places=2)
ONE = Outcome(9, 9.0, gaps=6, early=2, early_pages=1, again=3, lost=4, twice=5)
TWO = ONE._replace(seconds=6.0)


def test_a_small_web_is_crawled_and_counted(redis: RealRedis, tmp_path: Path) -> None:
    outcome = crawl("ours", PLAN, 1, redis, tmp_path)
    assert outcome.requests == 9
    assert outcome[2:] == (6, 0, 0, 0, 0, 0)


def test_each_program_is_compared_with_one_worker_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fleet_peers.Environment, "versions", lambda self: {"scrapy": "1"})
    speeds = {("ours", 1): ONE, ("ours", 2): TWO, ("cluster", 1): TWO}
    text = section(PLAN, speeds, {"ours": ONE}, "bench")
    assert "| this project | 1 | 1.0 | 1.00× | 2 of 6 | 1 | 3 | 4 | 5 |" in text
    assert "| this project | 2 | 1.5 | 1.50× |" in text
    assert "(model) | 1 | 1.5 | 1.00× |" in text
    assert "| this project | 2, one killed, one joins | 1.0 |  | 2 of 6 |" in text


def test_a_queue_is_shown_by_its_size() -> None:
    case = Case(1_000_000, 1_000, 9_000.0, 276.4, 26.1, 1_400.0, 0.0288, 0.0871, 10_000)
    text = queue_section([case], "bench")
    assert "| 1,000,000 | 1,000 | 9,000 | 276 | 26 B | 1,400 | 28.8 ms | 87.1 ms |" in text
