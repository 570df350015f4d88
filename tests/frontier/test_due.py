"""Delayed requests are sent when they are due, though nothing else wakes the engine."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, signals
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import ScriptedServer
from wikicrawler.frontier.not_before import NOT_BEFORE

if TYPE_CHECKING:
    from pathlib import Path

LONG = 3600.0


class WithoutHeartbeat(Pages):
    """Its engine asks the scheduler only when something happens. Follows each page by a delayed
    one, up to /5."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.opened, signals.spider_opened)
        return spider

    def opened(self) -> None:
        self.crawler.engine._SLOT_HEARTBEAT_INTERVAL = LONG

    def parse(self, response: Any) -> Any:
        super().parse(response)
        base, _, name = response.url.rpartition("/")
        if int(name) < 5:
            yield waiting(f"{base}/{int(name) + 1}", 0.3)


def waiting(url: str, seconds: float) -> Request:
    return Request(url, meta={NOT_BEFORE: time.time() + seconds})


@pytest.mark.parametrize("kept", ["in memory", "in a state folder"])
@deferred_f_from_coro_f
async def test_each_is_sent_at_its_moment(tmp_path: Path, kept: str) -> None:
    folder = {} if kept == "in memory" else {"JOBDIR": str(tmp_path)}
    settings = project_settings(
        WIKICRAWLER_TIERS_ENABLED=False, ROBOTSTXT_OBEY=False, CLOSESPIDER_PAGECOUNT=6, **folder
    )
    with ScriptedServer() as site:
        for n in range(6):
            site.on(f"/{n}")
        # The engine knows of the one that comes last first.
        requests = [waiting(site.url("/9"), LONG), waiting(site.url("/0"), 0.3)]
        async with asyncio.timeout(LONG / 30):
            await run(WithoutHeartbeat, settings, requests=requests)
        assert site.paths() == [f"/{n}" for n in range(6)]
