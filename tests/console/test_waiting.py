"""Notices of a crawl that waits for delayed requests."""

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


def delayed(url: str, due: float) -> Request:
    return Request(url, meta={NOT_BEFORE: due})


async def notices(
    caplog: pytest.LogCaptureFixture, *requests: Request | str, **settings: Any
) -> list[str]:
    """Return the notices that the crawl logs while it waits."""
    caplog.set_level("INFO")
    await run(Pages, project_settings(**NO_TIERS, **settings), requests=requests)
    return [m for m in caplog.messages if m.startswith("Nothing to do")]


@pytest.mark.parametrize("kept", ["in memory", "in the database"])
@deferred_f_from_coro_f
async def test_an_idle_crawl_reports_once_when_it_continues_and_how_many_requests_wait(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture, tmp_path: Path, kept: str
) -> None:
    due = time.time() + 10  # a crawl starts within that on a busy machine, too
    requests = [site.url("/now"), *(delayed(site.url(p), due + 0.1) for p in ("/1", "/2"))]
    folder = {"JOBDIR": str(tmp_path)} if kept == "in the database" else {}
    (notice,) = await notices(caplog, *requests, **folder)
    assert re.fullmatch(r"Nothing to do until \d\d:\d\d:\d\d \(delayed requests: 2\)", notice)
    clock = re.search(r"\d\d:\d\d:\d\d", notice)
    assert clock
    assert clock[0] in {time.strftime("%H:%M:%S", time.localtime(due + s)) for s in (0, 1)}


@deferred_f_from_coro_f
async def test_a_busy_crawl_reports_nothing(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    site.on("/now", Reply(delay=5))
    due = time.time() + 4.5
    assert await notices(caplog, site.url("/now"), delayed(site.url("/1"), due)) == []


@pytest.mark.parametrize(("kept", "lost"), [("in memory", 1), ("in the database", 0)])
@deferred_f_from_coro_f
async def test_delayed_requests_lost_at_a_stop_are_reported(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture, tmp_path: Path, kept: str, lost: int
) -> None:
    requests = [*(delayed(site.url(p), time.time() + 600) for p in ("/1", "/2")), site.url("/now")]
    folder = {"JOBDIR": str(tmp_path)} if kept == "in the database" else {}
    await notices(caplog, *requests, CLOSESPIDER_PAGECOUNT=1, **folder)
    notice = "Delayed requests are lost: 2 (JOBDIR would keep them)"
    assert caplog.messages.count(notice) == lost
