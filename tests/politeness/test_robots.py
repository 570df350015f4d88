"""robots.txt in real crawls."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Self

import pytest
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.politeness.crawling import COMPONENTS, Pages, crawl, stats_with_prefix
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.robots import RobotsDisallowed, SiteRobotsMiddleware
from wikicrawler.politeness.robots_cache import MAX_PARSED

FAST: dict[str, Any] = {
    "ROBOTSTXT_OBEY": True,
    "DOWNLOAD_DELAY": 0.001,
    "RETRY_TIMES": 1,
    "WIKICRAWLER_RETRY": {"503": [0.01], "429": [0.01], "network": [0.01]},
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running.on("/a").on("/b").on("/c").on("/d")


def robots(text: str) -> Reply:
    return Reply(headers={"Content-Type": "text/plain"}, body=text)


async def crawl_pages(server: ScriptedServer, *paths: str, **settings: Any) -> Pages:
    crawler = await crawl([server.url(p) for p in paths], **FAST | settings)
    assert isinstance(crawler.spider, Pages)
    return crawler.spider


@deferred_f_from_coro_f
async def test_a_forbidden_page_is_not_requested_and_fails(server: ScriptedServer) -> None:
    server.on("/robots.txt", robots("User-agent: *\nDisallow: /a\n"))
    spider = await crawl_pages(server, "/a", "/b")
    assert server.paths() == ["/robots.txt", "/b"]
    assert [type(f) for f in spider.failures] == [RobotsDisallowed]
    assert spider.crawler.stats.get_value("robotstxt/forbidden") == 1


@deferred_f_from_coro_f
async def test_all_pages_that_wait_for_a_robots_txt_are_checked(
    server: ScriptedServer,
) -> None:
    server.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /\n", delay=0.1))
    spider = await crawl_pages(server, "/a", "/b", "/c", "/d")
    assert server.paths() == ["/robots.txt"]
    assert len(spider.failures) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
@deferred_f_from_coro_f
async def test_no_robots_txt_allows_everything(server: ScriptedServer, status: int) -> None:
    server.on("/robots.txt", Reply(status, body="User-agent: *\nDisallow: /\n"))
    spider = await crawl_pages(server, "/a")
    assert len(spider.responses) == 1


@pytest.mark.parametrize(
    "reply", [Reply(500), Reply(503), Reply(429), Reply(drop=True)], ids=lambda r: str(r.status)
)
@deferred_f_from_coro_f
async def test_an_unreachable_robots_txt_forbids_all_pages_with_one_warning(
    server: ScriptedServer, reply: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    server.on("/robots.txt", reply)
    with caplog.at_level(logging.WARNING, "wikicrawler"):
        spider = await crawl_pages(server, "/a", "/b", "/c")
    assert server.paths() == ["/robots.txt"] * 2  # with its retry
    assert len(spider.failures) == 3
    assert all(isinstance(f, RobotsDisallowed) for f in spider.failures)
    assert "could not be fetched" in str(spider.failures[0])
    (warning,) = [r.getMessage() for r in caplog.records if r.name.startswith("wikicrawler")]
    assert "ROBOTSTXT_OBEY" in warning
    assert server.netloc in warning
    assert spider.crawler.stats.get_value("robotstxt/unreachable_count") == 1


class Broken:
    """A downloader middleware of a project that fails on robots.txt."""

    def process_response(self, request: Request, response: Response) -> Response:
        if request.url.endswith("/robots.txt"):
            raise ValueError("a bug")
        return response


class Stopped(Pages):
    """A spider that stops the download of robots.txt."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stop, signals.headers_received)
        return spider

    def stop(self, request: Request) -> None:
        if request.url.endswith("/robots.txt"):
            raise StopDownload


@pytest.mark.parametrize("kind", [ValueError, StopDownload])
@deferred_f_from_coro_f
async def test_a_failure_of_the_projects_own_forbids_nothing(
    server: ScriptedServer, kind: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    server.on("/robots.txt", robots("User-agent: *\nDisallow: /\n"))
    middlewares = dict(COMPONENTS["DOWNLOADER_MIDDLEWARES"])
    if kind is ValueError:
        middlewares[Broken] = 900
    crawler = await crawl(
        [server.url("/a")],
        spidercls=Stopped if kind is StopDownload else Pages,
        **FAST | {"DOWNLOADER_MIDDLEWARES": middlewares},
    )
    assert [r.url for r in crawler.spider.responses] == [server.url("/a")]
    assert crawler.stats.get_value(f"robotstxt/exception_count/{kind}") == 1
    assert crawler.stats.get_value("robotstxt/unreachable_count") is None
    (record,) = [r for r in caplog.records if r.name == SiteRobotsMiddleware.__module__]
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert record.exc_info[0] is kind


@deferred_f_from_coro_f
async def test_a_robots_txt_that_a_retry_fetches_applies(server: ScriptedServer) -> None:
    server.on("/robots.txt", Reply(503), robots("User-agent: *\nDisallow: /a\n"))
    spider = await crawl_pages(server, "/a", "/b")
    assert [r.url for r in spider.responses] == [server.url("/b")]


@deferred_f_from_coro_f
async def test_a_rule_truncated_by_the_limit_is_dropped(server: ScriptedServer) -> None:
    head, rule = "User-agent: *\n", "Disallow: /abcdef\n"
    cut = len("Disallow: /a")  # the part of the rule within the limit
    comment = "#" * (500 * 1024 - len(head) - cut - 1) + "\n"
    server.on("/robots.txt", robots(head + comment + rule))
    spider = await crawl_pages(server, "/a")
    assert len(spider.responses) == 1


@deferred_f_from_coro_f
async def test_a_redirect_of_robots_txt_to_another_host_is_followed(server: ScriptedServer) -> None:
    class Offsite(Pages):
        allowed_domains = ("127.0.0.1",)

    with ScriptedServer("127.0.0.2") as other:
        other.on("/rules", robots("User-agent: *\nDisallow: /a\n"))
        server.on("/robots.txt", Reply(301, {"Location": other.url("/rules")}))
        crawler = await crawl([server.url("/a"), server.url("/b")], spidercls=Offsite, **FAST)
        assert other.paths() == ["/rules"]
    assert [r.url for r in crawler.spider.responses] == [server.url("/b")]


@deferred_f_from_coro_f
async def test_exempt_requests_are_not_checked_and_are_logged_once(
    server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.on("/robots.txt", robots("User-agent: *\nDisallow: /\n"))
    exempt = {"robots_exempt": "api_robots: exempt"}
    with caplog.at_level(logging.WARNING, "wikicrawler"):
        crawler = await crawl(
            [
                Request(server.url("/a"), meta=exempt),
                Request(server.url("/b"), meta=exempt),
                server.url("/c"),
            ],
            **FAST,
        )
    assert {r.url for r in crawler.spider.responses} == {server.url("/a"), server.url("/b")}
    (line,) = [r.getMessage() for r in caplog.records if "exempted" in r.getMessage()]
    assert "api_robots: exempt" in line
    assert server.netloc in line
    assert stats_with_prefix(crawler, "robotstxt/")["exempted"] == 2


@deferred_f_from_coro_f
async def test_obeying_can_be_switched_off(server: ScriptedServer) -> None:
    server.on("/robots.txt", robots("User-agent: *\nDisallow: /\n"))
    spider = await crawl_pages(server, "/a", ROBOTSTXT_OBEY=False)
    assert server.paths() == ["/a"]
    assert len(spider.responses) == 1


@deferred_f_from_coro_f
async def test_robots_parsed_is_sent_once_for_each_host(server: ScriptedServer) -> None:
    seen: list[Any] = []

    class Listening(Pages):
        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            crawler.signals.connect(spider.parsed, signals.robots_parsed)
            return spider

        def parsed(self, robotparser: Any) -> None:
            seen.append(robotparser.allowed(server.url("/a"), "tester/1.0"))

    server.on("/robots.txt", robots("User-agent: *\nDisallow: /a\n"))
    await crawl([server.url("/a"), server.url("/b"), server.url("/c")], spidercls=Listening, **FAST)
    assert seen == [False]


@deferred_f_from_coro_f
async def test_long_rules_of_many_hosts_are_cached_without_their_parsers() -> None:
    """Each robots.txt is fetched once, though not every parser is kept."""
    filler = "Disallow: /a-plain-path-here\n" * (MAX_PARSED // 4 // 29)
    rules = robots(f"User-agent: *\nDisallow: /b\n{filler}")
    addresses = [f"127.0.0.{number}" for number in range(2, 8)]
    servers = [ScriptedServer(address).on("/robots.txt", rules) for address in addresses]
    with ExitStack() as stack:
        for server in servers:
            stack.enter_context(server.on("/a").on("/b"))
        urls = [server.url(path) for path in ("/a", "/b") for server in servers]
        crawler = await crawl(urls, **FAST, CONCURRENT_REQUESTS=1)
        assert [server.paths() for server in servers] == [["/robots.txt", "/a"]] * len(servers)
    middleware = crawler.get_downloader_middleware(SiteRobotsMiddleware)
    assert middleware.parsed_bytes() <= MAX_PARSED
