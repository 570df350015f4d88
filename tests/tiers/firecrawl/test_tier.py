"""Pages through Firecrawl, in whole crawls against a server of its API."""

from __future__ import annotations

import json
import logging
from contextlib import ExitStack
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import fetch, project_settings, run
from tests.servers.firecrawl import ScriptedFirecrawl, answer, error, scraped
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.store.attempts import find_attempts
from wikicrawler.store.database import Database
from wikicrawler.tiers.firecrawl.handler import FirecrawlFingerprinter
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
ARTICLE = (
    "<html><head><title>Amber</title></head><body><main><h1>Amber</h1>"
    + "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
    + "</main></body></html>"
)
BOTH = [("http", "js_shell"), ("firecrawl", "ok")]


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /private\n"))
        for number in range(12):
            server.on(f"/app{number}", Reply(body=SHELL))
        yield server


@pytest.fixture
def firecrawl(tmp_path: Path) -> Iterator[_Firecrawl]:
    with _Firecrawl() as server:
        server.every_page = scraped(ARTICLE)
        server.database = f"sqlite:///{tmp_path}/db.sqlite"
        yield server


class _Firecrawl(ScriptedFirecrawl):
    database = ""

    @property
    def settings(self) -> dict[str, Any]:
        return {**super().settings, "WIKICRAWLER_DATABASE_URL": self.database}


def tried(found: Any) -> list[tuple[str, str]]:
    attempts = getattr(found, "attempts", None) or found.meta["tier_attempts"]
    return [(a["tier"], a["reason"]) for a in attempts]


@deferred_f_from_coro_f
async def test_a_shell_is_fetched_by_firecrawl_and_converted_by_us(
    site: ScriptedServer, firecrawl: _Firecrawl, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    done = await fetch(site.url("/app0"), LOG_LEVEL="DEBUG", **firecrawl.settings)
    (response,) = done.responses
    assert tried(response) == BOTH
    assert response.url == site.url("/app0")
    assert "fossilised" in response.meta["tier_content"].markdown
    assert "firecrawl" not in response.meta
    assert firecrawl.pages() == [site.url("/app0")]
    assert firecrawl.asked()[0]["maxAge"] == 0
    assert done.stats["firecrawl/request_count"] == 1
    assert done.stats["spending/credits/firecrawl"] == 1
    assert firecrawl.key not in caplog.text
    assert all(firecrawl.key not in str(x.headers) for x in site.exchanges)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (scraped("<p>gone", statusCode=404), "missing"),
        (scraped(None, statusCode=404, error="Not Found"), "missing"),
        (scraped("<p>no", statusCode=403), "blocked"),
        (scraped(SHELL), "js_shell"),
        (scraped(""), "empty"),
        (scraped("JVBERi0xLjc=", contentType="application/pdf"), "not_html"),
        (scraped("{}", contentType="application/json"), "not_html"),
        (error(500, "SCRAPE_ALL_ENGINES_FAILED"), "empty"),
        (error(500, "SCRAPE_UNSUPPORTED_FILE_ERROR"), "not_html"),
        (error(500, "SCRAPE_SSL_ERROR"), "network"),
        (error(500, "SCRAPE_SITE_ERROR"), "network"),
        (error(200, "SCRAPE_DNS_RESOLUTION_ERROR"), "network"),
        (error(408, "SCRAPE_TIMEOUT"), "timeout"),
        (error(403, "UNSUPPORTED_SITE"), "service_config"),
        (error(500, "UNKNOWN_ERROR"), "service_down"),
        (Reply(502, body="<html>Bad gateway"), "service_down"),
        (Reply(200, {"Content-Type": "application/json"}, '{"success": true, "da'), "service_down"),
        (answer(success=True), "service_down"),
        (Reply(drop=True), "service_down"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@deferred_f_from_coro_f
async def test_each_failure_has_its_reason(
    reply: Reply, reason: str, site: ScriptedServer, firecrawl: _Firecrawl
) -> None:
    firecrawl.page(site.url("/app0"), reply)
    done = await fetch(site.url("/app0"), **firecrawl.settings, WIKICRAWLER_LONGEST_WAIT=0)
    attempts = [skip["attempts"] for skip in done.skipped]
    attempts += [response.meta["tier_attempts"] for response in done.responses]
    attempts += [
        failure.response.meta["tier_attempts"]
        for failure in done.failures
        if isinstance(failure, HttpError)
    ]
    assert [[(a["tier"], a["reason"]) for a in one] for one in attempts] == [
        [("http", "js_shell"), ("firecrawl", reason)]
    ]


@deferred_f_from_coro_f
async def test_a_failure_goes_to_the_next_tier_in_the_order_of_the_domain(
    site: ScriptedServer, firecrawl: _Firecrawl, tmp_path: Path
) -> None:
    site.on("/plain", Reply(body=ARTICLE))
    sources = tmp_path / "sources.yml"
    sources.write_text("domains:\n  127.0.0.1: {tiers: [firecrawl, http]}\n")
    firecrawl.every_page = error(500, "SCRAPE_ALL_ENGINES_FAILED")
    settings = {**firecrawl.settings, "WIKICRAWLER_TIERS": "http"}
    done = await fetch(
        site.url("/plain"),
        **settings,
        WIKICRAWLER_CONFIG=str(sources),
        WIKICRAWLER_RECORD_ATTEMPTS=True,
    )
    (response,) = done.responses
    assert tried(response) == [("firecrawl", "empty"), ("http", "ok")]
    database = Database(firecrawl.database, tmp_path)
    with database.read() as connection:
        recorded = {one.tier: one for one in find_attempts(connection)}
    database.close()
    assert recorded["firecrawl"].cost == 40.0
    assert "ALL_ENGINES" not in recorded["firecrawl"].reason


@deferred_f_from_coro_f
async def test_robots_pace_and_redirects_are_those_of_the_page(
    site: ScriptedServer, firecrawl: _Firecrawl
) -> None:
    firecrawl.page(site.url("/app0"), scraped(ARTICLE, url=site.url("/private")))
    only = {**firecrawl.settings, "WIKICRAWLER_TIERS": "firecrawl"}
    done = await fetch(site.url("/private/x"), site.url("/app0"), **only)
    assert firecrawl.pages() == [site.url("/app0")]
    assert sorted(type(failure).__name__ for failure in done.failures) == [
        "RobotsDisallowed",
        "TiersExhausted",
    ]
    await fetch(
        *(site.url(f"/app{number}") for number in range(1, 4)),
        **{**only, "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 150},
    )
    asked = [x for x in firecrawl.exchanges if x.path == "/v2/scrape"][1:]
    assert len(asked) == 3
    assert all(later.start - former.end >= 0.39 for former, later in pairwise(asked))


@pytest.mark.parametrize("status", [401, 402])
@deferred_f_from_coro_f
async def test_a_refused_account_ends_the_tier_with_one_message(
    status: int, site: ScriptedServer, firecrawl: _Firecrawl, caplog: pytest.LogCaptureFixture
) -> None:
    firecrawl.every_page = error(status, text=f"no {firecrawl.key}")
    pages = [site.url(f"/app{number}") for number in range(4)]
    done = await fetch(*pages, **firecrawl.settings)
    assert len(firecrawl.pages()) == 1
    assert {tried(failure)[-1] for failure in done.failures} == {("firecrawl", "service_config")}
    errors = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert len(errors) == 1
    assert f"HTTP {status}" in errors[0].getMessage()
    planned = done.stats["tier/not_tried/firecrawl/service_config"]
    assert planned + done.stats["tier/fallback/firecrawl/service_config"] == 4
    assert planned >= 2
    assert firecrawl.key not in str([failure.attempts for failure in done.failures])


@deferred_f_from_coro_f
async def test_a_busy_service_is_left_alone_for_as_long_as_its_text_says(
    site: ScriptedServer, firecrawl: _Firecrawl
) -> None:
    busy = error(429, text="Rate limit exceeded. Please retry after 1s, resets at 12:00")
    firecrawl.page(site.url("/app0"), busy, scraped(ARTICLE))
    done = await fetch(site.url("/app0"), **firecrawl.settings)
    assert [tried(response)[-1] for response in done.responses] == [("firecrawl", "ok")]
    asked = [x for x in firecrawl.exchanges if x.path == "/v2/scrape"]
    assert asked[1].start - asked[0].end >= 1.0


@deferred_f_from_coro_f
async def test_no_page_leads_to_the_service(site: ScriptedServer, firecrawl: _Firecrawl) -> None:
    site.on("/away", Reply(302, {"Location": firecrawl.url("/v2/scrape")}))
    private = {"WIKICRAWLER_PRIVATE_HOSTS": [site.netloc]}
    done = await fetch(site.url("/app0"), site.url("/away"), **firecrawl.settings, **private)
    assert done.reasons() == {firecrawl.url("/v2/scrape"): "private_address"}
    assert [x.method for x in firecrawl.exchanges] == ["POST"]


@deferred_f_from_coro_f
async def test_it_stands_beside_the_other_services(
    site: ScriptedServer, firecrawl: _Firecrawl
) -> None:
    from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
    from tests.servers.firecrawl import ScriptedScrapingAnt

    with ExitStack() as stack:
        browser = stack.enter_context(ScriptedCrawl4AI(rendered(SHELL)))
        ant = stack.enter_context(ScriptedScrapingAnt())
        ant.every_page = ant.extended(SHELL)
        order = {"WIKICRAWLER_TIERS": "http,browser,scrapingant,firecrawl"}
        settings = browser.settings | ant.settings | firecrawl.settings | order
        private = {"WIKICRAWLER_PRIVATE_HOSTS": [site.netloc]}
        done = await fetch(site.url("/app0"), **settings, **private)
        (response,) = done.responses
        assert tried(response) == [
            ("http", "js_shell"),
            ("browser", "js_shell"),
            ("scrapingant", "js_shell"),
            ("firecrawl", "ok"),
        ]
        for server in (browser, ant):
            assert firecrawl.key not in str([x.headers for x in server.exchanges])


@deferred_f_from_coro_f
async def test_it_is_not_used_unless_it_is_named(
    site: ScriptedServer, firecrawl: _Firecrawl
) -> None:
    settings = firecrawl.settings
    del settings["WIKICRAWLER_TIERS"]
    done = await fetch(
        site.url("/app0"), Request(site.url("/app1"), meta={"firecrawl": True}), **settings
    )
    assert firecrawl.pages() == [site.url("/app1")]
    assert [tried(r) for r in done.responses] == [[("firecrawl", "ok")]]


def test_without_settings_it_is_missing_and_says_why() -> None:
    registry = TierRegistry.from_settings(Settings())
    assert registry.missing("firecrawl").startswith("no Firecrawl is configured")
    assert "firecrawl" not in registry.order


def test_its_pages_have_fingerprints_of_their_own() -> None:
    fingerprinter = FirecrawlFingerprinter.from_crawler(get_crawler())
    plain = Request("https://a.example/")
    through = Request("https://a.example/", meta={"firecrawl": True})
    assert fingerprinter.fingerprint(plain) != fingerprinter.fingerprint(through)


@deferred_f_from_coro_f
async def test_scrapy_tiers_shows_the_account(firecrawl: _Firecrawl, site: ScriptedServer) -> None:
    from wikicrawler.commands.tiers_answer import _Explainer

    for wrong in (False, True):
        found: list[Any] = []
        settings = project_settings(**firecrawl.settings)
        if wrong:
            settings.set("FIRECRAWL_API_KEY", "another", priority="cmdline")
        await run(_Explainer, settings, urls=[site.url("/x")], found=found)
        step = found[0].steps[-1]
        assert (step.usable, found[0].servers_answer) == (not wrong, not wrong)
        assert ("1000 credits left" in step.why) is not wrong
    assert firecrawl.pages() == []
    firecrawl.keeps_accounts = False
    found = []
    await run(
        _Explainer, project_settings(**firecrawl.settings), urls=[site.url("/x")], found=found
    )
    assert found[0].steps[-1].usable
    assert json.dumps(found[0].steps[-1].why)
