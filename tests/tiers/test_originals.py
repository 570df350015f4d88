"""What no tier finds to be a page reaches the spider as Scrapy would have it, unless only pages are
of use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, refused, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.tiers import originals
from wikicrawler.tiers.failures import TiersExhausted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Response

EMPTY = "<!doctype html><title>Nothing</title><body></body>"
SHELL = "<!doctype html><title>App</title><div id=root></div><script src=app.js></script>"
LOGIN = (
    "<!doctype html><title>Log in</title><form method=post action=/login><input name=user>"
    "<input name=password type=password><button>Log in</button></form>"
)
ARTICLE = "<!doctype html><title>Amber</title><main>" + "<p>Amber is tree resin.</p>" * 30


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted.on("/robots.txt", Reply(404))


async def lenient(*requests: Request | str, **settings: Any) -> Any:
    return await fetch(*requests, WIKICRAWLER_TIERS_STRICT=False, RETRY_TIMES=0, **settings)


@pytest.mark.parametrize(
    ("body", "reason"), [(EMPTY, "empty"), (SHELL, "js_shell"), (LOGIN, "login")]
)
@deferred_f_from_coro_f
async def test_a_response_that_is_no_page_reaches_the_callback(
    server: ScriptedServer, body: str, reason: str
) -> None:
    server.on("/a", Reply(body=body))
    done = await lenient(server.url("/a"))
    (response,) = done.responses
    assert response.text == body
    assert response.meta["tier_reason"] == reason
    assert response.meta["tier_attempts"][0]["reason"] == reason
    assert not {"tier_page", "tier_content", "_tier_state"} & {*response.meta}
    assert not done.failures
    assert not done.skipped


@pytest.mark.parametrize("settings", [{}, {"WIKICRAWLER_TIERS_STRICT": False}])
@deferred_f_from_coro_f
async def test_a_request_says_itself_whether_it_is_strict(
    server: ScriptedServer, settings: dict[str, Any]
) -> None:
    server.on("/a", Reply(body=EMPTY))
    strict = Request(server.url("/a?strict"), meta={"tiers_strict": True})
    done = await fetch(
        strict, Request(server.url("/a?any"), meta={"tiers_strict": False}), **settings
    )
    assert [response.url for response in done.responses] == [server.url("/a?any")]
    (failure,) = done.failures
    assert isinstance(failure, TiersExhausted)
    assert done.reasons() == {strict.url: "empty"}


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
@deferred_f_from_coro_f
async def test_an_error_is_scrapys(server: ScriptedServer, status: int) -> None:
    server.on("/a", Reply(status, body="no"))
    done = await lenient(server.url("/a"))
    (failure,) = done.failures
    assert isinstance(failure, HttpError)
    assert failure.response.status == status
    assert failure.response.text == "no"


@deferred_f_from_coro_f
async def test_a_failed_download_is_the_exception_itself(server: ScriptedServer) -> None:
    server.on("/a", Reply(delay=3))
    done = await lenient(Request(server.url("/a"), meta={"download_timeout": 0.3}))
    (failure,) = done.failures
    assert isinstance(failure, DownloadTimeoutError)


@deferred_f_from_coro_f
async def test_a_blocked_site_is_not_paused(server: ScriptedServer) -> None:
    server.on("/a", Reply(403))
    done = await lenient(*(server.url(f"/a?{n}") for n in range(15)))
    assert len(done.failures) == 15
    assert len([path for path in server.paths() if path != "/robots.txt"]) == 15


@deferred_f_from_coro_f
async def test_a_page_that_the_browser_gets_is_that(server: ScriptedServer) -> None:
    server.on("/a", Reply(body=SHELL))
    with ScriptedCrawl4AI(rendered(ARTICLE)) as crawl4ai:
        done = await lenient(server.url("/a"), **crawl4ai.settings)
    (response,) = done.responses
    assert response.meta["tier"] == "browser"
    assert "tree resin" in response.text
    assert "tier_reason" not in response.meta


@pytest.mark.parametrize("answer", [rendered(SHELL), refused(500), refused(401), Reply(drop=True)])
@deferred_f_from_coro_f
async def test_one_that_the_browser_does_not_get_is_the_original(
    server: ScriptedServer, answer: Reply
) -> None:
    server.on("/a", Reply(body=SHELL, headers={"X-Own": "1"}))
    request = Request(server.url("/a"), cb_kwargs={}, meta={"mine": 7})
    with ScriptedCrawl4AI(answer) as crawl4ai:
        settings = crawl4ai.settings | {"WIKICRAWLER_LONGEST_WAIT": 0}
        done = await lenient(request, **settings)
    (response,) = done.responses
    assert response.text == SHELL
    assert response.headers["X-Own"] == b"1"
    assert response.meta["mine"] == 7
    assert response.meta["tier"] == "http"
    assert response.meta["tier_reason"] == "js_shell"
    assert [attempt["tier"] for attempt in response.meta["tier_attempts"]] == ["http", "browser"]
    assert not {"crawl4ai", "dont_retry", "_tier_state"} & {*response.meta}


@pytest.mark.parametrize("status", [429, 503, 302])
@deferred_f_from_coro_f
async def test_what_the_project_handles_itself_is_not_rendered(
    server: ScriptedServer, status: int
) -> None:
    server.on("/a", Reply(status, {"Location": "/b"}))
    request = Request(server.url("/a"), meta={"handle_httpstatus_list": [302]})
    with ScriptedCrawl4AI(rendered(ARTICLE)) as crawl4ai:
        done = await lenient(request, **crawl4ai.settings)
    found: list[Response] = [*done.responses, *(failure.response for failure in done.failures)]
    assert [response.status for response in found] == [status]
    assert not crawl4ai.asked()


@deferred_f_from_coro_f
async def test_what_a_middleware_sets_for_a_fetch_is_kept(server: ScriptedServer) -> None:
    server.on("/a", Reply(301, {"Location": "/b"})).on("/b", Reply(body=ARTICLE))
    done = await lenient(server.url("/a"))
    (response,) = done.responses
    assert response.meta["redirect_urls"] == [server.url("/a")]
    assert response.meta["download_latency"] > 0


@deferred_f_from_coro_f
async def test_without_memory_for_it_the_page_is_skipped(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(originals, "MAX_BYTES", 10)
    server.on("/a", Reply(body=SHELL))
    with ScriptedCrawl4AI(rendered(SHELL)) as crawl4ai:
        done = await lenient(server.url("/a"), **crawl4ai.settings)
    (failure,) = done.failures
    assert isinstance(failure, TiersExhausted)
