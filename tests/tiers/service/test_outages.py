"""Pages wait while the service of their tier is down, and end with that reason if it stays down."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, half, refused, rendered
from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.plugin.test_plugin import Reader
from tests.tiers.service.test_more_outages import Fails

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.scripted import Exchange

SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
ARTICLE = (
    "<html><head><title>Amber</title></head><body><main><h1>Amber</h1>"
    + "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
    + "</main></body></html>"
)
LONGEST = 6
"""Seconds that a page waits in all; the pauses of a service that is down are half of that."""
PATIENT = {"WIKICRAWLER_LONGEST_WAIT": 60, "CRAWL4AI_TIMEOUT": 1, "CRAWL4AI_RETRY_DELAYS": "0.1"}
SHORT = {**PATIENT, "WIKICRAWLER_LONGEST_WAIT": LONGEST}


class Failing(ScriptedCrawl4AI):
    """crawl4ai that answers with :attr:`outage` during *spells*, which are ranges of seconds after
    its first request, and ``/health`` too unless :attr:`healthy`."""

    def __init__(self, outage: Reply, *spells: tuple[float, float], healthy: bool = False) -> None:
        super().__init__(rendered(ARTICLE))
        self._outage = outage
        self._spells = spells
        self._healthy = healthy

    def is_down(self) -> bool:
        age = monotonic() - self.exchanges[0].start
        return any(begin <= age < end for begin, end in self._spells)

    def reply_to(self, exchange: Exchange) -> Reply:
        if self.is_down() and not (self._healthy and exchange.path == "/health"):
            return self._outage
        return super().reply_to(exchange)


class FailingReader(Reader):
    """The service of another package's tier, down for the first seconds."""

    outage = Reply(503)
    seconds = 2.0

    def reply_to(self, exchange: Exchange) -> Reply:
        if monotonic() - self.exchanges[0].start < self.seconds:
            return self.outage
        return super().reply_to(exchange)


@contextmanager
def site_of(pages: int = 8, host: str = "127.0.0.1") -> Iterator[ScriptedServer]:
    with ScriptedServer(host) as server:
        server.on("/robots.txt", Reply(404))
        for number in range(pages):
            server.on(f"/app{number}", Reply(body=SHELL)).on(f"/plain{number}", Reply(body=ARTICLE))
        yield server


def apps(site: ScriptedServer, pages: int = 8) -> list[str]:
    return [site.url(f"/app{number}") for number in range(pages)]


def tried(found: Any) -> list[tuple[str, str]]:
    attempts = getattr(found, "attempts", None) or found.meta["tier_attempts"]
    return [(a["tier"], a["reason"]) for a in attempts]


OUTAGES = {
    "reset": Reply(drop=True),
    "500": refused(500),
    "502": refused(502),
    "503": Reply(503, {"Retry-After": "2"}, "busy"),
    "429": refused(429),
    "garbage": Reply(200, {}, "<html>be back soon</html>"),
    "half": half(rendered(ARTICLE)),
    "hang": Reply(delay=2.0),
    "null": Reply(200, {}, "null\n"),
}


@pytest.mark.parametrize("kind", OUTAGES)
@deferred_f_from_coro_f
async def test_no_page_is_lost_by_an_outage(kind: str) -> None:
    with site_of() as site, Failing(OUTAGES[kind], (0, 2)) as server:
        done = await fetch(*apps(site), **server.settings | SHORT)
    assert sorted(r.url for r in done.responses) == sorted(apps(site))
    assert not done.skipped
    assert Counter(path for path in site.paths() if path.startswith("/app")) == dict.fromkeys(
        [f"/app{number}" for number in range(8)], 1
    ), "only the tier that failed is tried again"
    assert not done.stats.get("domain_throttle/pause_count")


@pytest.mark.parametrize("kind", ["reset", "500", "hang"])
@deferred_f_from_coro_f
async def test_nor_by_two_outages_in_the_middle(kind: str) -> None:
    with site_of(16) as site, Fails(OUTAGES[kind], (2, 3), (8, 3)) as server:
        done = await fetch(*apps(site, 16), **server.settings | PATIENT)
    assert len(done.responses) == 16
    assert done.stats["tier/service_wait_count/browser"] >= 1


@pytest.mark.parametrize("policy", ["static", "learned"])
@pytest.mark.parametrize("order", [["http", "browser"], ["browser", "http"]], ids=str)
@deferred_f_from_coro_f
async def test_an_endless_outage_ends_each_page_with_that_reason(
    policy: str, order: list[str], tmp_path: Path
) -> None:
    database = {"WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite"}
    own = {"WIKICRAWLER_TIER_POLICY": policy, "WIKICRAWLER_TIERS": order, **database}
    started = monotonic()
    with site_of() as site, Failing(refused(500), (0, 600)) as server:
        done = await fetch(*apps(site), site.url("/plain0"), **server.settings | SHORT | own)
    assert done.reasons() == dict.fromkeys(apps(site), "browser_down")
    assert [r.url for r in done.responses] == [site.url("/plain0")]
    assert monotonic() - started >= LONGEST
    for failure in done.failures:
        assert sorted(set(tried(failure))) == [("browser", "browser_down"), ("http", "js_shell")]


@deferred_f_from_coro_f
async def test_a_server_that_was_never_there_is_waited_for_and_given_up() -> None:
    with ScriptedServer() as gone:
        address = gone.url("")
    with site_of() as site:
        done = await fetch(*apps(site), CRAWL4AI_URL=address, **SHORT)
    assert done.reasons() == dict.fromkeys(apps(site), "browser_down")
    assert done.stats["crawl4ai/breaker/opened_count"] >= 2, "a trial while the pages waited"


@pytest.mark.parametrize("status", [401, 403])
@deferred_f_from_coro_f
async def test_nobody_waits_for_a_refusal(status: int) -> None:
    with site_of() as site, Failing(refused(status), (0, 600), healthy=True) as server:
        done = await fetch(*apps(site), **server.settings | PATIENT)
    assert done.reasons() == dict.fromkeys(apps(site), "browser_config")
    assert "tier/service_wait_count/browser" not in done.stats


@deferred_f_from_coro_f
async def test_a_page_that_always_breaks_the_server_is_given_up_while_others_go_on() -> None:
    class Picky(ScriptedCrawl4AI):
        def reply_to(self, exchange: Exchange) -> Reply:
            return refused(500) if b"/app0" in exchange.body else super().reply_to(exchange)

    with site_of() as site, Picky(rendered(ARTICLE)) as server:
        done = await fetch(*apps(site), **server.settings | {"WIKICRAWLER_LONGEST_WAIT": 600})
    assert done.reasons() == {site.url("/app0"): "browser_down"}
    assert len(done.responses) == 7


@deferred_f_from_coro_f
async def test_other_pages_and_sites_go_on_meanwhile() -> None:
    class DownUntilTheyCome(Failing):
        def is_down(self) -> bool:
            answered = [x for x in site.exchanges + other.exchanges if x.status == 200]
            return len([x for x in answered if x.path.startswith("/plain")]) < 38

    with site_of() as site, site_of(30, "127.0.0.2") as other:
        plain = [other.url(f"/plain{number}") for number in range(30)]
        own = [site.url(f"/plain{number}") for number in range(8)]
        with DownUntilTheyCome(refused(503)) as server:
            done = await fetch(*apps(site), *own, *plain, **server.settings | PATIENT)
    assert len(done.responses) == 46
    assert done.stats["tier/service_wait_count/browser"] >= 1


@deferred_f_from_coro_f
async def test_a_thousand_pages_wait_with_few_requests_to_the_service() -> None:
    with site_of(1000) as site, Failing(refused(500), (0, 600)) as server:
        own = {"WIKICRAWLER_LONGEST_WAIT": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}
        done = await fetch(*apps(site, 1000), **server.settings | SHORT | own)
        assert len(server.exchanges) < 60
    assert done.reasons() == dict.fromkeys(apps(site, 1000), "browser_down")
    assert done.stats["tier/service_wait_count/browser"] >= 1000


@pytest.mark.parametrize(
    "outage", [Reply(503), Reply(drop=True), Reply(body="{}"), Reply(503, {"Retry-After": "3"})]
)
@deferred_f_from_coro_f
async def test_the_service_of_another_tier_is_waited_for(outage: Reply) -> None:
    with site_of() as site, FailingReader() as reader:
        reader.outage = outage
        done = await fetch(*apps(site), **reader.settings, WIKICRAWLER_LONGEST_WAIT=LONGEST)
    assert len(done.responses) == 8
    assert {tried(r)[-1] for r in done.responses} == {("reader", "ok")}


@deferred_f_from_coro_f
async def test_the_service_of_another_tier_is_given_up() -> None:
    with site_of() as site, FailingReader() as reader:
        reader.seconds = 600
        done = await fetch(*apps(site), **reader.settings, WIKICRAWLER_LONGEST_WAIT=4)
    assert done.reasons() == dict.fromkeys(apps(site), "service_down")


@deferred_f_from_coro_f
async def test_a_page_of_another_spider_that_asks_for_the_browser_waits_too() -> None:
    with site_of(2) as site, Failing(Reply(drop=True), (0, 2)) as server:
        requests = [Request(url, meta={"crawl4ai": True}) for url in apps(site, 2)]
        done = await fetch(*requests, **server.settings | SHORT)
    assert [tried(r) for r in done.responses] == [
        [("browser", "browser_down"), ("browser", "ok")]
    ] * 2


SPIDER = """
import scrapy
class Apps(scrapy.Spider):
    name = "apps"
    async def start(self):
        for number in range(8):
            yield scrapy.Request(f"{self.site}/app{number}")
    def parse(self, response):
        yield {"url": response.url}
"""


@contextmanager
def crawling(folder: Path, site: ScriptedServer, server: ScriptedCrawl4AI) -> Iterator[Any]:
    """A crawl of its own process, with a state folder."""
    (folder / "apps.py").write_text(SPIDER)
    settings = {
        "ADDONS": json.dumps({"wikicrawler.addon.WikiCrawler": 300}),
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60_000,
        "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
        "WIKICRAWLER_PROGRESS_ENABLED": False,
        "JOBDIR": folder / "state",
        "CRAWL4AI_URL": server.url(""),
        "CRAWL4AI_RETRY_DELAYS": "0.1",
        "WIKICRAWLER_LONGEST_WAIT": 60,
    }
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "runspider", "apps.py", "-a"]
    command += [f"site={site.url('')}", "-o", "items.jsonl", *options]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def wait_until_all_wait(folder: Path, site: ScriptedServer) -> None:
    give_up = monotonic() + 60
    while "Nothing to do until" not in (folder / "log").read_text() and monotonic() < give_up:
        sleep(0.1)
    assert len([path for path in site.paths() if path.startswith("/app")]) == 8


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_pages_that_wait_survive_a_stop(stop: signal.Signals, tmp_path: Path) -> None:
    with site_of() as site, Failing(refused(503), (0, 600)) as server:
        with crawling(tmp_path, site, server) as process:
            wait_until_all_wait(tmp_path, site)
            stopped = monotonic()
            process.send_signal(stop)
            process.wait(timeout=60)
            assert monotonic() - stopped < 20
        server._spells = ()
        with crawling(tmp_path, site, server) as process:
            assert process.wait(timeout=120) == 0
    items = [json.loads(line)["url"] for line in (tmp_path / "items.jsonl").open()]
    assert sorted(items) == sorted(apps(site))
