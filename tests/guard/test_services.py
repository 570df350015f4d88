"""The crawl uses crawl4ai's server, but no page can make it fetch pages from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.resolver import HostResolution
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f
from twisted.internet.address import IPv4Address, IPv6Address

from tests.crawling import Outcome, Pages, fetch, project_settings, run
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.guard.networks import canonical_address, literal_address
from wikicrawler.guard.private_hosts import AddressPolicy
from wikicrawler.guard.resolver import GuardedResolver
from wikicrawler.guard.services import as_service, is_service_request
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Awaitable, Generator, Iterator

    from scrapy.http import Response

ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"
# The operator allows a network that contains the service.
NETWORK = {
    "WIKICRAWLER_PRIVATE_HOSTS": ["127.0.0.0/8", "::1"],
    "DOWNLOAD_TIMEOUT": 5,
    "WIKICRAWLER_RETRY": {"network": []},
}
# Spellings of the same server.
SPELLINGS = ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "localhost", "LOCALHOST.", "0.0.0.0"]
SPELLINGS += ["[::ffff:127.0.0.1]", "127.0.0.2", "１２７.0.0.1"]


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer("127.0.0.3") as server:
        server.on("/robots.txt", Reply(404))
        yield server


@pytest.fixture
def service() -> Iterator[ScriptedCrawl4AI]:
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        server.on("/secret", Reply(body=ARTICLE)).on("/robots.txt", Reply(404))
        yield server


class CrawlAfterRendering(Pages):
    """Spider that requests its ``later`` URLs when its first page has been rendered."""

    def parse(self, response: Response) -> Iterator[Request]:
        super().parse(response)
        later, self.later = getattr(self, "later", ()), ()
        for url in later:
            yield Request(url, super().parse, errback=self.failed, dont_filter=True)


async def crawl_after_rendering(
    site: ScriptedServer, service: ScriptedCrawl4AI, *urls: str, **settings: Any
) -> Outcome:
    first = Request(site.url("/app"), meta={"tiers": ["browser"]})
    settings = NETWORK | service.settings | settings
    return await run(
        CrawlAfterRendering, project_settings(**settings), requests=[first], later=urls
    )


def asked(service: ScriptedCrawl4AI) -> set[str]:
    return set(service.paths()) - {"/health", "/crawl/stream"}


@deferred_f_from_coro_f
async def test_a_redirect_to_a_service_is_refused(
    site: ScriptedServer, service: ScriptedCrawl4AI
) -> None:
    site.on("/there", Reply(302, {"Location": service.url("/secret")}))
    done = await crawl_after_rendering(site, service, site.url("/there"))
    assert service.urls() == [site.url("/app")]
    assert asked(service) == set()
    assert [r.url for r in done.responses] == [site.url("/app")]
    assert list(done.reasons().values()) == ["private_address"]
    assert "CRAWL4AI_URL" in done.skipped[0]["detail"]


@deferred_f_from_coro_f
async def test_a_link_to_a_service_is_refused_in_any_spelling(
    site: ScriptedServer, service: ScriptedCrawl4AI
) -> None:
    port = service.netloc.rpartition(":")[2]
    urls = [f"http://{host}:{port}/secret" for host in SPELLINGS]
    done = await crawl_after_rendering(site, service, *urls)
    assert asked(service) == set()
    assert service.urls() == [site.url("/app")]  # nor did the browser fetch it
    assert [r.url for r in done.responses] == [site.url("/app")]
    assert set(done.reasons().values()) == {"private_address"}
    assert done.stats["address_guard/refused_count"] > 0


@deferred_f_from_coro_f
async def test_a_crawl_of_any_site_does_not_follow_a_link_to_a_service(
    site: ScriptedServer, service: ScriptedCrawl4AI
) -> None:
    link = f'<p><a href="{service.url("/secret")}">Amber</a></p>'
    site.on("/", Reply(body=f"<html><body>{ARTICLE}{link}</body></html>"))
    settings = project_settings(**NETWORK, **service.settings)
    done = await run(WikiSpider, settings, seeds=site.url("/"), scope="any")
    assert [item.url for item in done.items] == [site.url("/")]
    assert done.reasons() == {service.url("/secret"): "private_address"}
    assert not service.exchanges


@deferred_f_from_coro_f
async def test_an_api_url_in_a_page_is_not_requested_at_a_service(
    service: ScriptedCrawl4AI,
) -> None:
    api = service.url("/api.php?action=rsd")
    head = f'<head><link rel="EditURI" href="{api}"><meta name="generator" content="MediaWiki 1">'
    with ScriptedServer("127.0.0.1") as site:  # the same site, as an API must be of
        site.on("/robots.txt", Reply(404))
        site.on("/wiki/A", Reply(body=f"<html>{head}</head><body>{ARTICLE}</body></html>"))
        done = await fetch(site.url("/wiki/A"), **NETWORK, **service.settings)
    assert len(done.responses) == 1
    assert not service.exchanges


@deferred_f_from_coro_f
async def test_a_robots_txt_that_redirects_to_a_service_is_not_fetched(
    site: ScriptedServer, service: ScriptedCrawl4AI
) -> None:
    site.on("/robots.txt", Reply(302, {"Location": service.url("/robots.txt")}))
    done = await fetch(site.url("/a"), **NETWORK, **service.settings)
    assert [type(failure).__name__ for failure in done.failures] == ["RobotsDisallowed"]
    assert not service.exchanges


@deferred_f_from_coro_f
async def test_a_rendered_page_of_a_service_is_skipped(site: ScriptedServer) -> None:
    with ScriptedCrawl4AI() as service:
        service.on("/crawl/stream", rendered(ARTICLE, redirected_url=service.url("/schema")))
        done = await crawl_after_rendering(site, service)
        assert asked(service) == set()
    assert not done.responses
    assert list(done.reasons().values()) == ["private_address"]


@deferred_f_from_coro_f
async def test_a_proxied_request_to_a_service_is_refused(
    site: ScriptedServer, service: ScriptedCrawl4AI
) -> None:
    port = service.netloc.rpartition(":")[2]
    with ScriptedServer("127.0.0.4") as proxy:
        urls = [service.url("/secret"), f"http://localhost:{port}/secret", site.url("/page")]
        proxied = [Request(url, meta={"proxy": proxy.url("")}) for url in urls]

        class Proxied(Pages):
            async def start(self) -> Any:
                yield Request(site.url("/none"))

            def parse(self, response: Response) -> Iterator[Request]:
                for request in proxied:
                    yield request.replace(callback=super().parse, errback=self.failed)

        site.on("/none", Reply(body=ARTICLE))
        settings = project_settings(**NETWORK, **service.settings, ROBOTSTXT_OBEY=False)
        done = await run(Proxied, settings, requests=[])
        assert {x.path for x in proxy.exchanges} == {site.url("/page")}
    assert not service.exchanges
    assert {r: done.reasons().get(r) for r in urls[:2]} == dict.fromkeys(
        urls[:2], "private_address"
    )


@pytest.mark.parametrize("how", ["seed", "setting"])
@deferred_f_from_coro_f
async def test_the_operator_can_allow_the_pages_of_a_service(
    site: ScriptedServer, service: ScriptedCrawl4AI, how: str
) -> None:
    if how == "seed":
        done = await fetch(service.url("/secret"), **NETWORK, **service.settings)
    else:
        named = {"WIKICRAWLER_PRIVATE_HOSTS": [service.netloc, "127.0.0.3"]}
        done = await crawl_after_rendering(site, service, service.url("/secret"), **named)
    assert service.url("/secret") in [r.url for r in done.responses]


@deferred_f_from_coro_f
async def test_a_service_at_a_private_address_is_used_without_naming_it(
    site: ScriptedServer, service: ScriptedCrawl4AI
) -> None:
    done = await crawl_after_rendering(site, service, WIKICRAWLER_PRIVATE_HOSTS=[])
    assert [r.url for r in done.responses] == [site.url("/app")]


@deferred_f_from_coro_f
async def test_without_the_guard_a_service_is_reached(
    site: ScriptedServer, service: ScriptedCrawl4AI
) -> None:
    off = {"WIKICRAWLER_ADDRESS_GUARD_ENABLED": False}
    done = await crawl_after_rendering(site, service, service.url("/secret"), **off)
    assert service.url("/secret") in [r.url for r in done.responses]


class Names:
    """A resolver of given names; an address resolves to itself."""

    def __init__(self, **names: str) -> None:
        self._names = names

    def resolveHostName(
        self, receiver: Any, host: str, port: int = 0, types: Any = None, semantics: str = "TCP"
    ) -> Any:
        receiver.resolutionBegan(HostResolution(host))
        number = self._names.get(host.partition(".")[0], host)
        kind = IPv6Address if ":" in number else IPv4Address
        receiver.addressResolved(kind("TCP", number, port))
        receiver.resolutionComplete()


class Receiver:
    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.complete = 0

    def resolutionBegan(self, resolution: Any) -> None:
        pass

    def addressResolved(self, address: Any) -> None:
        self.addresses.append(address.host)

    def resolutionComplete(self) -> None:
        self.complete += 1


@pytest.mark.parametrize(
    ("service", "host", "port", "allowed"),
    [
        ("http://crawl.example:11235", "crawl.example", 11235, False),
        ("http://crawl.example:11235", "CRAWL.example.", 11235, False),
        ("http://crawl.example:11235", "alias.example", 11235, False),
        ("http://crawl.example:11235", "203.0.114.1", 11235, False),
        ("http://crawl.example:11235", "crawl.example", 443, True),
        ("http://crawl.example:11235", "other.example", 11235, True),
        ("http://203.0.114.1:11235", "alias.example", 11235, False),
        # many sites may share the web ports of a public address
        ("https://crawl.example", "crawl.example", 443, False),
        ("https://crawl.example", "203.0.114.1", 443, False),
        ("https://crawl.example", "alias.example", 443, True),
        # a private address has only the operator's sites
        ("http://inside.example", "inner.example", 80, False),
    ],
)
def test_a_public_service_is_recognised_by_name_and_address(
    service: str, host: str, port: int, allowed: bool
) -> None:
    address, inside = "203.0.114.1", "10.0.0.1"
    names = {"crawl": address, "alias": address, "CRAWL": address, "other": "203.0.114.2"}
    resolver = GuardedResolver(Names(**names, inside=inside, inner=inside))
    policy = AddressPolicy(Settings({"WIKICRAWLER_PRIVATE_HOSTS": ["10.0.0.0/8"]}))
    another = AddressPolicy(Settings({"WIKICRAWLER_PRIVATE_HOSTS": ["10.0.0.0/8"]}))
    policy.services.register(service, "CRAWL4AI_URL")
    resolver.policies += [another, policy]  # of another crawl in the same process
    receiver = Receiver()
    resolver.resolveHostName(receiver, host, port)
    assert bool(receiver.addresses) == allowed
    assert receiver.complete == 1
    url = f"http://{host}:{port}/"
    assert ("CRAWL4AI_URL" in policy.why_refused(url)) == (not allowed)


def test_addresses_of_the_same_machine_are_recognised() -> None:
    same = ["127.0.0.1", "127.3.2.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "::127.0.0.1"]
    assert len(set(map(canonical_address, same))) == 1
    assert len({*map(canonical_address, ["10.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1"])}) == 1
    assert canonical_address("203.0.114.1") != canonical_address("203.0.114.2")
    for host in ("203.0.114.1", "127.1", "0x7f000001", "2130706433", "::1", "[::1]"):
        assert literal_address(host)
    for host in ("a.example", "localhost", "1.2.3.4.example", ""):
        assert not literal_address(host)


class _Pause:
    def __await__(self) -> Generator[None, Any, Any]:
        return (yield)


def test_only_the_steps_of_a_request_to_a_service_are_marked() -> None:
    async def send(request: Request) -> list[bool]:
        seen = [is_service_request()]
        with pytest.raises(KeyError):
            await _Pause()
        return [*seen, is_service_request(), bool(await _Pause())]

    sent: Awaitable[list[bool]] = as_service(send)(Request("http://x.example/"))
    steps = sent.__await__()
    assert not is_service_request()
    steps.send(None)
    assert not is_service_request()
    steps.throw(KeyError("for the request to handle"))
    assert not is_service_request()
    with pytest.raises(StopIteration) as end:
        steps.send(True)
    assert end.value.value == [True, True, True]
    assert not is_service_request()
