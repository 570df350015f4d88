"""Crawls of several workers, each a process, of a site with a trap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.frontier.redis.test_crawls import Fleet
from tests.servers.scripted import Reply, ScriptedServer
from tests.servers.traps import html, prose
from wikicrawler.scope.families import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.redis import RealRedis

WORKERS, LISTS, GOOD = 3, 200, 60


def test_workers_leave_a_trap_when_they_have_seen_enough_of_it_together(
    redis: RealRedis, tmp_path: Path
) -> None:
    lists = [f"/list?page={n}" for n in range(LISTS)]
    good = [f"/archive?page={n}" for n in range(GOOD)]
    with ScriptedServer() as site:
        site.on("/robots.txt", Reply(404))
        site.on("/", Reply(body=html("Start", "Where to?", [*lists, *good])))
        for path in lists:
            site.on(path, Reply(body=html("All there is", "Lamps, chairs and tables.", [])))
        for path in good:
            site.on(path, Reply(body=html("Archive", prose(path), [])))
        fleet = Fleet(redis, tmp_path, site.url("/"))
        try:
            for _ in range(WORKERS):
                fleet.start()
            assert [fleet.end(number) for number in range(WORKERS)] == [0] * WORKERS
        finally:
            fleet.stop()
        fetched = [path for path in site.paths() if path.startswith("/list")]
        assert len(fetched) < WORKERS * PATIENCE
        assert {site.url(path) for path in good} <= set(fleet.written())
    for worker in fleet.workers:
        assert "Traceback" not in worker.log
