"""Scrapy's limits on the time and size of downloads apply to every kind of request."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.raw import RawServer, answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
ARTICLE = b"<main><h1>Amber</h1>" + b"<p>Amber is fossilised tree resin.</p>" * 20 + b"</main>"
ONCE = {"WIKICRAWLER_RETRY": {"timeout": [], "network": []}}
TIMEOUT = {**ONCE, "DOWNLOAD_TIMEOUT": 1}
"""Shorter than a slow response, longer than the gap between two of its bytes."""


class Slowly:
    """Bytes sent one by one, for longer than any crawl here waits."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __iter__(self) -> Iterator[bytes]:
        for byte in self._data:
            sleep(0.1)
            yield bytes([byte])


SLOW = [HEAD, Slowly(b"X-Slow: " + b"y" * 200)]


@deferred_f_from_coro_f
async def test_a_request_may_have_its_own_timeout() -> None:
    with RawServer({"/page": SLOW}) as server:
        request = Request(server.url("/page"), meta={"download_timeout": 1})
        done = await fetch(request, **ONCE, DOWNLOAD_TIMEOUT=600)
    assert list(done.reasons().values()) == ["timeout"]


@deferred_f_from_coro_f
async def test_after_a_timeout_of_the_api_the_page_itself_is_fetched(
    tmp_path: Path,
) -> None:
    with RawServer({"/wiki/A": [answer(ARTICLE)]}) as server:
        api = "/api.php"
        config = tmp_path / "sources.yml"
        config.write_text(f'mediawiki_sites: {{"{server.netloc}": "{server.url(api)}"}}')
        server.default = SLOW
        server.answers["/robots.txt"] = [answer(b"", status=b"404 Not Found")]
        done = await fetch(server.url("/wiki/A"), **TIMEOUT, WIKICRAWLER_CONFIG=str(config))
    (page,) = done.responses
    assert [a["reason"] for a in page.meta["tier_attempts"]] == ["timeout", "ok"]


@deferred_f_from_coro_f
async def test_the_beginning_of_a_too_long_robots_txt_applies() -> None:
    rules = b"User-agent: *\nDisallow: /page\n" + b"Disallow: /other\n" * 1_000_000
    with RawServer({"/robots.txt": [answer(rules)]}) as server:
        done = await fetch(server.url("/page"))
        assert server.paths() == []
    assert str(done.failures[0]) == "Forbidden by robots.txt"
