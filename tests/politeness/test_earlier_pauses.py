"""A crawl with a database leaves alone what earlier crawls have paused, whatever its policy."""

from __future__ import annotations

import sqlite3
from time import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.learning.recorded import ARTICLE, Recorded
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POLICIES = [
    {"WIKICRAWLER_TIER_POLICY": "static"},
    {"WIKICRAWLER_TIER_POLICY": "shadow"},
    {"WIKICRAWLER_TIER_POLICY": "split", "WIKICRAWLER_TIER_SPLIT": 0},
    {"WIKICRAWLER_TIER_POLICY": "split", "WIKICRAWLER_TIER_SPLIT": 1},
    {"WIKICRAWLER_TIER_POLICY": "learned"},
]
every_policy = pytest.mark.parametrize(
    "policy", POLICIES, ids=lambda policy: "-".join(map(str, policy.values()))
)


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/robots.txt", Reply(404)).on("/amber", Reply(body=ARTICLE))


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    found = Recorded(tmp_path / "db.sqlite")
    found.settings["WIKICRAWLER_LONGEST_WAIT"] = 0
    return found


async def pause(site: ScriptedServer, recorded: Recorded, until: object) -> None:
    """Have an earlier crawl paused *site* until then."""
    await fetch(site.url("/amber"), **recorded.settings)
    connection = sqlite3.connect(recorded.file)
    with connection:
        connection.execute("UPDATE sites SET paused_until = ?, risk_level = 1", (until,))
    connection.close()
    site.exchanges.clear()


def kept(recorded: Recorded) -> list[Any]:
    """What the database has of the site: when its pause ends, and its risk level."""
    return recorded.rows("SELECT paused_until, risk_level FROM sites")


@every_policy
@deferred_f_from_coro_f
async def test_a_paused_site_is_left_alone(
    site: ScriptedServer,
    recorded: Recorded,
    policy: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    until = time() + 900
    await pause(site, recorded, until)
    done = await fetch(site.url("/amber"), **recorded.settings, **policy)
    assert done.responses == []
    assert list(done.reasons().values()) == ["paused"]
    assert site.paths() == []  # nor for robots.txt
    assert kept(recorded) == [(until, 1)]
    assert caplog.text.count("1 sites that blocked every tier in earlier crawls") == 1


@every_policy
@deferred_f_from_coro_f
async def test_a_site_whose_pause_has_ended_is_asked_and_its_answer_is_recorded(
    site: ScriptedServer, recorded: Recorded, policy: dict[str, Any]
) -> None:
    await pause(site, recorded, time() - 10)
    done = await fetch(site.url("/amber"), **recorded.settings, **policy)
    assert [response.url for response in done.responses] == [site.url("/amber")]
    assert kept(recorded) == [(None, 0)]


@deferred_f_from_coro_f
async def test_tiers_that_a_request_names_ask_nothing_of_a_paused_site(
    site: ScriptedServer, recorded: Recorded
) -> None:
    await pause(site, recorded, time() + 900)
    request = Request(site.url("/amber"), meta={"tiers": ["http"]})
    done = await fetch(request, **recorded.settings)
    assert list(done.reasons().values()) == ["paused"]
    assert site.paths() == []  # nor for robots.txt


@deferred_f_from_coro_f
async def test_a_crawl_that_records_nothing_reads_nothing(
    site: ScriptedServer, recorded: Recorded
) -> None:
    until = time() + 900
    await pause(site, recorded, until)
    done = await fetch(site.url("/amber"), WIKICRAWLER_DATABASE_URL=f"sqlite:///{recorded.file}")
    assert len(done.responses) == 1
    assert kept(recorded) == [(until, 1)]


@deferred_f_from_coro_f
async def test_reading_creates_no_database(recorded: Recorded) -> None:
    done = await fetch("http://127.0.0.1:1/", RETRY_ENABLED=False, **recorded.settings)
    assert done.responses == []
    assert not recorded.file.exists()


@deferred_f_from_coro_f
async def test_rows_that_cannot_be_understood_lose_no_page(
    site: ScriptedServer, recorded: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    await pause(site, recorded, "tomorrow")
    done = await fetch(site.url("/amber"), **recorded.settings)
    assert len(done.responses) == 1
    assert caplog.text.count("What earlier crawls paused cannot be read from") == 1
