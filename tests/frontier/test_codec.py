"""Requests in the state folder hold no login that the crawl has from elsewhere."""

from __future__ import annotations

import pickle
import stat
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider
from scrapy.downloadermiddlewares.httpauth import HttpAuthMiddleware
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.codec import RequestCodec
from wikicrawler.tiers.mediawiki.site import WikiSite

if TYPE_CHECKING:
    from pathlib import Path


class Custom(Request):
    """A request that writes itself."""

    def to_dict(self, *, spider: Spider | None = None) -> dict[str, Any]:
        return super().to_dict(spider=spider)


AUTH = {"HTTPAUTH_USER": "bob", "HTTPAUTH_PASS": "hunter2", "HTTPAUTH_DOMAIN": None}


@pytest.mark.parametrize("kind", [Request, Custom])
def test_a_request_that_was_sent_once_is_sent_again_with_the_same_logins(
    kind: type[Request], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://eve:proxyword@127.0.0.1:9")
    crawler = get_crawler(settings_dict=AUTH)
    crawler.spider = spider = crawler.spidercls.from_crawler(crawler, "s")
    codec = RequestCodec(spider)
    auth = HttpAuthMiddleware.from_crawler(crawler)
    proxy = HttpProxyMiddleware.from_crawler(crawler)

    def on_its_way(request: Request) -> Request:
        auth.process_request(request)
        proxy.process_request(request)
        return request

    sent = on_its_way(kind("http://x.org/", headers={"X": "y"}, meta={"a": 1}))
    assert {b"Authorization", b"Proxy-Authorization"} <= set(sent.headers)
    kept = codec.encode(sent)
    for secret in (
        b"hunter2",
        b"proxyword",
        b"127.0.0.1:9",
        *sent.headers.getlist("Authorization"),
    ):
        assert secret not in kept
    assert sent.headers.getlist("Proxy-Authorization")[0] not in kept
    again = on_its_way(codec.decode(kept))
    assert (again.headers, again.meta) == (sent.headers, sent.meta)


def test_what_the_spider_set_itself_stays() -> None:
    crawler = get_crawler(settings_dict=AUTH)
    codec = RequestCodec(crawler.spidercls.from_crawler(crawler, "s"))
    headers = {"Authorization": "Bearer own", "Proxy-Authorization": "Basic own"}
    request = Request("http://x.org/", headers=headers, meta={"proxy": "http://127.0.0.1:9"})
    again = codec.decode(codec.encode(request))
    assert (again.headers, again.meta) == (request.headers, request.meta)


@deferred_f_from_coro_f
async def test_the_state_is_for_its_owner_alone(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/")
        settings = project_settings(JOBDIR=str(tmp_path / "job"))
        await run(Pages, settings, requests=[server.url("/")])
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "job").iterdir()}
    assert modes["frontier.sqlite"] == modes["spider.state"] == 0o600
    assert set(modes) <= {"frontier.sqlite", "commits", "spider.state", "lock"}


def test_a_request_of_an_older_version_is_read_though_a_class_has_moved() -> None:
    crawler = get_crawler()
    crawler.spider = spider = crawler.spidercls.from_crawler(crawler, "s")
    site = WikiSite.default("https://wiki.example/api.php")
    request = Request("https://wiki.example/api.php", cb_kwargs={"site": site})
    stored = pickle.dumps(request.to_dict(spider=spider), protocol=0)
    moved = stored.replace(b"wikicrawler.tiers.mediawiki.site", b"wikicrawler.tiers.wiki")
    assert moved != stored
    assert RequestCodec(spider).decode(moved).cb_kwargs == {"site": site}
