"""No request reaches a private address, however a page leads to it."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider, signals
from scrapy.exceptions import DontCloseSpider
from scrapy.resolver import HostResolution
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f
from twisted.internet.address import IPv4Address

from tests.crawling import Outcome, Pages, fetch, project_settings, run
from tests.frontier.sites import Crawl
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.guard.private_hosts import AddressPolicy
from wikicrawler.guard.resolver import GuardedResolver
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

STRICT = {"WIKICRAWLER_PRIVATE_HOSTS": []}
ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"

SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "0.0.0.0",
    "0",
    "localhost",
    "LOCALHOST.",
    "１２７.0.0.1",
    "①②⑦.⓪.⓪.①",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "user@127.0.0.1",
    "site.example@127.0.0.1",
    "127.0.0.1\\",
    "127.0\t.0.1",
    "127.0.0\n.1",
]


@pytest.fixture
def victim() -> Iterator[ScriptedServer]:
    """A server that the operator has not named; the site is at another loopback address."""
    with ScriptedServer("127.0.0.1") as server:
        yield server


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer("127.0.0.2") as server:
        server.on("/robots.txt", Reply(404))
        yield server


class Following(Pages):
    """Spider that requests the links of its start page."""

    def parse(self, response: Response) -> Iterator[Request]:
        super().parse(response)
        for href in response.css("a::attr(href)").getall():
            yield Request(response.urljoin(href), self.keep, errback=self.failed, dont_filter=True)

    def keep(self, response: Response) -> None:
        super().parse(response)


async def follow(site: ScriptedServer, *urls: str, spider: type[Spider] = Following) -> Outcome:
    links = "".join(f'<p><a href="{url}">Amber</a></p>' for url in urls)
    site.on("/", Reply(body=ARTICLE + links))
    settings = project_settings(**STRICT, DOWNLOAD_TIMEOUT=5, WIKICRAWLER_RETRY={"network": []})
    return await run(spider, settings, requests=[site.url("/")])


@deferred_f_from_coro_f
async def test_links_to_a_private_address_are_refused_in_any_spelling(
    site: ScriptedServer, victim: ScriptedServer
) -> None:
    port = victim.netloc.rpartition(":")[2]
    urls = [f"http://{host}:{port}/secret" for host in SPELLINGS]
    done = await follow(site, *urls)
    assert not victim.exchanges
    assert [r.url for r in done.responses] == [site.url("/")]
    assert done.reasons()[victim.url("/secret")] == "private_address"
    assert done.stats["address_guard/refused_count"] > 0


@deferred_f_from_coro_f
async def test_naming_a_site_does_not_allow_its_other_ports(site: ScriptedServer) -> None:
    with ScriptedServer("127.0.0.2") as beside:
        done = await follow(site, beside.url("/secret"))
        assert not beside.exchanges
    assert list(done.reasons().values()) == ["private_address"]


@deferred_f_from_coro_f
async def test_an_api_url_in_a_page_is_not_requested_at_a_private_address(
    site: ScriptedServer, victim: ScriptedServer
) -> None:
    api = victim.url("/api.php?action=rsd")
    head = (
        f'<head><link rel="EditURI" href="{api}"><meta name="generator" content="MediaWiki 1.39">'
    )
    site.on("/wiki/A", Reply(body=f"<html>{head}</head><body>{ARTICLE}</body></html>"))
    done = await fetch(site.url("/wiki/A"), **STRICT)
    assert not victim.exchanges
    assert len(done.responses) == 1


@deferred_f_from_coro_f
async def test_the_browser_tier_neither_fetches_nor_returns_a_private_page(
    site: ScriptedServer, victim: ScriptedServer
) -> None:
    led = rendered(ARTICLE, redirected_url=victim.url("/secret"))
    with ScriptedCrawl4AI(led) as server:
        settings = project_settings(**server.settings, **STRICT)
        site.on("/there", Reply(302, {"Location": victim.url("/secret")}))
        requests = [
            Request(site.url("/there")),
            Request(site.url("/script"), meta={"tiers": ["browser"]}),
        ]
        done = await run(Pages, settings, requests=requests)
        assert server.urls() == [site.url("/script")]
    assert not victim.exchanges
    assert not done.responses
    assert set(done.reasons().values()) == {"private_address"}


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="canonical" href="{victim}">',
        '<meta http-equiv="refresh" content="0; url={victim}">',
        '<base href="{victim}"><link rel="canonical" href="/secret">',
        '<link rel="amphtml" href="{victim}"><link rel="alternate" href="{victim}">',
        '<meta property="og:url" content="{victim}"><meta property="og:image" content="{victim}">',
    ],
)
@deferred_f_from_coro_f
async def test_metadata_of_a_page_leads_to_no_private_address(
    site: ScriptedServer, victim: ScriptedServer, head: str
) -> None:
    page = f"<head>{head.format(victim=victim.url('/secret'))}</head><body>{ARTICLE}</body>"
    site.on("/a", Reply(body=f"<html>{page}</html>"))
    settings = project_settings(**STRICT)
    done = await run(WikiSpider, settings, seeds=site.url("/a"), scope="any")
    assert not victim.exchanges
    assert [item.url for item in done.items] in ([site.url("/a")], [])


@deferred_f_from_coro_f
async def test_a_private_start_url_is_fetched(victim: ScriptedServer) -> None:
    victim.on("/robots.txt", Reply(404)).on("/", Reply(body=ARTICLE))
    done = await fetch(victim.url("/"), **STRICT)
    assert [r.url for r in done.responses] == [victim.url("/")]


@deferred_f_from_coro_f
async def test_without_the_guard_private_addresses_are_reached(
    site: ScriptedServer, victim: ScriptedServer
) -> None:
    site.on("/there", Reply(302, {"Location": victim.url("/secret")}))
    await fetch(site.url("/there"), **STRICT, WIKICRAWLER_ADDRESS_GUARD_ENABLED=False)
    assert "/secret" in victim.paths()


class TwoFaced:
    """A resolver whose answers change: public, then private, then both."""

    def __init__(self) -> None:
        self.answers = [["203.0.114.1"], ["127.0.0.1"], ["10.0.0.1", "203.0.114.1"]]

    def resolveHostName(
        self, receiver: Any, host: str, port: int = 0, types: Any = None, semantics: str = "TCP"
    ) -> Any:
        receiver.resolutionBegan(HostResolution(host))
        for address in self.answers.pop(0):
            receiver.addressResolved(IPv4Address("TCP", address, port))
        receiver.resolutionComplete()


class Receiver:
    def __init__(self) -> None:
        self.addresses: list[str] = []

    def resolutionBegan(self, resolution: Any) -> None:
        pass

    def addressResolved(self, address: Any) -> None:
        self.addresses.append(address.host)

    def resolutionComplete(self) -> None:
        pass


def test_every_resolution_of_a_name_is_checked() -> None:
    resolver = GuardedResolver(TwoFaced())
    policy = AddressPolicy(Settings())
    resolver.policies.append(policy)
    seen, refused = [], []
    for _ in range(3):
        receiver = Receiver()
        resolver.resolveHostName(receiver, "rebind.example", 80)
        seen.append(receiver.addresses)
        refused.append(policy.refused("http://rebind.example/"))
    assert seen == [["203.0.114.1"], [], ["203.0.114.1"]]
    assert refused == ["", "127.0.0.1", ""]


def test_names_that_resolve_to_loopback_are_refused(tmp_path: Path, victim: ScriptedServer) -> None:
    port = victim.netloc.rpartition(":")[2]
    names = ["evil.com", "xn--bcher-kva.com", "sub.evil.com"]
    links = "".join(f'<p><a href="http://{name}:{port}/secret">Amber</a></p>' for name in names)
    with ScriptedServer("127.0.0.1") as site:
        site.on("/robots.txt", Reply(404)).on("/", Reply(body=ARTICLE + links))
        crawl = Crawl(tmp_path, site.url("/"))
        resolver = "TWISTED_DNS_RESOLVER=bench.crawls.loopback.LoopbackResolver"
        assert crawl.run("-a", "scope=any", "-s", resolver) == 0
        assert crawl.written() == {site.url("/"): 1}
    assert not victim.exchanges
    assert f"'wikicrawler/skipped/private_address': {len(names)}" in crawl.log


def test_the_system_resolves_short_spellings_of_loopback() -> None:
    assert socket.gethostbyname("127.1") == "127.0.0.1"


class ReadingFromRedis(Following):
    """Spider that makes its start requests while the crawl is idle, as those of scrapy-redis do."""

    redis_key = "reading:start_urls"

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.idle, signals.spider_idle)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        for request in ():
            yield request

    def idle(self) -> None:
        if self.requests:
            self.crawler.engine.crawl(self.requests.pop())  # type: ignore[union-attr]
            raise DontCloseSpider


class ReadingFromElsewhere(ReadingFromRedis):
    redis_key = ""


@deferred_f_from_coro_f
async def test_start_urls_from_redis_may_be_private_but_not_what_they_lead_to(
    site: ScriptedServer, victim: ScriptedServer
) -> None:
    site.on("/there", Reply(302, {"Location": victim.url("/secret")}))
    done = await follow(site, victim.url("/secret"), site.url("/there"), spider=ReadingFromRedis)
    assert site.url("/") in [r.url for r in done.responses]
    assert "/there" in site.paths()
    assert not victim.exchanges
    assert set(done.reasons().values()) == {"private_address"}


@deferred_f_from_coro_f
async def test_what_another_spider_requests_while_idle_may_be_a_link(site: ScriptedServer) -> None:
    done = await follow(site, spider=ReadingFromElsewhere)
    assert not site.exchanges
    assert done.reasons() == {site.url("/"): "private_address"}
