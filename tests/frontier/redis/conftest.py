from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.frontier.redis.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.redis import RealRedis


@pytest.fixture
def workers(redis: RealRedis, tmp_path: Path) -> Iterator[Workers]:
    found = Workers(redis, tmp_path)
    yield found
    found.end()
