"""Another package adds a tier: ``WIKICRAWLER_TIERS`` names it."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import fetch, project_settings, run
from tests.learning.pages import page
from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.plugin.reader import ReaderFingerprinter
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError
from wikicrawler.explain.page import PageExplainer
from wikicrawler.explain.page_text import page_lines
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.store.attempts import find_attempts
from wikicrawler.store.database import Database
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.scripted import Exchange

TIER = "tests.tiers.plugin.reader.ReaderTier"
TIERS = f"http,{TIER}"
SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
ARTICLE = (
    "<html><head><title>Amber</title></head><body><main><h1>Amber</h1>"
    + "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
    + "</main></body></html>"
)


class Reader(ScriptedServer):
    """The service, which returns :attr:`html` for every page."""

    html = ARTICLE
    status = 200
    refusal: Reply | None = None

    def reply_to(self, exchange: Exchange) -> Reply:
        if self.refusal is not None:
            return self.refusal
        url = json.loads(exchange.body)["url"]
        answer = {"url": url, "status": self.status, "html": self.html}
        return Reply(200, {"Content-Type": "application/json"}, json.dumps(answer), delay=0.05)

    @property
    def settings(self) -> dict[str, Any]:
        return {"READER_URL": self.url(""), "WIKICRAWLER_TIERS": TIERS}


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /private\n"))
        for number in range(12):
            server.on(f"/app{number}", Reply(body=SHELL))
        yield server


@pytest.fixture
def reader() -> Iterator[Reader]:
    with Reader() as server:
        yield server


def tried(found: Any) -> list[tuple[str, str]]:
    attempts = getattr(found, "attempts", None) or found.meta["tier_attempts"]
    return [(a["tier"], a["reason"]) for a in attempts]


@deferred_f_from_coro_f
async def test_a_shell_is_fetched_by_the_tier_at_its_own_url(
    site: ScriptedServer, reader: Reader
) -> None:
    done = await fetch(site.url("/app0"), **reader.settings)
    (response,) = done.responses
    assert tried(response) == [("http", "js_shell"), ("reader", "ok")]
    assert response.url == response.request.url == site.url("/app0")
    assert "fossilised" in response.meta["tier_content"].markdown
    assert "reader" not in response.meta
    assert done.stats["tier/page_count/reader"] == 1


@deferred_f_from_coro_f
async def test_robots_slot_and_verdict_are_those_of_the_page(
    site: ScriptedServer, reader: Reader
) -> None:
    reader.html = SHELL
    only = {**reader.settings, "WIKICRAWLER_TIERS": TIER}
    done = await fetch(site.url("/app0"), site.url("/private"), **only)
    assert done.reasons() == {site.url("/app0"): "js_shell"}
    assert len(reader.exchanges) == 1, "robots.txt of the page's site forbids the other"
    assert {type(failure).__name__ for failure in done.failures} == {
        "TiersExhausted",
        "RobotsDisallowed",
    }
    gaps = await fetch(
        *(site.url(f"/app{number}") for number in range(3)),
        **{**only, "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 150},
    )
    assert len(gaps.failures) == 3
    asked = reader.exchanges[1:]
    assert all(later.start - former.end >= 0.39 for former, later in pairwise(asked))


@deferred_f_from_coro_f
async def test_the_service_has_its_own_concurrency_limit(reader: Reader) -> None:
    hosts = [f"127.0.0.{number}" for number in range(2, 7)]
    with ExitStack() as stack:
        sites = [stack.enter_context(ScriptedServer(host)) for host in hosts]
        for one in sites:
            one.on("/robots.txt", Reply(404)).on("/", Reply(body=SHELL))
        done = await fetch(*(one.url("/") for one in sites), **reader.settings)
    assert len(done.responses) == 5
    assert done.stats["reader/in_flight_max"] == 1
    assert all(later.start >= former.end for former, later in pairwise(reader.exchanges))


@deferred_f_from_coro_f
async def test_a_failing_service_opens_its_breaker_and_costs_no_site(
    site: ScriptedServer, reader: Reader, tmp_path: Path
) -> None:
    reader.refusal = Reply(503)
    done = await fetch(
        *(site.url(f"/app{number}") for number in range(12)),
        **reader.settings,
        WIKICRAWLER_LONGEST_WAIT=0,
        WIKICRAWLER_RECORD_ATTEMPTS=True,
        WIKICRAWLER_DATABASE_URL=f"sqlite:///{tmp_path}/db.sqlite",
    )
    assert {tried(failure)[-1] for failure in done.failures} == {("reader", "service_down")}
    assert done.stats["reader/breaker/opened_count"] == 1
    assert len(reader.exchanges) == 5, "then the breaker opens"
    database = Database(f"sqlite:///{tmp_path}/db.sqlite", tmp_path)
    with database.read() as connection:
        attempts = list(find_attempts(connection, {"tier": "reader"}))
    database.close()
    assert len(attempts) == 12
    assert {one.cost for one in attempts} == {0.0}


@deferred_f_from_coro_f
async def test_no_page_leads_to_the_service(site: ScriptedServer, reader: Reader) -> None:
    site.on("/away", Reply(302, {"Location": reader.url("/read?url=x")}))
    private = {"WIKICRAWLER_PRIVATE_HOSTS": [site.netloc]}
    done = await fetch(site.url("/app0"), site.url("/away"), **reader.settings, **private)
    assert done.reasons() == {reader.url("/read?url=x"): "private_address"}
    assert [x.method for x in reader.exchanges] == ["POST"]


@deferred_f_from_coro_f
async def test_the_tier_is_learned_costed_and_explained(
    site: ScriptedServer, reader: Reader, tmp_path: Path
) -> None:
    from tests.crawling import Pages

    recorded = {
        **reader.settings,
        "WIKICRAWLER_TIER_POLICY": "learned",
        "WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite",
        "WIKICRAWLER_TIER_COSTS": {"reader": 3},
        "WIKICRAWLER_EXPLORE": 0,
        "CONCURRENT_REQUESTS": 1,
    }
    settings = project_settings(**recorded)
    requests = [site.url(f"/app{number}") for number in range(12)]
    done = await run(Pages, settings, requests=requests)
    assert len(done.responses) == 12
    assert tried(done.responses[-1]) == [("reader", "ok")], "http is no longer tried first"
    costs = costs_of(settings)
    assert costs.tiers["reader"] == 3.0
    explainer = PageExplainer(settings, Evidence(), None, costs, 1_700_000_000.0)
    text = "\n".join(page_lines(explainer.explain("https://a.example/x", 0)))
    assert "reader" in text


def test_a_block_of_the_tier_is_not_a_ban_of_our_address() -> None:
    registry = TierRegistry.from_settings(Settings({"WIKICRAWLER_TIERS": TIERS}))
    assert "reader" in registry.harmless
    assert registry.harmless.isdisjoint({"http", "mediawiki", "browser"})


def test_the_missing_setting_is_reported(site: ScriptedServer) -> None:
    registry = TierRegistry.from_settings(Settings({"WIKICRAWLER_TIERS": TIERS}))
    assert registry.missing("reader") == "READER_URL is not set"
    assert registry.order == ("http", "reader")


def test_sources_yml_may_name_the_tier(tmp_path: Path) -> None:
    file = tmp_path / "sources.yml"
    file.write_text("domains:\n  a.example: {tiers: [reader, http]}\n")
    settings = Settings({"WIKICRAWLER_TIERS": TIERS, "WIKICRAWLER_CONFIG": str(file)})
    assert Config.from_settings(settings).domain_for("https://a.example/").tiers == (
        "reader",
        "http",
    )
    with pytest.raises(ConfigError, match="reader"):
        Config.from_settings(Settings({"WIKICRAWLER_CONFIG": str(file)}))


@pytest.mark.parametrize(
    "path", ["nosuch.module.Tier", "json.loads", "wikicrawler.tiers.tier.Tier"]
)
def test_a_class_that_is_not_a_tier_is_refused(path: str) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_TIERS"):
        TierRegistry.from_settings(Settings({"WIKICRAWLER_TIERS": path}))


def test_the_tiers_pages_have_their_own_fingerprints() -> None:
    fingerprinter = ReaderFingerprinter.from_crawler(get_crawler())
    plain = Request("https://a.example/")
    read = Request("https://a.example/", meta={"reader": True})
    assert fingerprinter.fingerprint(plain) != fingerprinter.fingerprint(read)


def test_an_attempt_of_the_tier_is_evidence(site: ScriptedServer) -> None:
    evidence = Evidence()
    features = page("https://a.example/app")
    evidence.add(features, "reader", Outcome.SUCCESS, 1.0)
    assert evidence.sums(features, "reader", 1.0)[-1].successes == 1.0


@deferred_f_from_coro_f
async def test_the_tier_of_the_documentation_works(
    site: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[3] / "docs" / "tiers.md").read_text("utf-8")
    (code,) = (
        block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "class " in block
    )
    (tmp_path / "documented_tier.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    site.on("/amber?print=1", Reply(body=ARTICLE))
    done = await fetch(site.url("/amber"), WIKICRAWLER_TIERS="documented_tier.PrintTier")
    (response,) = done.responses
    assert response.url == site.url("/amber")
    assert tried(response) == [("print", "ok")]
