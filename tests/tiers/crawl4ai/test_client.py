"""The client follows crawl4ai's API and bounds time, size and concurrency."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import DownloadCancelledError
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, half, refused, rendered
from tests.servers.scripted import Reply
from wikicrawler.errors import TierInterruptedError
from wikicrawler.tiers.crawl4ai.client import Crawl4AIClient
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.errors import (
    BrowserAddressError,
    BrowserConfigError,
    BrowserHungError,
    BrowserTimeoutError,
    BrowserUnavailableError,
)
from wikicrawler.tiers.service.breaker import FAILURES, Breaker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

PAGE = rendered("<p>Amber.</p>")
URL = "http://site.example/"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def client_of(
    server: ScriptedCrawl4AI,
    clock: Clock | None = None,
    is_closing: Callable[[], bool] = lambda: False,
    **config: Any,
) -> AsyncIterator[Crawl4AIClient]:
    """Yield a client that sends requests through Scrapy's own handler."""
    crawler = get_crawler()
    handler = HTTP11DownloadHandler(crawler)
    fields = {"url": server.url(""), "retry_delays": (0.01,)} | config
    breaker = Breaker(clock) if clock else None
    yield Crawl4AIClient(
        Crawl4AIConfig(**fields), handler.download_request, None, breaker, is_closing
    )
    await handler.close()


@deferred_f_from_coro_f
async def test_the_token_is_sent_and_the_version_requested_once() -> None:
    with ScriptedCrawl4AI(PAGE) as server:
        async with client_of(server, token="abc") as client:  # noqa: S106
            for _ in range(2):
                page, seconds = await client.crawl(URL)
                assert page.html == "<p>Amber.</p>"
                assert seconds > 0
        assert server.paths() == ["/health", "/crawl/stream", "/crawl/stream"]
        headers = server.exchanges[1].headers
        assert headers["Authorization"] == "Bearer abc"
        assert not {"Accept-Encoding", "Cookie"} & headers.keys()
        assert [data["urls"] for data in server.asked()] == [[URL]] * 2
        assert len({str(data["browser_config"]) for data in server.asked()}) == 1


@pytest.mark.parametrize(
    ("reply", "error", "asked"),
    [
        (refused(429), BrowserUnavailableError, 2),
        (refused(503), BrowserUnavailableError, 2),
        (refused(500), BrowserUnavailableError, 1),
        (refused(401), BrowserConfigError, 1),
        (refused(400, "Rejected config: x"), BrowserConfigError, 1),
        (refused(400, "URL blocked"), BrowserAddressError, 1),
        (Reply(body="<html>proxy</html>"), BrowserUnavailableError, 2),
        (half(PAGE), BrowserUnavailableError, 2),
        (Reply(200, {}, '{"success": true, "html": ""}\n'), BrowserUnavailableError, 2),
        (Reply(drop=True), BrowserUnavailableError, 2),
    ],
    ids=["429", "503", "500", "401", "config", "ssrf", "garbage", "half", "no-trailer", "reset"],
)
@deferred_f_from_coro_f
async def test_failures_are_classified_and_transient_ones_retried(
    reply: Reply, error: type[Exception], asked: int
) -> None:
    with ScriptedCrawl4AI(reply) as server:
        async with client_of(server) as client:
            with pytest.raises(error):
                await client.crawl(URL)
        assert len(server.asked()) == asked


@deferred_f_from_coro_f
async def test_a_retry_returns_the_page() -> None:
    with ScriptedCrawl4AI(refused(503), PAGE) as server:
        async with client_of(server) as client:
            assert (await client.crawl(URL))[0].html


@deferred_f_from_coro_f
async def test_a_server_that_hangs_times_out() -> None:
    with ScriptedCrawl4AI(Reply(delay=5)) as server:
        async with client_of(server, timeout=0.2) as client:
            with pytest.raises(BrowserTimeoutError):
                await asyncio.wait_for(client.crawl(URL), 4)


@deferred_f_from_coro_f
async def test_a_response_over_the_size_limit_is_cancelled() -> None:
    with ScriptedCrawl4AI(rendered("x" * 100_000)) as server:
        async with client_of(server, max_size=10_000) as client:
            with pytest.raises(DownloadCancelledError):
                await client.crawl(URL)
            assert (await client.crawl(URL, max_size=200_000))[0].html


@deferred_f_from_coro_f
async def test_the_concurrency_limit_holds() -> None:
    page = rendered("<p>Amber.</p>")
    slow = Reply(page.status, page.headers, page.body, delay=0.1)
    with ScriptedCrawl4AI(slow) as server:
        async with client_of(server, concurrency=2) as client:
            await asyncio.gather(*(client.crawl(f"{URL}{i}") for i in range(8)))
        assert server.most_in_flight() == 2
        assert len(server.asked()) == 8


@deferred_f_from_coro_f
async def test_a_refused_token_is_not_retried() -> None:
    with ScriptedCrawl4AI(refused(401)) as server:
        async with client_of(server) as client:
            for _ in range(3):
                with pytest.raises(BrowserConfigError, match="401"):
                    await client.crawl(URL)
        assert len(server.asked()) == 1


@deferred_f_from_coro_f
async def test_a_parameter_refused_for_one_request_does_not_affect_others() -> None:
    with ScriptedCrawl4AI(refused(400, "Rejected config: js_code"), PAGE) as server:
        async with client_of(server) as client:
            with pytest.raises(BrowserConfigError, match="js_code"):
                await client.crawl(URL, {"js_code": "1"})
            await client.crawl(URL)


@deferred_f_from_coro_f
async def test_a_failing_server_must_pass_a_trial_before_the_next_crawl() -> None:
    clock = Clock()
    replies = [refused(500)] * (FAILURES + 1)
    with ScriptedCrawl4AI(*replies, PAGE) as server:
        async with client_of(server, clock) as client:
            for _ in range(FAILURES):
                with pytest.raises(BrowserUnavailableError, match="HTTP 500"):
                    await client.crawl(URL)
            with pytest.raises(BrowserUnavailableError, match="left alone for 5 s"):
                await client.crawl(URL)
            assert server.urls() == [URL] * FAILURES
            clock.now += 5
            with pytest.raises(BrowserUnavailableError, match="HTTP 500"):  # the trial
                await client.crawl(URL)
            with pytest.raises(BrowserUnavailableError, match="left alone for 10 s"):
                await client.crawl(URL)
            clock.now += 10
            await client.crawl(URL)
        asked = [url[:4] for url in server.urls()]
        assert asked == ["http"] * FAILURES + ["raw:", "raw:", "http"]


@deferred_f_from_coro_f
async def test_a_refusal_of_one_address_does_not_count_against_the_server() -> None:
    blocked = refused(400, "URL blocked")
    replies = [*[refused(500)] * (FAILURES - 1), *[blocked] * FAILURES, refused(500), PAGE]
    with ScriptedCrawl4AI(*replies) as server:
        async with client_of(server) as client:
            for _ in range(FAILURES - 1):
                with pytest.raises(BrowserUnavailableError):
                    await client.crawl(URL)
            for _ in range(FAILURES):
                with pytest.raises(BrowserAddressError):
                    await client.crawl(URL)
            with pytest.raises(BrowserUnavailableError):  # the first in a row again
                await client.crawl(URL)
            await client.crawl(URL)


class Loops(ScriptedCrawl4AI):
    """A healthy server; only the pages of one site never end."""

    def next_reply(self, path: str) -> Reply:
        if path == "/crawl/stream" and b"loop.example" in self.exchanges[-1].body:
            return Reply(delay=2)
        return super().next_reply(path)


@deferred_f_from_coro_f
async def test_pages_that_never_end_do_not_open_the_breaker() -> None:
    with Loops(PAGE) as server:
        # The time is that of the trial page, too, which is answered on a busy machine as well.
        async with client_of(server, Clock(), timeout=1) as client:
            for i in range(2 * FAILURES):
                with pytest.raises(BrowserTimeoutError):
                    await client.crawl(f"http://loop.example/{i}")
            await client.crawl(URL)
        assert [url for url in server.urls() if url.startswith("raw:")]


@deferred_f_from_coro_f
async def test_a_server_whose_browsers_all_hang_opens_the_breaker_at_once() -> None:
    with ScriptedCrawl4AI(Reply(delay=2)) as server:
        async with client_of(server, Clock(), timeout=0.1) as client:
            with pytest.raises(BrowserHungError):
                await client.crawl(URL)
            with pytest.raises(BrowserUnavailableError, match="left alone"):
                await client.crawl(URL)


@deferred_f_from_coro_f
async def test_repeated_browser_crashes_open_the_breaker() -> None:
    crash = rendered("", success=False, error_message="Browser.new_page: has been closed")
    with ScriptedCrawl4AI(crash) as server:
        async with client_of(server, Clock()) as client:
            for _ in range(FAILURES):
                with pytest.raises(BrowserUnavailableError, match="crashed"):
                    await client.crawl(URL)
            with pytest.raises(BrowserUnavailableError, match="left alone"):
                await client.crawl(URL)


@deferred_f_from_coro_f
async def test_on_close_waiting_crawls_end_and_running_ones_get_a_grace_period() -> None:
    page = rendered("<p>Amber.</p>")
    slow = Reply(page.status, page.headers, page.body, delay=0.5)
    closing = False
    with ScriptedCrawl4AI(slow) as server:
        async with client_of(server, is_closing=lambda: closing, concurrency=2) as client:
            crawls = [asyncio.ensure_future(client.crawl(f"{URL}{i}")) for i in range(6)]
            while len(server.asked()) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            closing = True
            ended = await asyncio.gather(*crawls, return_exceptions=True)
        assert [type(end) for end in ended] == [tuple] * 2 + [TierInterruptedError] * 4
        assert len(server.asked()) == 2


class NoStealth(ScriptedCrawl4AI):
    """A server that rejects ``enable_stealth``."""

    message = "Rejected config: enable_stealth not allowed"

    def next_reply(self, path: str) -> Reply:
        if path == "/crawl/stream" and b"enable_stealth" in self.exchanges[-1].body:
            return refused(400, self.message)
        return super().next_reply(path)


def with_stealth(server: ScriptedCrawl4AI) -> list[bool]:
    return ["enable_stealth" in data["browser_config"]["params"] for data in server.asked()]


@deferred_f_from_coro_f
async def test_stealth_applies_to_single_requests() -> None:
    with ScriptedCrawl4AI(PAGE) as server:
        async with client_of(server) as client:
            for stealth in (False, True, False):
                await client.crawl(URL, stealth=stealth)
        assert with_stealth(server) == [False, True, False]
        bodies = [x.body for x in server.exchanges if x.path == "/crawl/stream"]
        assert bodies[0] == bodies[2]


@deferred_f_from_coro_f
async def test_after_a_refusal_of_stealth_crawls_go_without_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with NoStealth(PAGE) as server:
        async with client_of(server) as client:
            for _ in range(3):
                assert (await client.crawl(URL, stealth=True))[0].html
        assert with_stealth(server) == [True, False, False, False]
    (logged,) = [r.getMessage() for r in caplog.records if r.levelname in {"WARNING", "ERROR"}]
    assert "without it" in logged
    assert NoStealth.message in logged


@deferred_f_from_coro_f
async def test_a_refusal_without_stealth_too_does_not_disable_stealth() -> None:
    with ScriptedCrawl4AI(refused(400, "Invalid URL"), refused(400, "Invalid URL"), PAGE) as server:
        async with client_of(server) as client:
            with pytest.raises(BrowserConfigError, match="Invalid URL"):
                await client.crawl(URL, stealth=True)
            await client.crawl(URL, stealth=True)
        assert with_stealth(server) == [True, False, True]


@deferred_f_from_coro_f
async def test_a_refused_token_is_not_retried_without_stealth() -> None:
    with ScriptedCrawl4AI(refused(401)) as server:
        async with client_of(server) as client:
            for _ in range(2):
                with pytest.raises(BrowserConfigError, match="401"):
                    await client.crawl(URL, stealth=True)
        assert with_stealth(server) == [True]
