"""Crawls of several workers with limits on the number of pages, each worker a process."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.frontier.redis.test_crawls import Fleet, fetched
from tests.frontier.sites import ManyPages
from tests.politeness.test_many_sites import SETTINGS
from tests.scrapy_runs import run
from tests.servers.many_sites import ManySites

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.redis import RealRedis

MOST = 25


def merged(fleet: Fleet) -> list[str]:
    """Return the URLs in the feed of all workers."""
    folder = fleet.workers[0].folder
    feeds = [str(worker.feed) for worker in fleet.workers]
    done = run(["merge", *feeds, "-O", "merged.jsonl"], cwd=folder)
    assert done.returncode == 0, done.stderr
    lines = (folder / "merged.jsonl").read_text().splitlines()
    return [json.loads(line)["url"] for line in lines]


@pytest.mark.parametrize("site", [{}, {"holes": 2, "redirects": 3}], ids=["plain", "with holes"])
def test_workers_write_as_many_pages_together_as_one_may(
    redis: RealRedis, tmp_path: Path, site: dict[str, int]
) -> None:
    with ManyPages(80, fan=4, **site) as pages:
        fleet = Fleet(redis, tmp_path, f"{pages.url}/0")
        try:
            with pages.held():
                numbers = [fleet.start("-a", f"max_pages={MOST}") for _ in range(3)]
                for number in numbers:
                    fleet.wait_for_log(number, "Spider opened")
            assert [fleet.end(number) for number in numbers] == [0, 0, 0]
        finally:
            fleet.stop()
    assert len(merged(fleet)) == MOST
    written = fleet.written()
    assert set(written.values()) == {1}
    missing = [path for path in fetched(pages) if path.startswith("/missing")]
    moved = [path for path in fetched(pages) if path.startswith("/to-")]
    assert len(fetched(pages)) == MOST + len(missing) + len(moved)  # nothing in vain


def test_a_killed_worker_neither_adds_a_page_nor_costs_one(
    redis: RealRedis, tmp_path: Path
) -> None:
    with ManyPages(80, fan=4, holes=3, delay=0.02) as pages:
        fleet = Fleet(redis, tmp_path, f"{pages.url}/0")
        try:
            for _ in range(3):
                fleet.start("-a", f"max_pages={MOST}")
            fleet.wait_for_pages(0, 4)
            fleet.processes[0].kill()
            fleet.end(0)
            assert [fleet.end(number) for number in (1, 2)] == [0, 0]
        finally:
            fleet.stop()
    assert len(merged(fleet)) == MOST


def test_a_job_goes_on_with_a_higher_limit(redis: RealRedis, tmp_path: Path) -> None:
    with ManyPages(40) as pages:
        fleet = Fleet(redis, tmp_path, f"{pages.url}/0")
        try:
            for most in (5, 12):
                numbers = [fleet.start("-a", f"max_pages={most}") for _ in range(2)]
                assert [fleet.end(number) for number in numbers] == [0, 0]
                assert len(fleet.written()) == most
        finally:
            fleet.stop()


def test_each_site_has_its_pages_over_all_workers(redis: RealRedis, tmp_path: Path) -> None:
    many, pages, most = 12, 8, 3
    arguments = [part for name, value in SETTINGS.items() for part in ("-s", f"{name}={value}")]
    arguments += ["-s", f"WIKICRAWLER_SITE_MAX_PAGES={most}"]
    with ManySites(many, pages) as sites:
        seeds = tmp_path / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in sites.seeds()))
        fleet = Fleet(redis, tmp_path, str(seeds))
        try:
            for _ in range(2):
                fleet.start(*arguments)
            assert [fleet.end(number) for number in range(2)] == [0, 0]
        finally:
            fleet.stop()
    hosts = Counter(url.split("/")[2] for url in merged(fleet))
    assert set(hosts.values()) == {most}
    assert len(hosts) == many
    left_out = [worker.log.count("left_out/site_max_pages") for worker in fleet.workers]
    assert sum(left_out) > 0
