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

    from scrapy import Spider
    from scrapy.http import Response

NO_TIERS = {"WIKICRAWLER_TIERS_ENABLED": False, "ROBOTSTXT_OBEY": False}


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/now").on("/1").on("/2")


def delayed(url: str, due: float) -> Request:
    return Request(url, meta={NOT_BEFORE: due})


class Following(Pages):
    """Asks for ``/1`` and ``/2`` some seconds after it has the first page, however long it took to
    begin."""

    due: float

    def parse(self, response: Response) -> Iterator[Request]:
        super().parse(response)
        if response.url.endswith("/now"):
            self.due = time.time() + 6
            for path in ("/1", "/2"):
                yield delayed(response.urljoin(path), self.due + 0.1)


def notices(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The notices that the crawl logged while it waited."""
    return [m for m in caplog.messages if m.startswith("Nothing to do")]


async def crawl(*requests: Request | str, spider: type[Pages] = Pages, **settings: Any) -> Spider:
    done = await run(spider, project_settings(**NO_TIERS, **settings), requests=requests)
    assert done.spider is not None
    return done.spider


@pytest.mark.parametrize("kept", ["in memory", "in the database"])
@deferred_f_from_coro_f
async def test_an_idle_crawl_reports_once_when_it_continues_and_how_many_requests_wait(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture, tmp_path: Path, kept: str
) -> None:
    caplog.set_level("INFO")
    folder = {"JOBDIR": str(tmp_path)} if kept == "in the database" else {}
    spider = await crawl(site.url("/now"), spider=Following, **folder)
    assert isinstance(spider, Following)
    (notice,) = notices(caplog)
    assert re.fullmatch(r"Nothing to do until \d\d:\d\d:\d\d \(delayed requests: 2\)", notice)
    clock = re.search(r"\d\d:\d\d:\d\d", notice)
    assert clock
    assert clock[0] in {time.strftime("%H:%M:%S", time.localtime(spider.due + s)) for s in (0, 1)}


@deferred_f_from_coro_f
async def test_a_busy_crawl_reports_nothing(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    site.on("/now", Reply(delay=5))
    await crawl(site.url("/now"), delayed(site.url("/1"), time.time() + 4.5))
    assert notices(caplog) == []


@pytest.mark.parametrize(("kept", "lost"), [("in memory", 1), ("in the database", 0)])
@deferred_f_from_coro_f
async def test_delayed_requests_lost_at_a_stop_are_reported(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture, tmp_path: Path, kept: str, lost: int
) -> None:
    requests = [*(delayed(site.url(p), time.time() + 600) for p in ("/1", "/2")), site.url("/now")]
    folder = {"JOBDIR": str(tmp_path)} if kept == "in the database" else {}
    await crawl(*requests, CLOSESPIDER_PAGECOUNT=1, **folder)
    notice = "Delayed requests are lost: 2 (JOBDIR would keep them)"
    assert caplog.messages.count(notice) == lost
