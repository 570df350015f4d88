"""A request whose kept connection is lost is retried like any other: after a pause, and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.learning.recorded import Recorded
from tests.servers.certificates import Authority, server_context
from tests.servers.crawl4ai.scripted import FetchingCrawl4AI, half
from tests.servers.keeping import PAGE, KeepingServer
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawling import Outcome
    from tests.servers.scripted import Exchange

PAUSE = 0.4
LOST = "wikicrawler.guard.connection_errors.KeptConnectionLostError"
SETTINGS: dict[str, Any] = {
    "ROBOTSTXT_OBEY": False,
    "WIKICRAWLER_RETRY": {"network": [PAUSE, PAUSE]},
    "CONCURRENT_REQUESTS": 1,
}


async def crawl(*requests: Request | str, **settings: Any) -> Outcome:
    """Crawl *requests* in this order."""
    made = [Request(r) if isinstance(r, str) else r for r in requests]
    ordered = [r.replace(priority=-number) for number, r in enumerate(made)]
    return await fetch(*ordered, **SETTINGS | settings)


@pytest.mark.parametrize("end", ["reset", "close"])
@deferred_f_from_coro_f
async def test_its_retry_waits_and_is_counted(end: str) -> None:
    with KeepingServer({"/b": [end]}) as server:
        done = await crawl(server.url("/a"), server.url("/b"))
        assert server.paths() == ["/a", "/b", "/b"]
        assert server.connections() == [0, 0, 1]
        assert min(server.repeated_after("/b")) >= PAUSE
    assert len(done.responses) == 2
    assert done.stats["retry/count"] == 1
    assert done.stats[f"retry/reason_count/{LOST}"] == 1
    assert done.stats["domain_throttle/pause_count"] == 1
    assert done.stats["downloader/request_count"] == 3


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "DELETE", "TRACE"])
@deferred_f_from_coro_f
async def test_methods_that_could_be_repeated_wait_too(method: str) -> None:
    with KeepingServer({"/b": ["reset"]}) as server:
        done = await crawl(server.url("/a"), Request(server.url("/b"), method=method))
        assert server.paths() == ["/a", "/b", "/b"]
        assert min(server.repeated_after("/b")) >= PAUSE
    assert done.stats["retry/count"] == 1


@deferred_f_from_coro_f
async def test_https(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))
    context = server_context(tmp_path, authority=authority)
    for end in ("reset", "close"):
        with KeepingServer({"/b": [end]}, context=context) as server:
            done = await crawl(server.url("/a"), server.url("/b"))
            assert server.connections() == [0, 0, 1]
            assert min(server.repeated_after("/b")) >= PAUSE
        assert done.stats[f"retry/reason_count/{LOST}"] == 1


@deferred_f_from_coro_f
async def test_a_page_through_a_proxy() -> None:
    page = "http://site.example.org/b"
    with KeepingServer({page: ["reset"]}, host="127.0.0.4") as proxy:
        meta = {"proxy": proxy.url("")}
        first = Request("http://site.example.org/a", meta=dict(meta))
        done = await crawl(first, Request(page, meta=dict(meta)))
        assert min(proxy.repeated_after(page)) >= PAUSE
    assert len(done.responses) == 2
    assert done.stats["retry/count"] == 1


@deferred_f_from_coro_f
async def test_a_page_through_a_tunnel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))
    context = server_context(tmp_path, host="site.example.org", authority=authority)
    with KeepingServer({"/b": ["reset"]}, host="127.0.0.4", tunnel=context) as proxy:
        meta = {"proxy": proxy.url("")}
        requests = [
            Request(f"https://site.example.org/{name}", meta=dict(meta)) for name in ("a", "b")
        ]
        done = await crawl(*requests)
        assert proxy.paths() == ["/a", "/b", "/b"]
        assert proxy.connections() == [0, 0, 1]
        assert min(proxy.repeated_after("/b")) >= PAUSE
    assert len(done.responses) == 2


@deferred_f_from_coro_f
async def test_the_sites_own_delay_is_kept_if_it_is_longer(tmp_path: Path) -> None:
    (tmp_path / "sources.yml").write_text('domains:\n  "127.0.0.1": {delay: 0.8}\n')
    with KeepingServer({"/b": ["reset"]}) as server:
        await crawl(
            server.url("/a"),
            server.url("/b"),
            WIKICRAWLER_CONFIG=str(tmp_path / "sources.yml"),
            WIKICRAWLER_RETRY={"network": [0.01]},
        )
        assert min(server.repeated_after("/b")) >= 0.8


@pytest.mark.parametrize(
    "off",
    [
        {"RETRY_ENABLED": False},
        {"RETRY_TIMES": 0},
        {"WIKICRAWLER_RETRY": {"network": []}},
        {"dont_retry": True},
    ],
    ids=str,
)
@deferred_f_from_coro_f
async def test_without_retries_it_fails_and_is_sent_once(off: dict[str, Any]) -> None:
    meta = off if "dont_retry" in off else {}
    settings = {} if meta else off
    with KeepingServer({"/b": ["reset"]}) as server:
        done = await crawl(server.url("/a"), Request(server.url("/b"), meta=meta), **settings)
        assert server.paths() == ["/a", "/b"]
    assert done.reasons() == {server.url("/b"): "network"}


@deferred_f_from_coro_f
async def test_a_server_that_always_resets_gets_the_retries_of_the_table() -> None:
    with KeepingServer({"/b": ["reset"] * 9}) as server:
        done = await crawl(server.url("/a"), server.url("/b"))
        assert server.paths() == ["/a", "/b", "/b", "/b"]
        assert min(server.repeated_after("/b")) >= PAUSE
    (skip,) = done.skipped
    assert skip["reason"] == "network"


@deferred_f_from_coro_f
async def test_a_server_that_resets_each_second_request_loses_no_page() -> None:
    names = [f"/{number}" for number in range(6)]
    ends = {name: ["reset"] for name in names[1:]}
    with KeepingServer(ends) as server:
        done = await crawl(
            *(server.url(name) for name in names), WIKICRAWLER_RETRY={"network": [0.05]}
        )
    assert len(done.responses) == len(names)
    assert not done.skipped


@deferred_f_from_coro_f
async def test_a_request_that_handles_network_errors_itself_is_retried_all_the_same() -> None:
    meta = {"retry_transient": False}
    with KeepingServer({"/b": ["close"]}) as server:
        done = await crawl(server.url("/a"), Request(server.url("/b"), meta=meta))
        assert min(server.repeated_after("/b")) >= PAUSE
    assert len(done.responses) == 2


@pytest.mark.parametrize(("end", "paths"), [("reset", ["/b"]), ("part", ["/a", "/b"])])
@deferred_f_from_coro_f
async def test_other_losses_are_left_to_it(end: str, paths: list[str]) -> None:
    """The connection is new, or the response has begun."""
    meta = {"retry_transient": False}
    with KeepingServer({"/b": [end]}) as server:
        done = await crawl(*(Request(server.url(path), meta=meta) for path in paths))
        assert server.paths() == paths
    assert done.reasons() == {server.url("/b"): "network"}


@deferred_f_from_coro_f
async def test_without_the_throttle_it_is_repeated_as_in_scrapy() -> None:
    with KeepingServer({"/b": ["reset"]}) as server:
        done = await crawl(server.url("/a"), server.url("/b"), DOMAIN_THROTTLE_ENABLED=False)
        assert server.paths() == ["/a", "/b", "/b"]
    assert "retry/count" not in done.stats
    assert len(done.responses) == 2


@deferred_f_from_coro_f
async def test_a_request_of_the_crawl_itself_waits_too() -> None:
    rsd = "/api.php?action=rsd"
    link = f'<link rel="EditURI" type="application/rsd+xml" href="{rsd}">'
    page = f"<!doctype html><html><head>{link}</head><body>".encode() + PAGE
    with KeepingServer({rsd: ["reset"]}, page=page) as server:
        done = await crawl(server.url("/wiki/Amber"))
        assert server.paths()[:3] == ["/wiki/Amber", rsd, rsd]
        assert min(server.repeated_after(rsd)) >= PAUSE
    assert len(done.responses) == 1


@deferred_f_from_coro_f
async def test_it_is_an_attempt_in_the_database(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "db.sqlite")
    with KeepingServer({"/b": ["reset"]}) as server:
        await crawl(server.url("/a"), server.url("/b"), **recorded.settings)
    assert recorded.attempts("reason") == ["ok", "network", "ok"]


@deferred_f_from_coro_f
async def test_a_learned_crawl_does_not_put_the_page_off(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "db.sqlite")
    with KeepingServer({"/b": ["reset"]}) as server:
        done = await crawl(
            server.url("/a"),
            server.url("/b"),
            WIKICRAWLER_TIER_POLICY="learned",
            WIKICRAWLER_TIERS=["http"],
            **recorded.settings,
        )
        assert min(server.repeated_after("/b")) >= PAUSE
    assert len(done.responses) == 2
    assert not [name for name in done.stats if name.startswith("tier/put_off_count")]


class CutCrawl4AI(FetchingCrawl4AI):
    """Loads each page, and cuts the first answer about it."""

    def reply_to(self, exchange: Exchange) -> Reply:
        reply = super().reply_to(exchange)
        is_first = exchange.path == "/crawl/stream" and len(self.asked()) == 1
        return half(reply) if is_first else reply


@deferred_f_from_coro_f
async def test_a_page_that_crawl4ai_loads_again_waits_for_its_sites_delay(tmp_path: Path) -> None:
    (tmp_path / "sources.yml").write_text('domains:\n  "127.0.0.1": {delay: 0.7}\n')
    with ScriptedServer() as site, CutCrawl4AI() as browser:
        text = "<p>Amber is fossilised tree resin.</p>" * 20
        site.on("/a", Reply(body=f"<main><h1>Amber</h1>{text}</main>"))
        done = await crawl(
            Request(site.url("/a"), meta={"tiers": ["browser"]}),
            WIKICRAWLER_CONFIG=str(tmp_path / "sources.yml"),
            **browser.settings,
        )
        assert site.paths() == ["/a", "/a"]
        assert min(site.gaps()) >= 0.7
    assert len(done.responses) == 1
    assert done.stats["crawl4ai/retry_count"] == 1
