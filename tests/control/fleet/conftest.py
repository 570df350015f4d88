from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.frontier.redis.test_crawls import Fleet
from tests.frontier.sites import ManyPages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.redis import RealRedis


@pytest.fixture
def site() -> Iterator[ManyPages]:
    with ManyPages(20, delay=0.02) as site:
        yield site


@pytest.fixture
def fleet(redis: RealRedis, site: ManyPages, tmp_path: Path) -> Iterator[Fleet]:
    fleet = Fleet(redis, tmp_path, f"{site.url}/0")
    yield fleet
    fleet.stop()
