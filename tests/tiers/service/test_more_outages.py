"""Outages of crawl4ai that pages wait for, by a server that fails in ways of its own."""

from __future__ import annotations

import json
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.crawl4ai.scripted import NDJSON, ScriptedCrawl4AI, half, refused, rendered
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.scripted import Exchange

TEXT = "<h1>Ropes</h1>" + "<p>A rope of hemp bears a third of what a rope of nylon bears.</p>" * 9
SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="/a.js"></script>'


class Fails(ScriptedCrawl4AI):
    """Answers with *wrong* during outages: each begins after so many pages and lasts for so many
    seconds."""

    def __init__(self, wrong: Reply, *outages: tuple[int, float]) -> None:
        super().__init__()
        self._wrong, self._outages = wrong, list(outages)
        self._ends = 0.0
        self.rendered: list[float] = []
        """When pages were rendered."""

    def reply_to(self, exchange: Exchange) -> Reply:
        if exchange.path != "/crawl/stream":
            return super().reply_to(exchange)
        if self._outages and len(self.rendered) >= self._outages[0][0]:
            self._ends = monotonic() + self._outages.pop(0)[1]
        if monotonic() < self._ends:
            return self._wrong
        self.rendered.append(monotonic())
        (url,) = json.loads(exchange.body)["urls"]
        return rendered(f"<!doctype html><title>T</title><main>{TEXT}</main>", url=url)


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        for n in range(20):
            server.on(f"/{n}", Reply(body=SHELL))
        yield server


def browser(site: ScriptedServer, count: int) -> list[Request]:
    return [Request(site.url(f"/{n}"), meta={"tiers": ["browser"]}) for n in range(count)]


def settings(server: ScriptedCrawl4AI, **more: Any) -> dict[str, Any]:
    return server.settings | {"CRAWL4AI_TIMEOUT": 5, "WIKICRAWLER_LONGEST_WAIT": 6} | more


WRONG = {
    "reset": Reply(drop=True),
    "500": refused(500),
    "503 later": Reply(503, {"Retry-After": "2"}, "{}"),
    "429": refused(429),
    "cut": half(rendered(TEXT)),
    "nonsense": Reply(200, NDJSON, "<html>nginx</html>"),
    "empty": Reply(200, NDJSON, ""),
    "bad gateway": Reply(502, body="<html><h1>502 Bad Gateway</h1></html>"),
}


@pytest.mark.parametrize("name", WRONG)
@deferred_f_from_coro_f
async def test_no_page_is_lost_in_an_outage(site: ScriptedServer, name: str) -> None:
    with Fails(WRONG[name], (3, 2)) as server:
        done = await fetch(*browser(site, 12), **settings(server))
    assert done.reasons() == {}
    assert len(done.responses) == 12


@deferred_f_from_coro_f
async def test_no_page_is_lost_in_two_outages(site: ScriptedServer) -> None:
    with Fails(refused(503), (0, 3), (6, 3)) as server:
        done = await fetch(*browser(site, 12), **settings(server, WIKICRAWLER_LONGEST_WAIT=60))
    assert done.reasons() == {}
    assert len(done.responses) == 12


@deferred_f_from_coro_f
async def test_an_outage_without_end_ends_the_crawl_with_its_reason(site: ScriptedServer) -> None:
    with Fails(refused(503), (0, 9e9)) as server:
        done = await fetch(*browser(site, 6), **settings(server))
    assert set(done.reasons().values()) == {"browser_down"}
    assert len(done.skipped) == 6


@deferred_f_from_coro_f
async def test_other_pages_come_while_the_browser_is_down(site: ScriptedServer) -> None:
    with ScriptedServer("127.0.0.2") as other, Fails(refused(500), (0, 5)) as server:
        other.on("/robots.txt", Reply(404))
        plain = []
        for n in range(8):
            other.on(f"/{n}", Reply(body=f"<!doctype html><title>P</title><main>{TEXT}</main>"))
            plain.append(Request(other.url(f"/{n}"), meta={"tiers": ["http"]}))
        done = await fetch(
            *browser(site, 5), *plain, **settings(server, WIKICRAWLER_LONGEST_WAIT=60)
        )
        came = [x.end for x in other.exchanges if x.path != "/robots.txt"]
    assert len(done.responses) == 13
    assert max(came) < min(server.rendered)


@pytest.mark.parametrize("policy", ["static", "learned"])
@deferred_f_from_coro_f
async def test_pages_that_turn_out_to_need_the_browser_wait_too(
    site: ScriptedServer, policy: str
) -> None:
    pages = [Request(site.url(f"/{n}")) for n in range(8)]
    more = {"WIKICRAWLER_TIER_POLICY": policy, "WIKICRAWLER_RECORD_ATTEMPTS": False}
    with Fails(Reply(drop=True), (0, 2)) as server:
        done = await fetch(*pages, **settings(server, **more))
    assert done.reasons() == {}
    assert len(done.responses) == 8


@deferred_f_from_coro_f
async def test_a_wrong_token_is_not_waited_for(site: ScriptedServer) -> None:
    with Fails(refused(401), (0, 9e9)) as server:
        done = await fetch(*browser(site, 4), **settings(server))
        asked = len(server.asked())
    assert set(done.reasons().values()) == {"browser_config"}
    assert asked <= 4
