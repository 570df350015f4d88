"""A project with the ADDONS line crawls as it did without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.projects.crawls import ROOT, SPIDERS, Crawl, copy_of, crawl, crawl_auctions
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.redis import RealRedis


@pytest.mark.parametrize("name", SPIDERS)
def test_the_line_changes_nothing(name: str, tmp_path: Path) -> None:
    if name == "wallpapers":
        pytest.importorskip("PIL")
    before = crawl(name, tmp_path, addon=False)
    after = crawl(name, tmp_path, addon=True)

    assert before.items
    assert after.items == before.items, after.log
    assert after.requests == before.requests, after.log
    assert _announced(after)


def test_the_line_changes_nothing_where_the_queue_is_in_redis(
    redis: RealRedis, tmp_path: Path
) -> None:
    before = crawl_auctions(redis, tmp_path, addon=False)
    stored = _items_in(redis)
    assert before.items
    assert stored == before.items

    for number, settings in enumerate(({}, {"JOBDIR": "job"})):
        folder = tmp_path / str(number)
        after = crawl_auctions(redis, folder, addon=True, settings=settings)
        assert after.items == before.items, after.log
        assert after.requests == before.requests, after.log
        assert _items_in(redis) == stored
        assert "'scheduler/enqueued/redis'" in after.log
        assert "JOBDIR" not in _announced(after)


def test_the_shell_opens_a_private_page(tmp_path: Path) -> None:
    project = copy_of("archive", tmp_path, addon=True)
    with ScriptedServer() as site:
        site.on("/robots.txt", Reply(404)).on("/page")
        command = [sys.executable, "-m", "scrapy", "shell", "--nolog", "-c", "response.status"]
        done = subprocess.run(
            [*command, site.url("/page")],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.stdout.strip() == "200", done.stderr


def _announced(crawl: Crawl) -> str:
    """The one line about what the add-on changes."""
    _, line = crawl.log.split("What wikicrawler changes in this project (docs/addon.md): ")
    return line.partition("\n")[0]


def _items_in(redis: RealRedis) -> list[str]:
    """What RedisPipeline has stored, in the form of :attr:`Crawl.items`."""
    with redis.client() as client:
        found = client.lrange("lots:items", 0, -1)
    return sorted(json.dumps(json.loads(item), sort_keys=True) for item in found)
