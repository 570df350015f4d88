"""Which redirects are followed, and what happens to the page if one is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, fetch, project_settings, run
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.raw import RawServer, answer
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.guard.redirects import _may_refresh
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/page", Reply(body=ARTICLE))


ODD = {
    "folded": (b"/a\r\n b", "/a%20b"),
    "with a bare CR": (b"/a\rSet-Cookie: x=1", "/a%20Set-Cookie:%20x=1"),
    "with bytes that are no UTF-8": (b"/\xff\xfe", "/%FF%FE"),
    "relative": (b"page", "/page"),
    "without a host": (b"http:///page", "/page"),
}


@pytest.mark.parametrize(("location", "path"), ODD.values(), ids=ODD)
@deferred_f_from_coro_f
async def test_an_odd_location_stays_on_its_server(location: bytes, path: str) -> None:
    redirect = answer(b"", b"Location: " + location, status=b"302 Found")
    with RawServer({"/there": [redirect]}) as server:
        await fetch(server.url("/there"))
        assert server.paths() == ["/there", path]


@deferred_f_from_coro_f
async def test_an_endless_redirect_is_skipped_with_its_start(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(40):
        site.on(f"/{number}", Reply(302, {"Location": f"/{number + 1}"}))
    caplog.set_level("INFO")
    done = await fetch(site.url("/0"))
    assert site.paths()[-1] == "/20"
    assert len(site.paths()) == 22  # with robots.txt
    (skip,) = done.skipped
    assert skip["reason"] == "redirect"
    assert "more than 20" in skip["detail"]
    assert site.url("/0") in skip["detail"]
    assert caplog.text.count("not followed") == 1


@deferred_f_from_coro_f
async def test_the_next_tier_fetches_a_page_that_redirects_for_want_of_a_cookie(
    site: ScriptedServer,
) -> None:
    site.on("/there", Reply(302, {"Location": "/there", "Set-Cookie": "seen=1"}))
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        settings = project_settings(**server.settings)
        requests = [Request(site.url("/there"), dont_filter=True)]
        done = await run(Pages, settings, requests=requests)
    assert [a["reason"] for a in done.responses[0].meta["tier_attempts"]] == ["redirect", "ok"]


@deferred_f_from_coro_f
async def test_redirects_across_tiers_are_limited(site: ScriptedServer, tmp_path: Path) -> None:
    """A page redirects to a wiki whose API fails, and the wiki's page redirects back. Each hop
    restarts the tiers and Scrapy's count."""
    with ScriptedServer("127.0.0.2") as wiki:
        site.on("/there", Reply(302, {"Location": wiki.url("/wiki/A")}))
        wiki.on("/wiki/A", Reply(302, {"Location": site.url("/there")}))
        wiki.on("/api.php", Reply(500))
        config = tmp_path / "sources.yml"
        config.write_text(f'mediawiki_sites: {{"{wiki.netloc}": "{wiki.url("/api.php")}"}}')
        request = Request(site.url("/there"), dont_filter=True)
        done = await fetch(request, WIKICRAWLER_CONFIG=str(config), REDIRECT_MAX_TIMES=6)
    assert site.paths().count("/there") + wiki.paths().count("/wiki/A") == 7
    assert list(done.reasons().values()) == ["redirect"]


REFRESHES = {
    "to no address": "http://[::1/",
    "to a script": "javascript:alert(1)",
    "to itself": "/there",
    "to a host that cannot be": "http://a..b/",
}


@pytest.mark.parametrize("url", REFRESHES.values(), ids=REFRESHES)
@deferred_f_from_coro_f
async def test_a_page_with_an_invalid_refresh_is_returned(
    url: str, site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    head = f'<head><meta http-equiv="refresh" content="1;url={url}"></head>'
    site.on("/there", Reply(body=f"<html>{head}{ARTICLE}</html>"))
    done = await fetch(Request(site.url("/there"), dont_filter=True))
    assert [page.url for page in done.responses] == [site.url("/there")]
    assert len(site.paths()) <= 3
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(
    ("head", "may_refresh"),
    [
        ('<meta http-equiv="Refresh" content="1;url=/x">', True),
        ('<meta http-equiv="ref&#114;esh" content="1;url=/x">', True),
        ('<meta http-equiv="&#x52;EFRESH" content="1;url=/x">', True),
        ('<meta http-equiv="re&#0102resh" content="1;url=/x">', True),
        ("&#\u0661\u0660\u0661; is e for some", True),
        ("<p>Jan. 1&#160;&#8211; May&#32;9 &#91;1&#93; &#x2014; &#1010;</p>", False),
        ("<p>No reference</p>", False),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_page_is_read_for_a_refresh_only_if_it_may_name_one(
    head: str, may_refresh: bool, encoding: str
) -> None:
    if head.isascii() or encoding == "utf-8":
        assert _may_refresh(head.encode(encoding)) is may_refresh


@deferred_f_from_coro_f
async def test_an_endless_redirect_of_robots_txt_allows_all_pages(site: ScriptedServer) -> None:
    site.on("/robots.txt", Reply(302, {"Location": "/robots.txt"}))
    done = await fetch(site.url("/page"))
    assert [page.url for page in done.responses] == [site.url("/page")]


@deferred_f_from_coro_f
async def test_an_invalid_host_name_fails_at_once(site: ScriptedServer) -> None:
    """The system's resolver raises UnicodeError for it; Twisted alone would wait forever."""
    requests = ["http://a..b/", f"http://{'a' * 80}.example/"]
    done = await fetch(*requests, DOWNLOAD_TIMEOUT=200, ROBOTSTXT_OBEY=False)
    assert set(done.reasons().values()) == {"network"}


@pytest.mark.parametrize("tiers", [True, False])
@deferred_f_from_coro_f
async def test_the_login_in_a_redirect_is_removed(tiers: bool) -> None:
    with ScriptedServer() as server:
        target = server.url("/page").replace("//", "//bob:hunter2@")
        server.on("/moved", Reply(302, {"Location": target})).on("/page")
        server.on("/refresh", _refresh(target + "?b"))
        settings = project_settings(WIKICRAWLER_TIERS_ENABLED=tiers)
        seeds = f"{server.url('/moved')} {server.url('/refresh')}"
        done = await run(WikiSpider, settings, seeds=seeds, follow_links=False)
        assert sorted(item.url for item in done.items) == [
            server.url("/page"),
            server.url("/page?b"),
        ]
        assert sorted(item.redirected_from for item in done.items) == seeds.split()
        assert all("Authorization" not in x.headers for x in server.exchanges)
    assert "hunter2" not in repr((done.items, done.skipped, done.stats))


def _refresh(url: str) -> Reply:
    return Reply(body=f'<html><meta http-equiv="refresh" content="0;url={url}"><p>Go on</html>')
