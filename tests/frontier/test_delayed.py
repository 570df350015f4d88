"""A request that is not to be made before its moment, in a crawl with a state folder."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, signals
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.frontier.sites import FAST, ROOT
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.not_before import NOT_BEFORE
from wikicrawler.frontier.scheduler import KIND, frontier_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_TIERS = {"WIKICRAWLER_TIERS_ENABLED": False, "ROBOTSTXT_OBEY": False}


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/now").on("/late")


ENOUGH = 10.0
"""Seconds in which a crawl starts and fetches a few pages, on a busy machine too."""


def waiting(url: str, seconds: float, **more: Any) -> Request:
    return Request(url, meta={NOT_BEFORE: time.time() + seconds, KIND: "page"}, **more)


def settings(folder: Path, **more: Any) -> Any:
    return project_settings(JOBDIR=str(folder), CONCURRENT_REQUESTS=1, **NO_TIERS, **more)


class Chain(Pages):
    """Follows each page by the next of its site, up to /5."""

    def parse(self, response: Any) -> Any:
        super().parse(response)
        base, _, name = response.url.rpartition("/")
        if name.isdigit() and int(name) < 5:
            yield Request(f"{base}/{int(name) + 1}", priority=-1)


@pytest.mark.parametrize("throttled", [True, False])
@deferred_f_from_coro_f
async def test_everything_else_goes_on_before_it(
    site: ScriptedServer, tmp_path: Path, throttled: bool
) -> None:
    with ScriptedServer("127.0.0.2") as other:
        for n in range(6):
            site.on(f"/{n}")
            other.on(f"/{n}")
        begin = time.monotonic()
        requests = [waiting(site.url("/late"), ENOUGH, priority=9), site.url("/0"), other.url("/0")]
        options = settings(tmp_path, DOMAIN_THROTTLE_ENABLED=throttled)
        done = await run(Chain, options, requests=requests)
        assert site.paths() == [*(f"/{n}" for n in range(6)), "/late"]
        assert other.exchanges[-1].path == "/5"
        assert other.exchanges[-1].start < site.exchanges[-1].start
        assert site.exchanges[-1].start - begin >= ENOUGH
    assert done.stats["finish_reason"] == "finished"
    assert done.stats["scheduler/enqueued"] == done.stats["scheduler/dequeued"] == 13


@deferred_f_from_coro_f
async def test_what_follows_from_it_does_not_wait_again(
    site: ScriptedServer, tmp_path: Path
) -> None:
    site.on("/late", Reply(503), Reply(302, {"Location": "/now"}))
    done = await run(Pages, settings(tmp_path), requests=[waiting(site.url("/late"), 1)])
    assert site.paths() == ["/late", "/late", "/now"]
    assert NOT_BEFORE not in done.responses[0].meta


@deferred_f_from_coro_f
async def test_one_that_json_cannot_hold_waits_in_memory(
    site: ScriptedServer, tmp_path: Path
) -> None:
    seen: list[str] = []
    late = waiting(site.url("/late"), ENOUGH, callback=lambda response: seen.append(response.url))
    done = await run(Pages, settings(tmp_path), requests=[late, site.url("/now")])
    assert site.paths() == ["/now", "/late"]
    assert seen == [site.url("/late")]
    assert done.stats["scheduler/dequeued/memory"] == 1


class Counting(Pages):
    """Notes how many pages each site has when it is opened."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.count, signals.spider_opened)
        return spider

    def count(self) -> None:
        frontier = frontier_of(self.crawler)
        assert frontier is not None
        self.counts = frontier.counts("page")


@pytest.mark.parametrize("passed", [False, True])
@deferred_f_from_coro_f
async def test_after_a_stop_it_waits_for_what_is_left(
    site: ScriptedServer, tmp_path: Path, passed: bool
) -> None:
    site.on("/first")
    moment = time.monotonic() + ENOUGH
    requests = [
        waiting(site.url("/late"), ENOUGH),
        Request(site.url("/first"), priority=1),
        Request(site.url("/now"), meta={KIND: "page"}),
    ]
    await run(Pages, settings(tmp_path, CLOSESPIDER_PAGECOUNT=1), requests=requests)
    stopped = len(site.paths())  # a page may have been under way
    assert "/late" not in site.paths()
    if passed:
        await asyncio.sleep(moment - time.monotonic())
    done = await run(Counting, settings(tmp_path), requests=[])
    left = site.paths()[stopped:]
    assert left[-1] == "/late"
    assert site.exchanges[-1].start >= moment
    assert done.stats["frontier/recovered_count"] == len(left)
    assert done.spider.counts == {"127.0.0.1": len(left)}  # type: ignore[union-attr]


SPIDER = """
from time import time
from scrapy import Request, Spider

class Late(Spider):
    name = "late"

    async def start(self):
        yield Request(self.base + "/now")

    def parse(self, response):
        yield Request(self.base + "/late", meta={"not_before": time() + 4})
"""


def test_after_a_kill_it_waits_for_what_is_left(site: ScriptedServer, tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(SPIDER)
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    options = FAST | {"JOBDIR": "job", "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8"} | NO_TIERS
    command = [sys.executable, "-m", "scrapy", "runspider", "late.py", "-a", f"base={site.url('')}"]
    command += [part for name, value in options.items() for part in ("-s", f"{name}={value}")]

    def start() -> subprocess.Popen[bytes]:
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.DEVNULL)

    process = start()
    give_up = time.monotonic() + 60
    while delayed_in(tmp_path) == 0 and time.monotonic() < give_up:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait(120)
    asked = site.exchanges[0].end
    assert site.paths() == ["/now"]
    assert start().wait(120) == 0
    assert site.paths() == ["/now", "/late"]
    assert site.exchanges[1].start - asked >= 4


def delayed_in(folder: Path) -> int:
    """How many delayed requests the database of a crawl has, as committed; 0 while others are in
    it, which would be made again after a kill."""
    try:
        database = sqlite3.connect(f"file:{folder}/job/frontier.sqlite?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return 0
    try:
        if database.execute("SELECT COUNT(*) FROM requests").fetchone()[0]:
            return 0
        return int(database.execute("SELECT COUNT(*) FROM kept").fetchone()[0])
    except sqlite3.OperationalError:  # it has not been made yet
        return 0
    finally:
        database.close()
