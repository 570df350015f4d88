"""Pages through ScrapingAnt: what its responses mean, and whole crawls."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.firecrawl import ScriptedScrapingAnt, answer
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import Reason
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.scrapingant import protocol
from wikicrawler.tiers.scrapingant.config import ScrapingAntConfig
from wikicrawler.tiers.service.client import ServiceDownError, ServiceRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = "https://a.example/x?a=1&b=2"
SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
ARTICLE = (
    "<html><head><title>Amber</title></head><body><main><h1>Amber</h1>"
    + "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
    + "</main></body></html>"
)


def config(**values: Any) -> ScrapingAntConfig:
    found = ScrapingAntConfig.from_settings(Settings({"SCRAPINGANT_API_KEY": "k"} | values))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("settings", "price", "path"),
    [
        ({}, 10, "/v2/extended?"),
        ({"SCRAPINGANT_ENDPOINT": "general", "SCRAPINGANT_BROWSER": False}, 1, "/v2/general?"),
        ({"SCRAPINGANT_PROXY": "residential"}, 125, "/v2/extended?"),
        ({"SCRAPINGANT_PROXY": "residential", "SCRAPINGANT_BROWSER": False}, 25, "/v2/extended?"),
    ],
)
def test_the_settings_choose_endpoint_and_price(
    settings: dict[str, Any], price: float, path: str
) -> None:
    found = config(**settings)
    asked = protocol.page_path(found, PAGE)
    assert found.price == price
    assert asked.startswith(path)
    assert "url=https%3A%2F%2Fa.example%2Fx%3Fa%3D1%26b%3D2&" in asked
    assert asked.endswith("timeout=60&browser=" + ("true" if found.browser else "false"))


@pytest.mark.parametrize(
    "data",
    [
        {"html": "<p>x", "status_code": 404, "headers": {"Content-Type": "text/html"}},
        {"html": "<p>x", "status_code": "404", "headers": [{"name": "X", "value": "y"}]},
        {"html": "<p>x", "status_code": 404, "headers": ["x", {"name": 5}, None]},
        {"html": None, "status_code": 404},
    ],
)
def test_the_status_of_the_site_is_in_the_answer(data: dict[str, Any]) -> None:
    found = protocol.read_page(config(), {}, json.dumps(data).encode(), PAGE)
    assert found.status == 404
    assert found.url == PAGE


def test_the_status_of_the_site_is_in_a_header() -> None:
    general = config(SCRAPINGANT_ENDPOINT="general")
    found = protocol.read_page(
        general, {"ant-page-status-code": "403", "content-type": "text/html"}, b"<p>x", PAGE
    )
    assert (found.status, found.body, found.kind) == (403, b"<p>x", "text/html")
    with pytest.raises(ServiceDownError):
        protocol.read_page(general, {"ant-page-status-code": "none"}, b"<p>x", PAGE)
    with pytest.raises(DownloadCancelledError):
        protocol.read_page(general, {}, b"<p>x", PAGE, 3)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"html": 5}', b"[" * 500_000])
def test_what_is_no_page_is_the_services_fault(body: bytes) -> None:
    with pytest.raises(ServiceDownError):
        protocol.read_page(config(), {}, body, PAGE)


def test_headers_of_the_site_are_kept_but_cookies_and_lies() -> None:
    stated = {"Server": "nginx", "Set-Cookie": "a=b", "X-Page-Service": "http", "A\nB": "x"}
    data = {"html": "x", "headers": stated | {"long": "x" * 9000, "two": "a\nb: c"}}
    found = protocol.read_page(config(), {}, json.dumps(data).encode(), PAGE)
    assert dict(found.headers) == {"server": "nginx", "two": "a"}


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (400, ServiceRefusedError, Reason.SERVICE_CONFIG),
        (403, ServiceRefusedError, Reason.SERVICE_CONFIG),
        (404, DownloadFailedError, Reason.NETWORK),
        (409, ServiceDownError, Reason.SERVICE_DOWN),
        (422, ServiceRefusedError, Reason.SERVICE_CONFIG),
        (423, protocol.DetectedError, Reason.BLOCKED),
        (429, ServiceDownError, Reason.SERVICE_DOWN),
        (500, ServiceDownError, Reason.SERVICE_DOWN),
        (301, ServiceRefusedError, Reason.SERVICE_CONFIG),
    ],
)
def test_each_error_has_its_reason(status: int, kind: type[Exception], reason: Reason) -> None:
    for detail in ("told", [{"loc": ["url"]}], None):
        error = protocol.error_of(status, json.dumps({"detail": detail}).encode())
        assert type(error) is kind
        found = failure_of(error)
        assert found is not None
        assert found.reason is reason


@pytest.mark.parametrize(
    ("status", "headers", "charged"),
    [
        (200, {"ant-credits-cost": "25"}, 25.0),
        (200, {}, 10.0),
        (200, {"ant-credits-cost": "nan"}, 10.0),
        (200, {"ant-credits-cost": "-5"}, 10.0),
        (500, {}, 0.0),
        (423, {"ant-credits-cost": "10"}, 10.0),
    ],
)
def test_the_credits_are_in_a_header(status: int, headers: dict[str, str], charged: float) -> None:
    assert protocol.credits_of(status, headers, 10.0) == charged


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        for number in range(4):
            server.on(f"/app{number}", Reply(body=SHELL))
        yield server


@pytest.fixture
def ant() -> Iterator[ScriptedScrapingAnt]:
    with ScriptedScrapingAnt() as server:
        yield server


@pytest.mark.parametrize("endpoint", ["extended", "general"])
@deferred_f_from_coro_f
async def test_a_shell_is_fetched_by_scrapingant(
    endpoint: str,
    site: ScriptedServer,
    ant: ScriptedScrapingAnt,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    ant.every_page = ant.extended(ARTICLE) if endpoint == "extended" else ant.general(ARTICLE)
    done = await fetch(
        site.url("/app0"),
        **ant.settings,
        LOG_LEVEL="DEBUG",
        SCRAPINGANT_ENDPOINT=endpoint,
        WIKICRAWLER_DATABASE_URL=f"sqlite:///{tmp_path}/db.sqlite",
    )
    (response,) = done.responses
    assert [(a["tier"], a["reason"]) for a in response.meta["tier_attempts"]] == [
        ("http", "js_shell"),
        ("scrapingant", "ok"),
    ]
    assert "fossilised" in response.meta["tier_content"].markdown
    assert done.stats["spending/credits/scrapingant"] == 10
    assert ant.pages() == [site.url("/app0")]
    assert all(ant.key not in x.path for x in ant.exchanges)
    assert ant.key not in caplog.text


@deferred_f_from_coro_f
async def test_a_refused_key_ends_the_tier(
    site: ScriptedServer, ant: ScriptedScrapingAnt, tmp_path: Path
) -> None:
    done = await fetch(
        site.url("/app0"),
        site.url("/app1"),
        **ant.settings | {"SCRAPINGANT_API_KEY": "another"},
        WIKICRAWLER_DATABASE_URL=f"sqlite:///{tmp_path}/db.sqlite",
    )
    assert len(ant.exchanges) == 1
    assert set(done.reasons().values()) == {"service_config"}
    assert "another" not in str(done.skipped)


@deferred_f_from_coro_f
async def test_a_detected_service_is_a_block_and_a_404_of_its_own_is_not_missing(
    site: ScriptedServer, ant: ScriptedScrapingAnt, tmp_path: Path
) -> None:
    ant.page(site.url("/app0"), answer(423, detail="detected"))
    ant.page(site.url("/app1"), answer(404, detail="not reachable"))
    done = await fetch(
        site.url("/app0"),
        site.url("/app1"),
        **ant.settings,
        WIKICRAWLER_DATABASE_URL=f"sqlite:///{tmp_path}/db.sqlite",
    )
    assert done.reasons() == {site.url("/app0"): "blocked", site.url("/app1"): "network"}


def test_without_a_key_it_is_missing() -> None:
    registry = TierRegistry.from_settings(Settings({"SCRAPINGANT_API_URL": "http://127.0.0.1"}))
    assert registry.missing("scrapingant") == "no ScrapingAnt is configured (SCRAPINGANT_API_KEY)"
