"""A request that is not to be made before its moment, in a crawl without a state folder."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.not_before import LONGEST, NOT_BEFORE, in_step, same_step, wait_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_TIERS = {"WIKICRAWLER_TIERS_ENABLED": False, "ROBOTSTXT_OBEY": False}
SCRAPYS_FOLDER = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def other() -> Iterator[ScriptedServer]:
    with ScriptedServer("127.0.0.2") as server:
        yield server


ENOUGH = 10.0
"""Seconds in which a crawl starts and fetches a few pages, on a busy machine too."""


class Chain(Pages):
    """Follows each page by the next of its site, up to /5."""

    def parse(self, response: Any) -> Any:
        super().parse(response)
        base, _, name = response.url.rpartition("/")
        if name.isdigit() and int(name) < 5:
            yield Request(f"{base}/{int(name) + 1}", priority=-1)


def waiting(url: str, seconds: float, **more: Any) -> Request:
    return Request(url, meta={NOT_BEFORE: time.time() + seconds}, **more)


@pytest.mark.parametrize("scheduler", ["in memory", "Scrapy's state folder"])
@deferred_f_from_coro_f
async def test_everything_else_goes_on_before_it(
    site: ScriptedServer, other: ScriptedServer, tmp_path: Path, scheduler: str
) -> None:
    for n in range(6):
        site.on(f"/{n}")
        other.on(f"/{n}")
    site.on("/late")
    folder = {} if scheduler == "in memory" else {"JOBDIR": str(tmp_path), **SCRAPYS_FOLDER}
    begin = time.monotonic()
    requests = [waiting(site.url("/late"), ENOUGH, priority=9), site.url("/0"), other.url("/0")]
    settings = project_settings(CONCURRENT_REQUESTS=1, **NO_TIERS, **folder)
    done = await run(Chain, settings, requests=requests)
    assert site.paths() == [*(f"/{n}" for n in range(6)), "/late"]
    assert other.exchanges[-1].path == "/5"
    assert other.exchanges[-1].start < site.exchanges[-1].start
    assert site.exchanges[-1].start - begin >= ENOUGH
    assert done.stats["finish_reason"] == "finished"
    assert done.stats["scheduler/enqueued"] == done.stats["scheduler/dequeued"] == 13


@deferred_f_from_coro_f
async def test_those_of_one_moment_come_by_their_priority_and_those_before_it_first(
    site: ScriptedServer,
) -> None:
    for name in ("low", "high", "sooner", "passed"):
        site.on(f"/{name}")
    moment = time.time() + ENOUGH + 1
    requests = [
        Request(site.url("/low"), meta={NOT_BEFORE: moment}),
        Request(site.url("/high"), meta={NOT_BEFORE: moment}, priority=1),
        waiting(site.url("/sooner"), ENOUGH),
        waiting(site.url("/passed"), -60),
    ]
    await run(Pages, project_settings(**NO_TIERS), requests=requests)
    assert site.paths()[0] == "/passed"
    assert sorted(site.paths()) == ["/high", "/low", "/passed", "/sooner"]
    assert site.paths().index("/high") < site.paths().index("/low")


@deferred_f_from_coro_f
async def test_what_follows_from_it_does_not_wait_again(site: ScriptedServer) -> None:
    site.on("/a", Reply(503), Reply(302, {"Location": "/b"}))
    site.on("/b")
    done = await run(Pages, project_settings(**NO_TIERS), requests=[waiting(site.url("/a"), 1)])
    assert site.paths() == ["/a", "/a", "/b"]
    assert NOT_BEFORE not in done.responses[0].meta


@deferred_f_from_coro_f
async def test_a_stop_does_not_lose_it_from_scrapys_state_folder(
    site: ScriptedServer, tmp_path: Path
) -> None:
    site.on("/now").on("/late")
    folder = {"JOBDIR": str(tmp_path), **SCRAPYS_FOLDER}
    requests = [waiting(site.url("/late"), ENOUGH, priority=1), Request(site.url("/now"))]
    one_page = project_settings(CLOSESPIDER_PAGECOUNT=1, **NO_TIERS, **folder)
    await run(Pages, one_page, requests=requests)
    assert site.paths() == ["/now"]
    await run(Pages, project_settings(**NO_TIERS, **folder), requests=[])
    assert site.paths() == ["/now", "/late"]


@pytest.mark.parametrize(
    ("moment", "least", "most"),
    [
        (None, 0, 0),
        ("soon", 0, 0),
        (True, 0, 0),
        (0, 0, 0),
        (-1e308, 0, 0),
        (float("nan"), 0, 0),
        (float("inf"), LONGEST, LONGEST),
        (10**400, LONGEST, LONGEST),
    ],
    ids=str,
)
def test_whatever_the_moment_is_the_wait_has_an_end(
    moment: object, least: float, most: float
) -> None:
    assert least <= round(wait_of(Request("https://a.org", meta={NOT_BEFORE: moment})), 3) <= most


def test_the_wait_is_the_time_to_the_moment() -> None:
    moment = time.time() + 60
    left = wait_of(Request("https://a.org", meta={NOT_BEFORE: moment}))
    assert moment - time.time() <= left <= 60
    assert wait_of(Request("https://a.org")) == 0


@pytest.mark.parametrize("moment", [1_763_000_000.0, 1_763_000_000.0999, 1_763_000_000.55])
def test_requests_for_one_moment_are_due_together_whenever_they_are_queued(moment: float) -> None:
    shared = same_step(moment)
    assert moment < shared <= moment + 0.111
    late = (0.0, 0.001, 0.02, 0.08)  # seconds between the reading of two clocks
    assert len({in_step(shared + seconds) for seconds in late}) == 1
