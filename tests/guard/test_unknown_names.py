"""A name without an address here is not given to a browser, which may have one for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.frontier.sites import Crawl
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"
STRICT = {
    "WIKICRAWLER_PRIVATE_HOSTS": [],
    "WIKICRAWLER_RETRY": {"network": []},
    "ROBOTSTXT_OBEY": False,
}
# .invalid never has an address (RFC 6761).
UNKNOWN = [
    "http://wiki.invalid/",
    "https://wiki.invalid:8443/x",
    "http://a.b.c.invalid./",
    "http://10.0.0.1.invalid/",
    "http://xn--bcher-kva.invalid/",
]


@pytest.fixture
def browser() -> Iterator[ScriptedCrawl4AI]:
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        yield server


@deferred_f_from_coro_f
async def test_a_name_without_an_address_is_not_posted(browser: ScriptedCrawl4AI) -> None:
    for tiers in (["browser"], ["http", "browser"]):
        requests = [Request(url, meta={"tiers": list(tiers)}) for url in UNKNOWN]
        settings = project_settings(**STRICT, **browser.settings)
        done = await run(Pages, settings, requests=requests)
        assert browser.urls() == []
        assert not done.responses
        assert sorted(done.reasons()) == sorted(UNKNOWN)
        assert set(done.reasons().values()) == {"network"}


@deferred_f_from_coro_f
async def test_the_operator_can_say_that_the_browser_knows_a_name(
    browser: ScriptedCrawl4AI,
) -> None:
    request = Request("http://wiki.invalid/", meta={"tiers": ["browser"]})
    settings = project_settings(
        **STRICT | browser.settings | {"WIKICRAWLER_PRIVATE_HOSTS": ["wiki.invalid"]}
    )
    done = await run(Pages, settings, requests=[request])
    assert browser.urls() == [request.url]
    assert not done.failures or done.reasons() == {request.url: "network"}


@deferred_f_from_coro_f
async def test_a_page_where_the_browser_was_led_to_an_unknown_name_is_skipped() -> None:
    led = rendered(ARTICLE, redirected_url="http://wiki.invalid/secret")
    with ScriptedCrawl4AI(led) as browser, ScriptedServer("127.0.0.2") as site:
        request = Request(site.url("/a"), meta={"tiers": ["browser"]})
        settings = project_settings(**STRICT, **browser.settings)
        done = await run(Pages, settings, requests=[request])
        assert browser.urls() == [site.url("/a")]
    assert not done.responses
    assert done.reasons() == {site.url("/a"): "network"}


def test_a_seed_that_looks_public_is_crawled_at_a_private_address(tmp_path: Path) -> None:
    with ScriptedServer("127.0.0.1") as site, ScriptedServer("127.0.0.1") as victim:
        port = site.netloc.rpartition(":")[2]
        other = victim.netloc.rpartition(":")[2]
        seed = f"http://wiki.evil.com:{port}/"
        links = [
            f"http://wiki.evil.com:{other}/secret",  # another port
            f"http://other.evil.com:{port}/secret",  # another name
            f"http://127.0.0.1:{port}/secret",
        ]
        hrefs = "".join(f'<p><a href="{link}">Amber</a></p>' for link in links)
        site.on("/robots.txt", Reply(404)).on("/", Reply(body=ARTICLE + hrefs))
        site.on("/there", Reply(302, {"Location": victim.url("/secret")}))
        site.on("/secret", Reply(body=ARTICLE))
        crawl = Crawl(tmp_path, seed)
        crawl.run(
            *("-a", "scope=any"),
            *("-s", "TWISTED_DNS_RESOLVER=bench.crawls.loopback.LoopbackResolver"),
            *("-s", "WIKICRAWLER_PRIVATE_HOSTS="),
        )
        assert site.paths() == ["/robots.txt", "/"]
        assert not victim.exchanges
        assert crawl.written() == {seed: 1}
    assert f"wiki.evil.com:{port} is crawled although its address 127.0.0.1 is private" in crawl.log
