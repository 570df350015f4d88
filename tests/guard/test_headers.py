"""Answers whose headers do not end, and those that are only long."""

from __future__ import annotations

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.raw import RawServer, answer, forever
from wikicrawler.guard.headers import MAX_HEADERS

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
ARTICLE = b"<main><h1>Amber</h1>" + b"<p>Amber is fossilised tree resin.</p>" * 20 + b"</main>"

ENDLESS = {
    "headers": [OK, forever(b"X-Odd: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n")],
    "cookies": [OK, forever(b"Set-Cookie: a=yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n")],
    "lines of one header": [OK, b"X-Odd: y\r\n", forever(b" yyyyyyyyyyyyyyyyyyyyyyyyyy\r\n")],
    "one line": [OK, b"X-Odd: ", forever(b"y")],
    "a status": [b"HTTP/1.1 200 ", forever(b"y")],
    "provisional answers": [forever(b"HTTP/1.1 100 Continue\r\n\r\n")],
}


@pytest.mark.parametrize("pieces", ENDLESS.values(), ids=ENDLESS)
@deferred_f_from_coro_f
async def test_what_comes_before_a_body_without_end_is_cut_and_not_asked_for_again(
    pieces: list[bytes],
) -> None:
    with RawServer({"/page": pieces}) as server:
        done = await fetch(server.url("/page"), DOWNLOAD_TIMEOUT=200)
        assert server.paths() == ["/page"]
    assert [(s["reason"], s["detail"]) for s in done.skipped] == [
        ("too_large", "more than 256 KiB of headers")
    ]


LONG = {
    "one": [b"Content-Security-Policy: " + b"a" * (MAX_HEADERS - 2_000)],
    "many": [b"X-%d: %s" % (number, b"a" * 1_000) for number in range(200)],
}


@pytest.mark.parametrize("headers", LONG.values(), ids=LONG)
@deferred_f_from_coro_f
async def test_headers_that_browsers_take_cost_no_page(headers: list[bytes]) -> None:
    with RawServer({"/page": [answer(ARTICLE, *headers)]}) as server:
        done = await fetch(server.url("/page"))
    assert [page.url for page in done.responses] == [server.url("/page")]


@deferred_f_from_coro_f
async def test_a_long_body_is_no_header() -> None:
    body = ARTICLE * (2 * MAX_HEADERS // len(ARTICLE))
    with RawServer({"/page": [answer(body)]}) as server:
        done = await fetch(server.url("/page"))
    assert len(done.responses[0].body) >= len(body)


@deferred_f_from_coro_f
async def test_endless_headers_of_robots_txt_forbid_the_host() -> None:
    answers = {"/robots.txt": ENDLESS["headers"], "/page": [answer(ARTICLE)]}
    with RawServer(answers) as server:
        done = await fetch(server.url("/page"))
        assert server.paths() == []
    assert list(done.failures[0].args) == [
        "robots.txt could not be fetched (HeadersTooLargeError: more than 256 KiB of headers)"
    ]
