"""crawl4ai renders the pages that need a browser; if it fails, only those pages are lost."""

from __future__ import annotations

import asyncio
import logging
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Pages, fetch, project_settings, run
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, half, refused, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.addon import WikiCrawler
from wikicrawler.errors import ConfigError
from wikicrawler.tiers.crawl4ai.fingerprint import Crawl4AIFingerprinter
from wikicrawler.tiers.crawl4ai.handler import Crawl4AIHandler
from wikicrawler.tiers.failures import TiersExhausted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
ARTICLE = (
    "<html><head><title>Amber</title></head><body><main><h1>Amber</h1>"
    + "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
    + "</main></body></html>"
)


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        for i in range(10):
            server.on(f"/app{i}", Reply(body=SHELL)).on(f"/plain{i}", Reply(body=ARTICLE))
        yield server


def tried(response_or_error: Any) -> list[tuple[str, str]]:
    attempts = getattr(response_or_error, "attempts", None)
    if attempts is None:
        attempts = response_or_error.meta["tier_attempts"]
    return [(a["tier"], a["reason"]) for a in attempts]


@deferred_f_from_coro_f
async def test_the_browser_renders_a_shell_and_not_an_article(
    site: ScriptedServer,
) -> None:
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        done = await fetch(site.url("/app0"), site.url("/plain0"), **server.settings)
        assert server.urls() == [site.url("/app0")]
    by_path = {r.url.removeprefix(site.url("")): r for r in done.responses}
    app = by_path["/app0"]
    assert tried(app) == [("http", "js_shell"), ("browser", "ok")]
    assert "fossilised" in app.meta["tier_content"].markdown
    assert app.request.url == site.url("/app0")
    assert tried(by_path["/plain0"]) == [("http", "ok")]
    assert done.stats["tier/page_count/browser"] == 1
    assert done.stats["crawl4ai/request_count"] == 1


@deferred_f_from_coro_f
async def test_the_browsers_final_url_is_the_pages_url(site: ScriptedServer) -> None:
    page = rendered(ARTICLE, redirected_url=site.url("/home"), redirected_status_code=200)
    with ScriptedCrawl4AI(page) as server:
        done = await fetch(site.url("/app0"), **server.settings)
    (response,) = done.responses
    assert response.url == site.url("/home")
    assert response.meta["tier_page"].redirected_from == site.url("/app0")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (refused(401), "browser_config"),
        (refused(400, "Rejected config: prefetch"), "browser_config"),
        (refused(400, "URL blocked"), "browser_address"),
        (refused(429), "browser_down"),
        (refused(500), "browser_down"),
        (Reply(body="garbage"), "browser_down"),
        (half(rendered(ARTICLE)), "browser_down"),
        (Reply(200, {}, '{"success": true, "html": "<p>"}\n'), "browser_down"),
        (Reply(delay=1.0), "browser_down"),
    ],
    ids=["401", "config", "ssrf", "429", "500", "garbage", "half", "no-trailer", "hang"],
)
@deferred_f_from_coro_f
async def test_with_a_failing_crawl4ai_every_page_is_accounted_for(
    site: ScriptedServer, reply: Reply, reason: str
) -> None:
    apps = [site.url(f"/app{i}") for i in range(8)]
    plain = [site.url(f"/plain{i}") for i in range(8)]
    settings = {"CRAWL4AI_TIMEOUT": 0.15, "WIKICRAWLER_LONGEST_WAIT": 0}
    with ScriptedCrawl4AI(reply) as server:
        done = await fetch(*apps, *plain, **server.settings, **settings)
    assert sorted(r.url for r in done.responses) == sorted(plain)
    reasons = done.reasons()
    assert sorted(reasons) == sorted(apps)
    # After five consecutive failures the breaker opens.
    assert set(reasons.values()) <= {reason, "browser_down"}
    assert next(iter(reasons.values())) == reason
    assert done.stats["finish_reason"] == "finished"
    assert done.stats["wikicrawler/skipped/count"] == len(apps)
    assert not done.stats.get("log_count/ERROR", 0) - (reason == "browser_config")
    assert not done.stats.get("domain_throttle/pause_count")  # no fault of the site


@deferred_f_from_coro_f
async def test_the_crawl_finishes_without_a_server_at_crawl4ais_address(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedServer() as gone:
        address = gone.url("")
    apps = [site.url(f"/app{i}") for i in range(8)]
    settings = {
        "CRAWL4AI_URL": address,
        "CRAWL4AI_RETRY_DELAYS": "0.01",
        "WIKICRAWLER_LONGEST_WAIT": 0,
    }
    done = await fetch(*apps, site.url("/plain0"), **settings)
    assert done.reasons() == dict.fromkeys(apps, "browser_down")
    assert len(done.responses) == 1
    assert done.stats["crawl4ai/breaker/opened_count"] == 1
    assert done.stats["crawl4ai/breaker/state"] == "open"
    assert "keeps failing" in caplog.text


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (refused(500), "browser_down"),
        (rendered("<p>no robots", status_code=403, success=False), "blocked"),
    ],
    ids=["down", "blocked"],
)
@deferred_f_from_coro_f
async def test_the_next_tier_fetches_a_page_that_the_browser_cannot(
    site: ScriptedServer, reply: Reply, reason: str
) -> None:
    page = Request(site.url("/plain0"), meta={"tiers": ["browser", "http"]})
    with ScriptedCrawl4AI(reply) as server:
        done = await fetch(page, **server.settings)
    (response,) = done.responses
    assert tried(response) == [("browser", reason), ("http", "ok")]
    assert "crawl4ai" not in response.meta
    assert site.paths() == ["/robots.txt", "/plain0"]


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({"html": "<p>no", "status_code": 403, "success": False}, "blocked"),
        (
            {
                "html": "<p>" + "Please wait. " * 50,
                "success": False,
                "error_message": "Blocked by anti-bot protection: Cloudflare JS challenge",
            },
            "blocked",
        ),
        ({"html": "<html><body></body></html>", "success": False}, "empty"),
        ({"html": SHELL}, "js_shell"),
        ({"html": "<p>x", "status_code": 500}, "http_error"),
        ({"html": "<p>x", "status_code": 503, "success": False}, "busy"),
        ({"html": "", "success": False, "error_message": "Timeout 25000ms exceeded"}, "timeout"),
        ({"html": "", "success": False, "error_message": "net::ERR_CONNECTION_RESET"}, "network"),
        ({"html": "", "success": False, "error_message": "Download is starting"}, "not_html"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
@deferred_f_from_coro_f
async def test_failures_of_the_site_in_the_browser_are_the_sites(
    site: ScriptedServer, result: dict[str, Any], reason: str
) -> None:
    page = Request(site.url("/app0"), meta={"tiers": ["browser"]})
    with ScriptedCrawl4AI(rendered(**result)) as server:
        done = await fetch(page, **server.settings)
        assert len(server.asked()) <= 2  # one retry at most
    (failure,) = done.failures
    assert isinstance(failure, TiersExhausted)
    assert failure.reason == reason
    assert done.stats["crawl4ai/breaker/state"] == "closed"


@deferred_f_from_coro_f
async def test_a_short_page_that_crawl4ai_rejects_is_a_page(site: ScriptedServer) -> None:
    page = Request(site.url("/app0"), meta={"tiers": ["browser"]})
    doubt = "Blocked by anti-bot protection: Near-empty content (61 bytes) with HTTP 200"
    short = rendered("<p>Short but true.</p>", success=False, error_message=doubt)
    with ScriptedCrawl4AI(short) as server:
        done = await fetch(page, **server.settings)
    assert done.responses[0].meta["tier_content"].markdown.strip() == "Short but true."


@deferred_f_from_coro_f
async def test_an_article_in_which_crawl4ai_sees_a_block_is_a_page(site: ScriptedServer) -> None:
    page = Request(site.url("/app0"), meta={"tiers": ["browser"]})
    article = (
        "<main><h1>Bots</h1>" + "<p>How a captcha tells bots from people.</p>" * 200 + "</main>"
    )
    seen = "Blocked by anti-bot protection: DataDome captcha"
    with ScriptedCrawl4AI(rendered(article, success=False, error_message=seen)) as server:
        done = await fetch(page, **server.settings)
    assert done.responses[0].meta["tier_content"].title == "Bots"


@deferred_f_from_coro_f
async def test_robots_and_allowed_domains_apply_to_redirects_in_the_browser() -> None:
    with ScriptedServer() as site, ScriptedServer("127.0.0.2") as other:
        site.on("/robots.txt", Reply(404))
        other.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /private"))
        landings = [other.url("/open"), other.url("/private")]
        pages = [rendered(ARTICLE, redirected_url=url) for url in landings]
        settings = {"CRAWL4AI_CONCURRENCY": 1, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
        requests = [
            Request(site.url(f"/{i}"), meta={"tiers": ["browser"]}, priority=-i) for i in range(2)
        ]
        with ScriptedCrawl4AI(*pages) as server:
            done = await fetch(*requests, **server.settings, **settings)
        assert [r.url for r in done.responses] == [landings[0]]
        assert done.reasons() == {site.url("/1"): "robots"}
        with ScriptedCrawl4AI(*pages) as server:
            at_home = {"requests": requests, "allowed_domains": ["127.0.0.1"]}
            done = await run(Pages, project_settings(**server.settings, **settings), **at_home)
        assert not done.responses
        assert set(done.reasons().values()) == {"offsite"}


class Stopped(Pages):
    """Stops as on Ctrl-C while *server* is rendering."""

    server: ScriptedCrawl4AI

    async def start(self) -> AsyncIterator[Request]:
        async for request in super().start():
            yield request
        while not self.server.asked():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        self.stop = asyncio.ensure_future(self.crawler.stop_async())


@deferred_f_from_coro_f
async def test_pages_waiting_for_the_browser_survive_a_stop(
    site: ScriptedServer, tmp_path: Path
) -> None:
    apps = [site.url(f"/app{i}") for i in range(6)]
    job = {"JOBDIR": str(tmp_path), "CRAWL4AI_CONCURRENCY": 2}
    with ScriptedCrawl4AI(Reply(delay=20)) as server:
        settings = project_settings(**server.settings, **job)
        stopped = await run(Stopped, settings, requests=apps, server=server)
        assert stopped.stats["finish_reason"] == "shutdown"
        assert not stopped.skipped
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        done = await run(Pages, project_settings(**server.settings, **job), requests=[])
    assert sorted(r.url for r in done.responses) == apps
    assert {tuple(tried(r)) for r in done.responses} == {(("http", "js_shell"), ("browser", "ok"))}


@deferred_f_from_coro_f
async def test_a_crawl_resumed_without_crawl4ai_reports_the_missing_tier(
    site: ScriptedServer, tmp_path: Path
) -> None:
    job = {"JOBDIR": str(tmp_path)}
    apps = [site.url(f"/app{i}") for i in range(3)]
    with ScriptedCrawl4AI(Reply(delay=20)) as server:
        settings = project_settings(**server.settings, **job)
        await run(Stopped, settings, requests=apps, server=server)
    done = await run(Pages, project_settings(**job), requests=[])
    assert done.reasons() == dict.fromkeys(apps, "js_shell")
    assert {tuple(tried(e)) for e in done.failures} == {
        (("http", "js_shell"), ("browser", "no_tier"))
    }


@deferred_f_from_coro_f
async def test_a_page_that_is_missing_in_the_browser_is_a_404(site: ScriptedServer) -> None:
    page = Request(site.url("/app0"), meta={"tiers": ["browser"]})
    with ScriptedCrawl4AI(rendered(ARTICLE, status_code=404)) as server:
        done = await fetch(page, **server.settings)
    (failure,) = done.failures
    assert isinstance(failure, HttpError)
    assert failure.response.status == 404


@deferred_f_from_coro_f
async def test_all_tiers_share_the_sites_rate_limit(site: ScriptedServer) -> None:
    pages = [site.url(f"/app{i}") for i in range(4)]
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        done = await fetch(*pages, **server.settings, DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=300)
        times = sorted(
            (x.start, x.end)
            for x in [*site.exchanges, *server.exchanges]
            if x.path.startswith(("/app", "/crawl"))
        )
    assert len(done.responses) == 4
    gaps = [later[0] - sooner[1] for sooner, later in pairwise(times)]
    assert len(gaps) == 7
    assert min(gaps) >= 0.19  # of 0.2


@deferred_f_from_coro_f
async def test_a_fast_site_does_not_wait_for_a_slow_site_in_the_browser(
    site: ScriptedServer,
) -> None:
    page = rendered(ARTICLE)
    slow = Reply(page.status, page.headers, page.body, delay=0.5)
    with ScriptedServer("127.0.0.2") as fast, ScriptedCrawl4AI(slow) as server:
        fast.on("/robots.txt", Reply(404))
        urls = [fast.url(f"/{i}") for i in range(10)]
        for url in urls:
            fast.on(url.removeprefix(fast.url("")), Reply(body=ARTICLE))
        apps = [site.url(f"/app{i}") for i in range(3)]
        settings = {"CRAWL4AI_CONCURRENCY": 1, "CONCURRENT_REQUESTS_PER_DOMAIN": 2}
        done = await fetch(*apps, *urls, **server.settings, **settings)
        assert server.most_in_flight() == 1
    order = [response.url for response in done.responses]
    assert sorted(order) == sorted(apps + urls)
    assert max(map(order.index, urls)) < max(map(order.index, apps[1:]))


@deferred_f_from_coro_f
async def test_the_http_cache_distinguishes_rendered_and_plain_pages(
    site: ScriptedServer, tmp_path: Any
) -> None:
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        for _ in range(2):
            done = await fetch(site.url("/app0"), **server.settings, **cache)
            (response,) = done.responses
            assert tried(response) == [("http", "js_shell"), ("browser", "ok")]
            assert "fossilised" in response.meta["tier_content"].markdown
        assert len(server.asked()) == 1


def test_a_page_rendered_with_stealth_has_its_own_fingerprint() -> None:
    fingerprinter = Crawl4AIFingerprinter.from_crawler(get_crawler())

    def of(**meta: Any) -> bytes:
        return fingerprinter.fingerprint(Request("http://a.example/", meta=meta))

    assert of(crawl4ai=True) == of(crawl4ai=True, crawl4ai_stealth=False)
    assert of(crawl4ai=True) != of(crawl4ai=True, crawl4ai_stealth=True)
    assert of() == of(crawl4ai_stealth=True)


@deferred_f_from_coro_f
async def test_stealth_applies_to_rendered_pages_only(site: ScriptedServer) -> None:
    requests = [Request(site.url(f"/app{i}"), meta={"crawl4ai_stealth": not i}) for i in range(2)]
    requests.append(Request(site.url("/plain0"), meta={"crawl4ai_stealth": True}))
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        done = await fetch(*requests, **server.settings)
        asked = {
            data["urls"][0]: data["browser_config"]["params"].get("enable_stealth")
            for data in server.asked()
        }
    assert asked == {site.url("/app0"): True, site.url("/app1"): None}
    assert len(done.responses) == 3
    assert done.stats["crawl4ai/stealth_count"] == 1


@deferred_f_from_coro_f
async def test_a_project_without_the_tiers_can_use_the_handler(
    site: ScriptedServer,
) -> None:
    handler = "wikicrawler.tiers.crawl4ai.handler.Crawl4AIHandler"
    page = rendered(ARTICLE, response_headers={"content-type": "text/html; charset=latin-1"})
    with ScriptedCrawl4AI(page) as server:
        settings = Settings({"DOWNLOAD_HANDLERS": {"http": handler, "https": handler}})
        settings.setdict(server.settings)
        requests = [
            Request(site.url("/app0"), meta={"crawl4ai": {"wait_for": "css:main"}}),
            Request(site.url("/app1")),
            Request(site.url("/app2"), method="POST", meta={"crawl4ai": True}),
        ]
        done = await run(Pages, settings, requests=requests)
        (asked,) = server.asked()
    assert asked["crawler_config"]["params"]["wait_for"] == "css:main"
    assert [str(f) for f in done.failures] == [
        "meta['crawl4ai']: only GET is rendered, not POST",
    ]
    by_path = {r.url.removeprefix(site.url("")): r for r in done.responses}
    assert by_path["/app1"].text == SHELL
    response = by_path["/app0"]
    assert response.css("h1::text").get() == "Amber"
    assert response.headers["X-Crawl4AI-Version"] == b"0.9"
    assert response.headers["Content-Type"] == b"text/html; charset=utf-8"
    assert site.paths() == ["/app1"]


@deferred_f_from_coro_f
async def test_the_token_is_not_logged(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token = "hush-hush-hush"  # noqa: S105
    with ScriptedCrawl4AI(refused(401)) as server:
        settings = {**server.settings, "CRAWL4AI_API_TOKEN": token, "LOG_LEVEL": "DEBUG"}
        await fetch(site.url("/app0"), **settings)
        assert server.exchanges[-1].headers["Authorization"] == f"Bearer {token}"
    assert "CRAWL4AI_API_TOKEN" in caplog.text  # the hint
    assert token not in caplog.text


def test_the_add_on_keeps_the_handlers_and_the_fingerprinter_that_a_project_has() -> None:
    ordinary = "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"
    settings = Settings(
        {
            "CRAWL4AI_URL": "http://127.0.0.1:1",
            "DOWNLOAD_HANDLERS": {"https": ordinary, "s3": None},
            "REQUEST_FINGERPRINTER_CLASS": "scrapy.utils.request.RequestFingerprinter",
        }
    )
    WikiCrawler().update_settings(settings)
    handlers = settings.getdict("DOWNLOAD_HANDLERS")
    assert handlers == {"http": Crawl4AIHandler, "https": Crawl4AIHandler, "s3": None}
    assert settings.getdict("CRAWL4AI_FALLBACK_HANDLERS")["https"] == ordinary
    crawler = get_crawler(settings_dict={"REQUEST_FINGERPRINTER_CLASS": Crawl4AIFingerprinter})
    fingerprinter = Crawl4AIFingerprinter.from_crawler(crawler)
    plain, browser, other = (
        fingerprinter.fingerprint(Request("http://a.example/", meta={"crawl4ai": wanted}))
        for wanted in (False, True, {"wait_for": "css:p"})
    )
    assert len({plain, browser, other}) == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CRAWL4AI_URL", "localhost:11235"),
        ("CRAWL4AI_URL", "ftp://127.0.0.1"),
        ("CRAWL4AI_URL", "http://me:secret@127.0.0.1"),
        ("CRAWL4AI_URL", "http://127.0.0.1/?a=1"),
        ("CRAWL4AI_TIMEOUT", 0),
        ("CRAWL4AI_TIMEOUT", "soon"),
        ("CRAWL4AI_CONCURRENCY", 0),
        ("CRAWL4AI_RETRY_DELAYS", "2,x"),
        ("CRAWL4AI_API_TOKEN", "a\nb"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: object) -> None:
    settings = Settings({"CRAWL4AI_URL": "http://127.0.0.1:1"} | {name: value})
    with pytest.raises(ConfigError, match=name) as error:
        WikiCrawler().update_settings(settings)
    assert "secret" not in str(error.value)


def test_the_environment_variable_applies_unless_a_setting_is_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CRAWL4AI_URL", "http://127.0.0.1:1/")
    settings = Settings()
    WikiCrawler().update_settings(settings)
    assert settings.getdict("DOWNLOAD_HANDLERS")["http"] is Crawl4AIHandler
    settings = Settings({"CRAWL4AI_URL": ""})
    WikiCrawler().update_settings(settings)
    assert settings.getdict("DOWNLOAD_HANDLERS")["http"] is not Crawl4AIHandler
