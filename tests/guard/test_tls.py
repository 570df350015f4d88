"""Certificates are verified, except for sites that the configuration exempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.exceptions import DownloadFailedError
from scrapy.utils.defer import deferred_f_from_coro_f
from twisted.web.client import ResponseFailed

from tests.crawling import Outcome, fetch
from tests.servers.certificates import Authority, server_context
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.raw import RawServer, answer

if TYPE_CHECKING:
    import ssl
    from pathlib import Path

ARTICLE = b"<main><h1>Amber</h1>" + b"<p>Amber is fossilised tree resin.</p>" * 20 + b"</main>"


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """An authority that the crawl trusts."""
    trusted = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted.path))
    return trusted


@pytest.fixture
def self_signed(tmp_path: Path) -> ssl.SSLContext:
    return server_context(tmp_path)


def page_at(context: ssl.SSLContext, host: str = "127.0.0.1") -> RawServer:
    return RawServer({"/page": [answer(ARTICLE)]}, host=host, context=context)


def exempt_from_verification(folder: Path, *domains: str, **settings: str) -> dict[str, str]:
    config = folder / "sources.yml"
    lines = [f'  "{domain}": {{verify_tls: false}}' for domain in domains]
    config.write_text("\n".join(["domains:", *lines]))
    return {"WIKICRAWLER_CONFIG": str(config), **settings}


def urls(done: Outcome) -> list[str]:
    return [page.url for page in done.responses]


@deferred_f_from_coro_f
async def test_a_valid_certificate_is_accepted(tmp_path: Path, authority: Authority) -> None:
    with page_at(server_context(tmp_path, authority=authority)) as server:
        done = await fetch(server.url("/page"))
    assert urls(done) == [server.url("/page")]


@pytest.mark.parametrize("kind", ["self-signed", "expired", "of another host", "of a stranger"])
@deferred_f_from_coro_f
async def test_a_bad_certificate_is_refused_at_once_with_advice(
    kind: str, tmp_path: Path, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    context = {
        "self-signed": lambda: server_context(tmp_path),
        "expired": lambda: server_context(tmp_path, authority=authority, days=-2),
        "of another host": lambda: server_context(
            tmp_path, host="wiki.example", authority=authority
        ),
        "of a stranger": lambda: server_context(tmp_path, authority=Authority(stranger)),
    }[kind]()
    with page_at(context) as server:
        with ScriptedCrawl4AI(rendered(ARTICLE.decode())) as browser:  # does not verify any
            done = await fetch(server.url("/page"), **browser.settings, ROBOTSTXT_OBEY=False)
            assert browser.urls() == []
        assert server.paths() == []
    (skip,) = done.skipped
    assert skip["reason"] == "network"
    assert skip["detail"].startswith("certificate verify failed")
    assert done.stats["tls/refused_count"] == 1
    assert "verify_tls: false" in caplog.text


@deferred_f_from_coro_f
async def test_an_errback_gets_the_failure_that_scrapy_raises(
    tmp_path: Path, self_signed: ssl.SSLContext
) -> None:
    with page_at(self_signed) as server:
        done = await fetch(
            server.url("/page"), WIKICRAWLER_TIERS_ENABLED=False, ROBOTSTXT_OBEY=False
        )
    (failure,) = done.failures
    assert isinstance(failure, DownloadFailedError)
    assert isinstance(failure.__cause__, ResponseFailed)
    assert str(failure).startswith("certificate verify failed")
    assert "retry/count" not in done.stats


@deferred_f_from_coro_f
async def test_verify_tls_false_covers_the_pages_and_robots_txt_of_a_site(
    tmp_path: Path, self_signed: ssl.SSLContext, caplog: pytest.LogCaptureFixture
) -> None:
    with page_at(self_signed) as server:
        done = await fetch(server.url("/page"), **exempt_from_verification(tmp_path, server.netloc))
        assert [r.split(" ")[1] for r in server.requests] == ["/robots.txt", "/page"]
    assert urls(done) == [server.url("/page")]
    assert caplog.text.count("Certificates are not verified for") == 1


@deferred_f_from_coro_f
async def test_a_redirect_from_an_exempt_site_is_verified(
    tmp_path: Path, self_signed: ssl.SSLContext
) -> None:
    other = server_context(tmp_path, host="127.0.0.2")
    with page_at(self_signed) as site, page_at(other, "127.0.0.2") as beside:
        there = b"Location: " + beside.url("/page").encode()
        site.answers["/there"] = [answer(b"", there, status=b"302 Found")]
        settings = exempt_from_verification(tmp_path, site.netloc, ROBOTSTXT_OBEY="False")
        done = await fetch(site.url("/there"), site.url("/page"), **settings)
        assert beside.requests == []
    assert urls(done) == [site.url("/page")]
    assert done.reasons() == {beside.url("/page"): "network"}
