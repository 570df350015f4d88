"""How long a download may take and how large it may be: Scrapy's own bounds, for all that is asked
for."""

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
"""Shorter than what a slow answer takes, and longer than what lies between two of its bytes."""


class Slowly:
    """Bytes that come one by one, for longer than any crawl here would wait."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __iter__(self) -> Iterator[bytes]:
        for byte in self._data:
            sleep(0.1)
            yield bytes([byte])


SLOW = [HEAD, Slowly(b"X-Slow: " + b"y" * 200)]


@deferred_f_from_coro_f
async def test_a_request_may_have_a_time_of_its_own() -> None:
    with RawServer({"/page": SLOW}) as server:
        request = Request(server.url("/page"), meta={"download_timeout": 1})
        done = await fetch(request, **ONCE, DOWNLOAD_TIMEOUT=600)
    assert list(done.reasons().values()) == ["timeout"]


@deferred_f_from_coro_f
async def test_an_api_that_does_not_answer_in_time_is_left_for_the_page_itself(
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
async def test_of_a_long_robots_txt_the_beginning_counts() -> None:
    rules = b"User-agent: *\nDisallow: /page\n" + b"Disallow: /other\n" * 1_000_000
    with RawServer({"/robots.txt": [answer(rules)]}) as server:
        done = await fetch(server.url("/page"))
        assert server.paths() == []
    assert str(done.failures[0]) == "Forbidden by robots.txt"
