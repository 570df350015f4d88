"""Limits on cookies, in a project with ``COOKIES_ENABLED``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Outcome, fetch
from tests.servers.raw import RawServer, answer
from wikicrawler.guard.cookies import (
    MAX_DOMAINS,
    MAX_HEADER_BYTES,
    MAX_PER_DOMAIN,
    BoundedCookiesMiddleware,
)

ARTICLE = b"<main><h1>Amber</h1>" + b"<p>Amber is fossilised tree resin.</p>" * 20 + b"</main>"


async def cookies_sent_after(*cookies: bytes) -> tuple[str, Outcome]:
    """Return the ``Cookie`` header of a request after a response that set *cookies*."""
    headers = [b"Set-Cookie: " + cookie for cookie in cookies]
    answers = {"/a": [answer(ARTICLE, *headers)], "/b": [answer(ARTICLE)]}
    with RawServer(answers) as server:
        requests = [Request(server.url("/a"), priority=1), server.url("/b")]
        settings = {"COOKIES_ENABLED": True, "ROBOTSTXT_OBEY": False, "CONCURRENT_REQUESTS": 1}
        done = await fetch(*requests, **settings)
        found = re.search("^Cookie: (.*)\r$", server.requests[-1], re.MULTILINE)
    return found[1] if found else "", done


def cookies_middleware() -> BoundedCookiesMiddleware:
    return BoundedCookiesMiddleware.from_crawler(
        get_crawler(settings_dict={"COOKIES_ENABLED": True})
    )


@deferred_f_from_coro_f
async def test_session_cookies_are_kept_and_sent() -> None:
    sent, done = await cookies_sent_after(b"session=abc; Path=/", b"language=en; Path=/")
    assert sent == "session=abc; language=en"
    assert len(done.responses) == 2


@deferred_f_from_coro_f
async def test_the_cookie_header_is_limited_in_size() -> None:
    sent, done = await cookies_sent_after(
        *(b"c%d=%s; Path=/" % (n, b"v" * 3_500) for n in range(52))
    )
    assert 3_500 < len(sent) <= MAX_HEADER_BYTES
    assert sent.startswith("c50=")
    assert len(done.responses) == 2


@deferred_f_from_coro_f
async def test_the_newest_50_cookies_of_a_domain_are_kept() -> None:
    sent, _ = await cookies_sent_after(*(b"c%d=v; Path=/" % n for n in range(500)))
    assert sent.split("; ") == [f"c{n}=v" for n in range(500 - MAX_PER_DOMAIN, 500)]


@deferred_f_from_coro_f
async def test_a_cookie_larger_than_4_kib_is_dropped() -> None:
    sent, _ = await cookies_sent_after(b"session=abc; Path=/", b"huge=%s; Path=/" % (b"v" * 5_000))
    assert sent == "session=abc"


def test_a_cookie_for_a_public_suffix_is_rejected() -> None:
    middleware = cookies_middleware()
    page = Request("https://shop.co.uk/")
    headers = {"Set-Cookie": ["all=1; Domain=co.uk", "own=1; Domain=shop.co.uk"]}
    middleware.process_response(page, Response(page.url, headers=headers))
    later = Request("https://shop.co.uk/b")
    middleware.process_request(later)
    assert later.headers[b"Cookie"] == b"own=1"


def test_no_list_of_public_suffixes_is_fetched(tmp_path: Path) -> None:
    program = """
from scrapy import Request
from scrapy.http import Response
from tests.guard.test_cookies import cookies_middleware
headers = {"Set-Cookie": ["all=1; Domain=co.uk"]}
page = Request("https://shop.co.uk/")
cookies_middleware().process_response(page, Response(page.url, headers=headers))
"""
    cache = tmp_path / "cache"  # tldextract writes here, even if the fetch fails
    subprocess.run(
        [sys.executable, "-c", program],
        env={"TLDEXTRACT_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).parents[2])},
        check=True,
        timeout=120,
    )
    assert not cache.exists()


def test_the_number_of_domains_with_cookies_is_limited() -> None:
    middleware = cookies_middleware()
    for number in range(MAX_DOMAINS + 50):
        request = Request(f"http://host{number}.example/")
        headers = {"Set-Cookie": "a=b; Path=/"}
        middleware.process_response(request, Response(request.url, headers=headers))
    assert len(middleware.jars[None]) == MAX_DOMAINS


def test_cookies_of_parent_domains_count_towards_the_header_limit() -> None:
    middleware = cookies_middleware()
    url = "http://a.b.c.d.wiki.com/"
    for domain in ("b.c.d.wiki.com", "c.d.wiki.com", "d.wiki.com", "wiki.com"):
        headers = {"Set-Cookie": f"{domain}={'v' * 3_000}; Path=/; Domain=.{domain}"}
        middleware.process_response(Request(url), Response(url, headers=headers))
    request = Request(url)
    middleware.process_request(request)
    assert len(request.headers["Cookie"].split(b"; ")) == 2
    assert len(request.headers["Cookie"]) <= MAX_HEADER_BYTES
