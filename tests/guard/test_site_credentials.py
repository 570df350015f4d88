"""A request gets the credentials of its own URL, on the wire alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from wikicrawler.guard.site_credentials import (
    LOGIN_STEP,
    PROXY,
    SITE_PROXY,
    SiteCredentials,
    SiteSession,
)

if TYPE_CHECKING:
    from pathlib import Path

API = "https://wiki.example.org/w/api.php"
ORIGIN = "https://wiki.example.org:443"
SECRET = "hunter2-hunter2"  # noqa: S105
COOKIE = "wiki_session=abcdefabcdefabcdef; path=/; secure; HttpOnly"


class Wire:
    """What a server would get, and what it answers."""

    def __init__(self, *cookies: str) -> None:
        self.sent: list[Request] = []
        self._cookies = cookies

    async def send(self, request: Request) -> Response:
        self.sent.append(request)
        request.meta["download_latency"] = 0.5
        headers = {"Set-Cookie": [cookie.encode() for cookie in self._cookies]}
        return Response(request.url, headers=headers, request=None)


@pytest.fixture
def credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SiteCredentials:
    monkeypatch.setenv("SITE_SECRET", SECRET)
    (tmp_path / "sources.yml").write_text(
        f"mediawiki_sites:\n  wiki.example.org:\n    api: {API}\n"
        "    login: {user: Reader@bot, password: {env: SITE_SECRET}}\n"
        "  t.example.org:\n    api: https://t.example.org/api.php\n"
        "    login: {token: {env: SITE_SECRET}}\n"
        "domains:\n  p.example.org:\n"
        "    proxy: {url: 'http://proxy:3128', user: me, password: {env: SITE_SECRET}}\n"
    )
    return SiteCredentials(Settings({"WIKICRAWLER_CONFIG": str(tmp_path / "sources.yml")}))


async def log_in(credentials: SiteCredentials) -> SiteSession:
    session = credentials.sessions[ORIGIN]
    session.begin()
    step = Request(f"{API}?action=query", meta={LOGIN_STEP: True})
    await credentials.send(step, Wire(COOKIE).send)
    session.open()
    return session


@deferred_f_from_coro_f
async def test_the_cookie_of_a_session_is_in_no_request_or_response_of_the_crawl(
    credentials: SiteCredentials,
) -> None:
    await log_in(credentials)
    wire = Wire("other=1; path=/")
    request = Request("https://wiki.example.org/wiki/A")
    response = await credentials.send(request, wire.send)
    assert wire.sent[0].headers["Cookie"] == b"wiki_session=abcdefabcdefabcdef"
    assert "Cookie" not in request.headers
    assert "Set-Cookie" not in response.headers
    assert request.meta == {"site_session": 1, "download_latency": 0.5}
    await credentials.send(request, wire.send)
    assert b"other=1" in wire.sent[1].headers["Cookie"]


@pytest.mark.parametrize(
    "url",
    [
        "http://wiki.example.org/wiki/A",
        "https://wiki.example.org:8443/wiki/A",
        "https://en.wiki.example.org/wiki/A",
        "https://example.org/wiki/A",
        "https://evil.example/?https://wiki.example.org/",
        "https://wiki.example.org/robots.txt",
        "https://wiki.example.org@evil.example/",
    ],
)
@deferred_f_from_coro_f
async def test_no_other_scheme_host_or_port_gets_anything(
    credentials: SiteCredentials, url: str
) -> None:
    await log_in(credentials)
    for target in (url, url.replace("wiki.example.org", "t.example.org")):
        wire = Wire("a=1")
        response = await credentials.send(Request(target), wire.send)
        assert {b"Cookie", b"Authorization"}.isdisjoint(wire.sent[0].headers)
        assert "Set-Cookie" in response.headers  # of other sites nothing is taken


@deferred_f_from_coro_f
async def test_a_page_named_robots_txt_is_a_page(credentials: SiteCredentials) -> None:
    await log_in(credentials)
    wire = Wire()
    await credentials.send(Request("https://wiki.example.org/wiki/robots.txt"), wire.send)
    assert "Cookie" in wire.sent[0].headers


@deferred_f_from_coro_f
async def test_requests_of_the_api_assert_the_user_and_keep_their_url(
    credentials: SiteCredentials,
) -> None:
    wire = Wire()
    for query in ("?action=parse", "?action=query&assert=bot"):
        response = await credentials.send(Request(API + query), wire.send)
        assert response.url == API + query
    await credentials.send(Request("https://wiki.example.org/w/index.php?title=A"), wire.send)
    assert [request.url.partition("?")[2] for request in wire.sent] == [
        "action=parse&assert=user",
        "action=query&assert=bot",
        "title=A",
    ]


@deferred_f_from_coro_f
async def test_the_password_is_in_the_body_of_one_post_alone(credentials: SiteCredentials) -> None:
    session = await log_in(credentials)
    wire = Wire()
    session.fill_in({"lgname": "Reader@bot"}, "lgpassword")
    request = Request(API, method="POST", meta={LOGIN_STEP: True})
    await credentials.send(Request(API, method="POST"), wire.send)  # of somebody else
    await credentials.send(request, wire.send)
    await credentials.send(request, wire.send)
    bodies = [sent.body for sent in wire.sent]
    assert bodies == [b"", b"lgname=Reader%40bot&lgpassword=hunter2-hunter2", b""]
    assert request.body == b""


@deferred_f_from_coro_f
async def test_a_late_answer_of_an_old_session_does_not_end_the_new_one(
    credentials: SiteCredentials,
) -> None:
    session = await log_in(credentials)

    class Late(Wire):
        async def send(self, request: Request) -> Response:
            await log_in(credentials)
            return await super().send(request)

    late = Late("wiki_session=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0; path=/")
    request = Request("https://wiki.example.org/wiki/A")
    await credentials.send(request, late.send)
    assert (request.meta["site_session"], session.number) == (1, 2)
    wire = Wire()
    await credentials.send(request, wire.send)
    assert "Cookie" in wire.sent[0].headers


@deferred_f_from_coro_f
async def test_a_session_that_has_ended_sends_no_cookie(credentials: SiteCredentials) -> None:
    session = await log_in(credentials)
    session.begin()
    wire = Wire()
    await credentials.send(Request("https://wiki.example.org/wiki/A"), wire.send)
    assert "Cookie" not in wire.sent[0].headers


@deferred_f_from_coro_f
async def test_a_token_is_a_header_of_its_wiki(credentials: SiteCredentials) -> None:
    wire = Wire()
    request = Request("https://t.example.org/api.php?action=query")
    await credentials.send(request, wire.send)
    assert wire.sent[0].headers["Authorization"] == f"Bearer {SECRET}".encode()
    assert "Authorization" not in request.headers


@pytest.mark.parametrize(
    ("domain", "proxy", "gets"),
    [
        ("p.example.org", "http://proxy:3128", True),
        ("p.example.org", "http://another:3128", False),
        ("p.example.org", None, False),
        ("q.example.org", "http://proxy:3128", False),
        ("", "http://proxy:3128", False),
    ],
)
@deferred_f_from_coro_f
async def test_a_proxy_gets_its_own_password_alone(
    credentials: SiteCredentials, domain: str, proxy: str | None, gets: bool
) -> None:
    wire = Wire()
    request = Request("http://p.example.org/", meta={SITE_PROXY: domain, PROXY: proxy})
    await credentials.send(request, wire.send)
    assert ("Proxy-Authorization" in wire.sent[0].headers) is gets
    assert "Proxy-Authorization" not in request.headers
