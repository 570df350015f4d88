"""The browser tier with a real crawl4ai and a real browser, on a site that misbehaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.crawl4ai import RealCrawl4AI
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = "<h1>Amber</h1>" + "<p>Amber is fossilised tree resin, valued for its colour.</p>" * 8
SCRIPTED = (
    '<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root"></div>'
    f"<script>setTimeout(() => {{ document.getElementById('root').innerHTML = '{TEXT}' "
    "+ '<a href=\"/next\">next</a>' }, 50)</script></body></html>"
)
LOOP = "<body><p>x</p><script>addEventListener('DOMContentLoaded', () => { for (;;); })</script>"
HIDDEN = f'<body style="display:none">{TEXT}</body>'
CHALLENGE = (
    "<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt = {}"
    "</script><p>Checking your browser.</p></body></html>"
)
BOT_DETECTION = (  # as bot detection scripts do
    f"<body>{TEXT}<p id=found></p><script>document.getElementById('found').textContent = "
    "`found: ${navigator.webdriver} ${navigator.plugins.length > 0} ${typeof chrome} "
    "${navigator.userAgentData.brands.some(b => b.brand.startsWith('Headless'))}`</script>"
)
LATIN = f'<html><head><meta charset="iso-8859-1"></head><body><p>café</p>{TEXT}'.encode("latin-1")


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        yield server


def only_browser(url: str) -> Request:
    return Request(url, meta={"tiers": ["browser"]})


def settings(crawl4ai: RealCrawl4AI, **more: Any) -> dict[str, Any]:
    return crawl4ai.settings | {"CRAWL4AI_TIMEOUT": 120, "DOWNLOAD_MAXSIZE": 3_000_000} | more


@deferred_f_from_coro_f
async def test_a_scripted_page_is_rendered_and_a_static_one_is_not(
    crawl4ai: RealCrawl4AI, site: ScriptedServer
) -> None:
    site.on("/app", Reply(body=SCRIPTED)).on("/plain", Reply(body=f"<main>{TEXT}</main>"))
    done = await fetch(site.url("/app"), site.url("/plain"), **settings(crawl4ai))
    pages = {r.url.removeprefix(site.url("")): r.meta for r in done.responses}
    app = pages["/app"]
    assert (app["tier"], pages["/plain"]["tier"]) == ("browser", "http")
    assert app["tier_content"].markdown.startswith("# Amber\n\nAmber is fossilised")
    assert app["tier_content"].links == (site.url("/next"),)
    journal = crawl4ai.journal()
    assert set(journal.urls) == {site.url("/app")}
    assert "wikicrawler/" in journal.requests[0]["browser"]["user_agent"]
    agents = [x.headers["User-Agent"] for x in site.exchanges if x.path == "/app"]
    assert all(agent.startswith("wikicrawler/") for agent in agents)


@deferred_f_from_coro_f
async def test_each_page_of_a_misbehaving_site_gets_its_reason(
    crawl4ai: RealCrawl4AI, site: ScriptedServer
) -> None:
    pages = {
        "/hidden": Reply(body=HIDDEN),
        "/latin": Reply(200, {"Content-Type": "text/html; charset=iso-8859-1"}, LATIN),
        "/redirect": Reply(302, {"Location": "/hidden"}),
        "/challenge-200": Reply(body=CHALLENGE),
        "/challenge-403": Reply(403, body=CHALLENGE),
        "/challenge-503": Reply(503, body=CHALLENGE),
        "/empty": Reply(body=""),
        "/pdf": Reply(200, {"Content-Type": "application/pdf"}, b"%PDF-1.4\n"),
        "/data": Reply(200, {"Content-Type": "application/json"}, '{"a": 1}'),
        "/big": Reply(body=f"<body>{TEXT * 12_000}"),
        "/gone": Reply(410),
        "/broken": Reply(500, body=f"<body>{TEXT}"),
        "/cut": Reply(drop=True),
    }
    for path, reply in pages.items():
        site.on(path, reply)
    requests = [only_browser(site.url(path)) for path in pages]
    requests.append(only_browser("http://no-such-host.invalid/"))
    more = {
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "ROBOTSTXT_OBEY": False,
        "WIKICRAWLER_RETRY": {"network": [], "timeout": []},
    }
    done = await fetch(*requests, **settings(crawl4ai, **more))

    def path(url: str) -> str:
        return url.removeprefix(site.url(""))

    assert {path(r.url): r.meta["tier_attempts"][-1]["reason"] for r in done.responses} == {
        "/hidden": "ok",  # under it also what /redirect led to
        "/latin": "ok",
        "/data": "not_html",
    }
    latin = next(r for r in done.responses if path(r.url) == "/latin")
    assert latin.meta["tier_content"].markdown.startswith("café")
    assert len([r for r in done.responses if path(r.url) == "/hidden"]) == 2
    assert {path(url): reason for url, reason in done.reasons().items()} == {
        "/challenge-200": "blocked_captcha",
        "/challenge-403": "blocked_captcha",
        "/challenge-503": "blocked_captcha",
        "/empty": "empty",
        "/pdf": "not_html",
        "/big": "too_large",
        "/broken": "http_error",
        "/cut": "network",
        "http://no-such-host.invalid/": "network",
    }
    assert [f.response.status for f in done.failures if hasattr(f, "response")] == [410]


@deferred_f_from_coro_f
async def test_a_page_that_never_ends_times_out_and_the_server_continues(
    crawl4ai: RealCrawl4AI, site: ScriptedServer
) -> None:
    loops = [f"/loop{i}" for i in range(6)]  # more than the server has places
    for path in loops:
        site.on(path, Reply(body=LOOP))
    site.on("/app", Reply(body=SCRIPTED))
    requests = [only_browser(site.url(path)) for path in loops[:4]]
    more = {"CRAWL4AI_TIMEOUT": 3, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}
    done = await fetch(*requests, **settings(crawl4ai, **more))
    assert set(done.reasons().values()) == {"timeout"}
    assert done.stats["crawl4ai/in_flight_max"] == crawl4ai.journal().most_in_flight == 4
    done = await fetch(only_browser(site.url("/app")), **settings(crawl4ai))
    assert len(done.responses) == 1


@pytest.mark.parametrize("version", ["0.9.5", "0.8.9"])
@deferred_f_from_coro_f
async def test_stealth_hides_that_the_browser_is_automated(
    site: ScriptedServer, tmp_path: Path, version: str
) -> None:
    site.on("/detects", Reply(body=BOT_DETECTION))
    detected = []
    with RealCrawl4AI(tmp_path, VERSION=version) as server:
        for stealth in (False, True, False):
            meta = {"crawl4ai": True, "crawl4ai_stealth": stealth}
            page = Request(site.url("/detects"), meta=meta)
            (response,) = (await fetch(page, **settings(server))).responses
            markdown = response.meta["tier_content"].markdown
            detected.append(markdown.rpartition("found: ")[2].split())
        assert server.journal().browsers == 2
    automated = ["false", "false", "undefined", "true"]  # crawl4ai hides webdriver in any case
    assert detected == [automated, ["false", "true", "object", "false"], automated]
    agents = {x.headers["User-Agent"] for x in site.exchanges if x.path == "/detects"}
    assert all(agent.startswith("wikicrawler/") for agent in agents)


@deferred_f_from_coro_f
async def test_a_server_that_refuses_stealth_renders_without_it(
    site: ScriptedServer, tmp_path: Path
) -> None:
    for path in ("/a", "/b"):
        site.on(path, Reply(body=BOT_DETECTION))
    requests = [
        Request(site.url(path), meta={"crawl4ai": True, "crawl4ai_stealth": True})
        for path in ("/a", "/b")
    ]
    with RealCrawl4AI(tmp_path, REJECTED="enable_stealth") as server:
        done = await fetch(*requests, **settings(server))
        assert server.journal().browsers == 1
    assert len(done.responses) == 2
    assert done.stats["log_count/WARNING"] == 1


@deferred_f_from_coro_f
async def test_a_server_before_version_0_9_returns_the_same_page(
    crawl4ai: RealCrawl4AI, site: ScriptedServer, tmp_path: Path
) -> None:
    site.on("/app", Reply(body=SCRIPTED)).on("/redirect", Reply(302, {"Location": "/app"}))
    pages = []
    with RealCrawl4AI(tmp_path, VERSION="0.8.9") as old:
        for server in (crawl4ai, old):
            done = await fetch(only_browser(site.url("/redirect")), **settings(server))
            (response,) = done.responses
            pages.append((response.url, response.meta["tier_content"].markdown))
        assert "prefetch" not in old.journal().requests[0]["crawler"]
    assert pages[0] == pages[1]
    assert pages[0][0] == site.url("/app")


@deferred_f_from_coro_f
async def test_a_wrong_token_and_a_private_address_have_their_own_reasons(
    crawl4ai: RealCrawl4AI, site: ScriptedServer, tmp_path: Path
) -> None:
    page = only_browser(site.url("/app"))
    done = await fetch(page, **settings(crawl4ai, CRAWL4AI_API_TOKEN="wrong"))  # noqa: S106
    assert done.reasons() == {page.url: "browser_config"}
    with RealCrawl4AI(tmp_path, CRAWL4AI_ALLOW_INTERNAL_URLS="false") as strict:
        done = await fetch(page, **settings(strict))
    assert done.reasons() == {page.url: "browser_address"}
