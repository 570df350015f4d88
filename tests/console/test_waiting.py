"""A crawl that waits says so."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.not_before import NOT_BEFORE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_TIERS = {"WIKICRAWLER_TIERS_ENABLED": False, "ROBOTSTXT_OBEY": False}


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/now").on("/1").on("/2")


def waiting(url: str, moment: float) -> Request:
    return Request(url, meta={NOT_BEFORE: moment})


async def notices(
    caplog: pytest.LogCaptureFixture, *requests: Request | str, **settings: Any
) -> list[str]:
    """What the crawl says of its waiting."""
    caplog.set_level("INFO")
    await run(Pages, project_settings(**NO_TIERS, **settings), requests=requests)
    return [m for m in caplog.messages if m.startswith("Nothing to do")]


@pytest.mark.parametrize("kept", ["in memory", "in the database"])
@deferred_f_from_coro_f
async def test_once_until_when_and_for_how_many(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture, tmp_path: Path, kept: str
) -> None:
    moment = time.time() + 4.5
    requests = [site.url("/now"), *(waiting(site.url(p), moment + 0.1) for p in ("/1", "/2"))]
    folder = {"JOBDIR": str(tmp_path)} if kept == "in the database" else {}
    (notice,) = await notices(caplog, *requests, **folder)
    assert re.fullmatch(
        r"Nothing to do until \d\d:\d\d:\d\d \(requests that wait for their time: 2\)", notice
    )
    said = re.search(r"\d\d:\d\d:\d\d", notice)
    assert said
    assert said[0] in {time.strftime("%H:%M:%S", time.localtime(moment + s)) for s in (0, 1)}


@deferred_f_from_coro_f
async def test_not_while_there_is_something_to_do(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    site.on("/now", Reply(delay=5))
    moment = time.time() + 4.5
    assert await notices(caplog, site.url("/now"), waiting(site.url("/1"), moment)) == []


@pytest.mark.parametrize(("kept", "lost"), [("in memory", 1), ("in the database", 0)])
@deferred_f_from_coro_f
async def test_what_is_lost_at_a_stop(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture, tmp_path: Path, kept: str, lost: int
) -> None:
    requests = [site.url("/now"), *(waiting(site.url(p), time.time() + 600) for p in ("/1", "/2"))]
    folder = {"JOBDIR": str(tmp_path)} if kept == "in the database" else {}
    await notices(caplog, *requests, CLOSESPIDER_TIMEOUT=2, **folder)
    notice = "Requests that still waited for their time are lost: 2 (JOBDIR keeps them)"
    assert caplog.messages.count(notice) == lost
