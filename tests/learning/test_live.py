"""What a crawl takes up of earlier ones, and what it lets go of."""

from __future__ import annotations

import gc
import logging
import sqlite3
import subprocess
import sys
from time import time
from typing import TYPE_CHECKING, Any
from weakref import ref

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import fetch
from tests.learning.recorded import ARTICLE, Recorded
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.learning.live import learner_of

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


async def paused(site: ScriptedServer, recorded: Recorded, until: object) -> None:
    """An earlier crawl was blocked by *site*."""
    await fetch(site.url("/amber"), **recorded.settings)
    connection = sqlite3.connect(recorded.file)
    with connection:
        connection.execute("UPDATE sites SET paused_until = ?, risk_level = 1", (until,))
    connection.close()
    site.exchanges.clear()


@pytest.mark.parametrize(
    "policy",
    [
        {"WIKICRAWLER_TIER_POLICY": "static"},
        {"WIKICRAWLER_TIER_POLICY": "shadow"},
        {"WIKICRAWLER_TIER_POLICY": "split", "WIKICRAWLER_TIER_SPLIT": 0},
    ],
)
@deferred_f_from_coro_f
async def test_pages_that_go_by_the_configured_order_heed_no_pause_of_an_earlier_crawl(
    site: ScriptedServer, recorded: Recorded, policy: dict[str, Any]
) -> None:
    await paused(site, recorded, time() + 900)
    done = await fetch(site.url("/amber"), **recorded.settings, **policy)
    assert len(done.responses) == 1
    assert site.paths() == ["/robots.txt", "/amber"]


@deferred_f_from_coro_f
async def test_rows_that_cannot_be_understood_lose_no_page(
    site: ScriptedServer, recorded: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    await paused(site, recorded, "tomorrow")
    with caplog.at_level(logging.INFO):
        done = await fetch(
            site.url("/amber"), WIKICRAWLER_TIER_POLICY="learned", **recorded.settings
        )
    assert len(done.responses) == 1
    assert caplog.text.count("What was learned before cannot be read from") == 1


def test_what_was_learned_is_let_go_of_with_its_crawl() -> None:
    crawler = get_crawler()
    learner = ref(learner_of(crawler))
    del crawler
    gc.collect()
    assert learner() is None


UNDER_WAY = """
import asyncio, time
from wikicrawler.learning.live import aside

async def stopped():
    reading = asyncio.ensure_future(aside(lambda: time.sleep(600)))
    await asyncio.wait({reading}, timeout=0.1)

asyncio.run(stopped())
"""


def test_a_process_ends_while_it_reads_what_was_learned() -> None:
    command = [sys.executable, "-c", UNDER_WAY]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
