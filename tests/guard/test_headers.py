"""Long headers within the limit. The hostile server covers endless ones."""

from __future__ import annotations

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.raw import RawServer, answer
from wikicrawler.guard.connection_errors import MAX_HEADERS

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
ARTICLE = b"<main><h1>Amber</h1>" + b"<p>Amber is fossilised tree resin.</p>" * 20 + b"</main>"

LONG = {
    "one": [b"Content-Security-Policy: " + b"a" * (MAX_HEADERS - 2_000)],
    "many": [b"X-%d: %s" % (number, b"a" * 1_000) for number in range(200)],
}


@pytest.mark.parametrize("headers", LONG.values(), ids=LONG)
@deferred_f_from_coro_f
async def test_long_headers_within_the_limit_are_accepted(headers: list[bytes]) -> None:
    with RawServer({"/page": [answer(ARTICLE, *headers)]}) as server:
        done = await fetch(server.url("/page"))
    assert [page.url for page in done.responses] == [server.url("/page")]


@deferred_f_from_coro_f
async def test_a_long_body_does_not_count_as_headers() -> None:
    body = ARTICLE * (2 * MAX_HEADERS // len(ARTICLE))
    with RawServer({"/page": [answer(body)]}) as server:
        done = await fetch(server.url("/page"))
    assert len(done.responses[0].body) >= len(body)
