"""A proxy is there for requests that it forwards: no page is fetched from it, nor by it from a
private address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, Pages, fetch, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Response

ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"
PAGE = "http://site.example.org/page"
QUIET = {
    "WIKICRAWLER_PRIVATE_HOSTS": [],
    "DOWNLOAD_TIMEOUT": 5,
    "WIKICRAWLER_RETRY": {"network": []},
    "ROBOTSTXT_OBEY": False,
}


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with ScriptedServer("127.0.0.4") as server:
        server.on(PAGE, Reply(body=ARTICLE))
        yield server


class Linked(Pages):
    """Spider that requests the ``later`` requests when it has its first page."""

    def parse(self, response: Response) -> Iterator[Request]:
        super().parse(response)
        for request in self.later:
            yield request.replace(callback=super().parse, errback=self.failed, dont_filter=True)


async def crawl(first: Request, *later: Request, **settings: Any) -> Outcome:
    return await run(
        Linked, project_settings(**QUIET | settings), requests=[first], later=list(later)
    )


@deferred_f_from_coro_f
async def test_a_private_proxy_of_the_environment_is_used_and_is_no_page(
    proxy: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", proxy.url(""))
    done = await crawl(Request(PAGE), Request(proxy.url("/secret")))
    assert proxy.paths() == [PAGE]
    assert [r.url for r in done.responses] == [PAGE]
    assert done.reasons() == {proxy.url("/secret"): "private_address"}


@deferred_f_from_coro_f
async def test_a_proxy_of_the_environment_is_no_page_of_a_direct_request(
    proxy: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", proxy.url(""))
    monkeypatch.setenv("no_proxy", "127.0.0.4")
    done = await crawl(Request(PAGE), Request(proxy.url("/secret")))
    assert proxy.paths() == [PAGE]
    (skip,) = done.skipped
    assert "http_proxy in the environment" in skip["detail"]


@deferred_f_from_coro_f
async def test_a_private_proxy_of_a_request_is_used_and_is_no_page(proxy: ScriptedServer) -> None:
    first = Request(PAGE, meta={"proxy": proxy.url("")})
    done = await crawl(
        first,
        Request(proxy.url("/secret")),
        Request(proxy.url("/proxied"), meta=dict(first.meta)),
        WIKICRAWLER_PRIVATE_HOSTS=["127.0.0.0/8"],
    )
    assert proxy.paths() == [PAGE]
    assert set(done.reasons().values()) == {"private_address"}
    assert all("the meta key proxy" in skip["detail"] for skip in done.skipped)


@deferred_f_from_coro_f
async def test_the_operator_can_crawl_the_pages_of_a_proxy(
    proxy: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", proxy.url(""))
    monkeypatch.setenv("no_proxy", "127.0.0.4")
    proxy.on("/status", Reply(body=ARTICLE))
    done = await crawl(Request(proxy.url("/status")))
    assert [r.url for r in done.responses] == [proxy.url("/status")]


PRIVATE = [
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "0177.0.0.1",
    "0.0.0.0",
    "１２７.0.0.1",
    "127%2E0.0.1",
    "127.0.0.1.",
    "localhost",
    "LOCALHOST.",
    "admin.localhost",
    "10.0.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "192.88.99.1",
    "100.100.100.200",
    "[::1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:0:a00:1]",
    "[64:ff9b:1::a00:1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
]


@deferred_f_from_coro_f
async def test_a_proxy_is_not_asked_for_a_private_address_in_any_spelling(
    proxy: ScriptedServer,
) -> None:
    meta = {"proxy": proxy.url("")}
    requests = [Request(f"http://{host}/secret", meta=dict(meta)) for host in PRIVATE]
    done = await crawl(Request(PAGE, meta=dict(meta)), *requests)
    assert proxy.paths() == [PAGE]
    assert len(done.failures) == len(PRIVATE)
    assert set(done.reasons().values()) == {"private_address"}


@deferred_f_from_coro_f
async def test_a_proxy_is_asked_for_public_addresses_and_for_names(proxy: ScriptedServer) -> None:
    hosts = ["203.0.114.1", "[2606:2800:21f::1]", "inside.corp", "127.0.0.1.nip.io"]
    urls = [f"http://{host}/page" for host in hosts]
    for url in urls:
        proxy.on(url, Reply(body=ARTICLE))
    done = await crawl(*(Request(url, meta={"proxy": proxy.url("")}) for url in [PAGE, *urls]))
    assert sorted(proxy.paths()) == sorted([PAGE, *urls])
    assert not done.skipped


@deferred_f_from_coro_f
async def test_a_proxy_is_asked_for_a_private_address_that_the_operator_named(
    proxy: ScriptedServer,
) -> None:
    url = "http://10.0.0.7:8080/page"
    proxy.on(url, Reply(body=ARTICLE))
    for settings in ({}, {"WIKICRAWLER_PRIVATE_HOSTS": ["10.0.0.0/8"]}):
        request = Request(url, meta={"proxy": proxy.url("")})
        done = await fetch(request, **QUIET | settings)
        assert [r.url for r in done.responses] == [url]


@pytest.mark.parametrize(
    "setting",
    ["REDIS_URL", "WIKICRAWLER_DATABASE_URL", "SCRAPYD_URL", "HTTP_PROXY", "AWS_ENDPOINT_URL"],
)
@deferred_f_from_coro_f
async def test_a_service_in_an_allowed_network_is_no_page(
    proxy: ScriptedServer, setting: str
) -> None:
    scheme = {"REDIS_URL": "redis", "WIKICRAWLER_DATABASE_URL": "postgresql"}.get(setting, "http")
    with ScriptedServer("127.0.0.5") as service:
        settings = {
            setting: f"{scheme}://{service.netloc}",
            "WIKICRAWLER_PRIVATE_HOSTS": ["127.0.0.0/8"],
        }
        alias = f"http://127.5:{service.netloc.rpartition(':')[2]}/secret"
        proxy.on("/page", Reply(body=ARTICLE))
        done = await crawl(
            Request(proxy.url("/page")),
            Request(service.url("/secret")),
            Request(alias),
            **settings,
        )
        assert not service.exchanges
    assert set(done.reasons().values()) == {"private_address"}
    assert all(setting in skip["detail"] for skip in done.skipped)
