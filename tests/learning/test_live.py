"""What a crawl takes up of earlier ones."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.learning.recorded import ARTICLE, Recorded
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/robots.txt", Reply(404)).on("/amber", Reply(body=ARTICLE))


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / "db.sqlite")


@deferred_f_from_coro_f
async def test_rows_that_cannot_be_understood_lose_no_page(
    site: ScriptedServer, recorded: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    await fetch(site.url("/amber"), **recorded.settings)
    connection = sqlite3.connect(recorded.file)
    with connection:
        connection.execute("UPDATE attempts SET at = at - 60")
        change = "SELECT run, 1, at + 30, domain, domain, tier, 'little', FALSE FROM attempts"
        connection.execute(f"INSERT INTO tier_changes {change}")
    connection.close()
    done = await fetch(site.url("/amber"), WIKICRAWLER_TIER_POLICY="learned", **recorded.settings)
    assert len(done.responses) == 1
    assert caplog.text.count("What was learned before cannot be read from") == 1
