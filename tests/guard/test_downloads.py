"""How long a download may take and how large it may be: Scrapy's own bounds, for all that is asked
for."""

from __future__ import annotations

import gzip
import socket
import zlib
from time import sleep
from typing import TYPE_CHECKING

import brotli
import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch, project_settings, run
from tests.servers.raw import RawServer, answer, forever
from wikicrawler.spiders.wiki import WikiSpider

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


SLOW = {
    "status": [Slowly(HEAD * 4)],
    "header": [HEAD, Slowly(b"X-Slow: " + b"y" * 200)],
    "body of a known length": [HEAD + b"Content-Length: 200\r\n\r\n", Slowly(b"<" * 200)],
    "body of unknown length": [HEAD + b"\r\n", Slowly(b"<" * 200)],
    "body of one long chunk": [
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\n",
        Slowly(b"<" * 200),
    ],
}


@pytest.mark.parametrize("pieces", SLOW.values(), ids=SLOW)
@deferred_f_from_coro_f
async def test_an_answer_that_drips_in_has_one_deadline(pieces: list[bytes]) -> None:
    with RawServer({"/page": pieces}) as server:
        done = await fetch(server.url("/page"), **TIMEOUT)
    assert list(done.reasons().values()) == ["timeout"]


@deferred_f_from_coro_f
async def test_so_has_a_request_with_a_time_of_its_own() -> None:
    with RawServer({"/page": SLOW["header"]}) as server:
        request = Request(server.url("/page"), meta={"download_timeout": 1})
        done = await fetch(request, **ONCE, DOWNLOAD_TIMEOUT=600)
    assert list(done.reasons().values()) == ["timeout"]


@deferred_f_from_coro_f
async def test_so_has_robots_txt() -> None:
    with RawServer({"/robots.txt": SLOW["header"]}) as server:
        done = await fetch(server.url("/page"), **TIMEOUT)
    assert "DownloadTimeoutError" in str(done.failures[0])


@deferred_f_from_coro_f
async def test_so_has_an_api_and_the_page_comes_as_html(tmp_path: Path) -> None:
    with RawServer({"/wiki/A": [answer(ARTICLE)]}) as server:
        api = "/api.php"
        config = tmp_path / "sources.yml"
        config.write_text(f'mediawiki_sites: {{"{server.netloc}": "{server.url(api)}"}}')
        server.default = SLOW["header"]
        server.answers["/robots.txt"] = [answer(b"", status=b"404 Not Found")]
        done = await fetch(server.url("/wiki/A"), **TIMEOUT, WIKICRAWLER_CONFIG=str(config))
    (page,) = done.responses
    assert [a["reason"] for a in page.meta["tier_attempts"]] == ["timeout", "ok"]


@deferred_f_from_coro_f
async def test_so_has_a_handshake() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts and says nothing
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        done = await fetch(url, **TIMEOUT, ROBOTSTXT_OBEY=False)
    assert list(done.reasons().values()) == ["timeout"]


BOMB = b"<p>" + bytes(32 << 20)
SMALL = {"DOWNLOAD_MAXSIZE": 1 << 20}


def nested(times: int) -> bytes:
    body = BOMB
    for _ in range(times):
        body = gzip.compress(body, 6)
    return body


BOMBS = {
    "gzip": lambda: nested(1),
    "deflate": lambda: zlib.compress(BOMB),
    "br": lambda: brotli.compress(BOMB, quality=1),
    "gzip, gzip": lambda: nested(2),
    "gzip, gzip, gzip": lambda: nested(3),
}


@pytest.mark.parametrize("encoding", BOMBS)
@deferred_f_from_coro_f
async def test_a_body_that_grows_when_it_is_decoded(encoding: str) -> None:
    body = BOMBS[encoding]()
    with RawServer({"/page": [answer(body, b"Content-Encoding: " + encoding.encode())]}) as server:
        done = await run(WikiSpider, project_settings(**SMALL), seeds=server.url("/page"))
    assert list(done.reasons().values()) == ["too_large"]


LARGE = {
    "without end": [HEAD + b"\r\n", forever(b"<p>")],
    "in chunks without end": [
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
        forever(b"fff\r\n" + b"<" * 0xFFF + b"\r\n"),
    ],
    "of a length that is too much": [HEAD + b"Content-Length: 10000000000\r\n\r\n"],
}


@pytest.mark.parametrize("pieces", LARGE.values(), ids=LARGE)
@deferred_f_from_coro_f
async def test_a_body_that_is_too_large(pieces: list[bytes]) -> None:
    with RawServer({"/page": pieces}) as server:
        done = await fetch(server.url("/page"), **SMALL)
    assert list(done.reasons().values()) == ["too_large"]


@deferred_f_from_coro_f
async def test_of_a_long_robots_txt_the_beginning_counts() -> None:
    rules = b"User-agent: *\nDisallow: /page\n" + b"Disallow: /other\n" * 1_000_000
    with RawServer({"/robots.txt": [answer(rules)]}) as server:
        done = await fetch(server.url("/page"))
        assert server.paths() == []
    assert str(done.failures[0]) == "Forbidden by robots.txt"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, br"])
@deferred_f_from_coro_f
async def test_a_body_that_is_not_what_it_says_is_a_failure_with_a_name(
    encoding: str, caplog: pytest.LogCaptureFixture
) -> None:
    header = b"Content-Encoding: " + encoding.encode()
    with RawServer({"/page": [answer(b"neither" + ARTICLE, header)]}) as server:
        done = await run(WikiSpider, project_settings(), seeds=server.url("/page"))
    (skip,) = done.skipped
    assert skip["reason"] == "network"
    assert f"cannot be decoded as {encoding}" in skip["detail"]
    assert not [record for record in caplog.records if record.exc_info]
