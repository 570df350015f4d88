"""A project with the ADDONS line crawls as it did without it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.projects.crawls import SPIDERS, crawl, crawl_auctions

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
    assert after.log.count("What wikicrawler changes in this project (docs/addon.md): ") == 1


def test_the_line_changes_nothing_where_the_queue_is_in_redis(
    redis: RealRedis, tmp_path: Path
) -> None:
    before = crawl_auctions(redis, tmp_path, addon=False)
    stored = _items_in(redis)
    after = crawl_auctions(redis, tmp_path, addon=True)

    assert before.items
    assert after.items == before.items, after.log
    assert after.requests == before.requests, after.log
    assert stored == before.items
    assert _items_in(redis) == after.items


def _items_in(redis: RealRedis) -> list[str]:
    """What RedisPipeline has stored, in the form of :attr:`Crawl.items`."""
    with redis.client() as client:
        found = client.lrange("lots:items", 0, -1)
    return sorted(json.dumps(json.loads(item), sort_keys=True) for item in found)
