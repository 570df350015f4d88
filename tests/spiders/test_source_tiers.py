"""Watched sources that name their tiers, and the options that these tiers get."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.crawl4ai.scripted import FetchingCrawl4AI
from tests.servers.firecrawl import ScriptedFirecrawl, ScriptedScrapingAnt, error, scraped
from tests.servers.regulations import RegulationSite, section
from tests.servers.scripted import Reply
from tests.sources.watching import Watch, changes, source, summaries
from wikicrawler.errors import ConfigError
from wikicrawler.store.audit_queries import Wanted, find
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WISHES = {"wait_for_selector": "#rules > li", "custom_headers": {"X-Purpose": "research"}}


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite() as server:
        yield server


@pytest.fixture
def firecrawl() -> Iterator[ScriptedFirecrawl]:
    with ScriptedFirecrawl() as server:
        yield server


def watch(folder: Path, site: RegulationSite, **config: Any) -> Watch:
    method = "crawl" if "max_depth" in config else "scrape"
    return Watch(folder, source(site.url("/1024/5/"), method=method, scrape_config=config))


def settings_of(service: ScriptedFirecrawl | ScriptedScrapingAnt) -> dict[str, Any]:
    """Those that configure *service*, which the crawl does not use by itself."""
    return service.settings | {"WIKICRAWLER_TIERS": "http"}


@deferred_f_from_coro_f
async def test_firecrawl_waits_for_the_selector_and_sends_the_headers_of_the_source(
    site: RegulationSite, firecrawl: ScriptedFirecrawl, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, tiers=["firecrawl", "http"], **WISHES)
    await watched.crawl(settings=settings_of(firecrawl))
    (asked,) = firecrawl.asked()
    assert asked["actions"] == [{"type": "wait", "selector": "#rules > li"}]
    assert asked["headers"] == {"X-Purpose": "research"}
    (envelope,) = watched.envelopes()
    assert envelope["scrape"]["engine"] == "firecrawl"


@deferred_f_from_coro_f
async def test_what_a_service_charged_is_in_the_envelope_and_in_the_audit_log(
    site: RegulationSite, firecrawl: ScriptedFirecrawl, tmp_path: Path
) -> None:
    firecrawl.page(site.url("/1024/5/"), scraped(section(5), creditsUsed=5))
    watched = watch(tmp_path, site, tiers=["firecrawl"])
    await watched.crawl(settings=settings_of(firecrawl))
    (envelope,) = watched.envelopes()
    assert envelope["scrape"]["credits_consumed"] == 5
    assert envelope["scrape"]["response_time_ms"] is not None
    with Database(watched.database_url).read() as connection:
        (sent,) = find(connection, Wanted(engine="firecrawl"))
    assert sent.fields["credits_consumed"] == 5
    assert sent.fields["manifest_id"] == "reg-x"


@deferred_f_from_coro_f
async def test_the_fallback_of_a_source_is_the_next_tier_that_it_names(
    site: RegulationSite, firecrawl: ScriptedFirecrawl, tmp_path: Path
) -> None:
    firecrawl.every_page = error(500, "SCRAPE_ACTION_ERROR", "no such element")
    watched = watch(tmp_path, site, tiers=["firecrawl", "http"], **WISHES)
    await watched.crawl(settings=settings_of(firecrawl))
    (envelope,) = watched.envelopes()
    assert envelope["scrape"]["engine"] == "http"
    assert len(firecrawl.asked()) == 1
    (page,) = [x for x in site.exchanges if x.path == "/1024/5/"]
    assert page.headers["X-Purpose"] == "research"


@deferred_f_from_coro_f
async def test_the_pages_that_firecrawl_maps_are_visited_at_our_pace_and_by_our_rules(
    site: RegulationSite, firecrawl: ScriptedFirecrawl, tmp_path: Path
) -> None:
    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /1024/2/\n"))
    site.put("/1024/5/", section(5))
    paths = ("/1024/1/", "/1024/2/", "/1024/3/", "/other/")
    elsewhere = "https://elsewhere.example/1024/9/"
    firecrawl.links = (*({"url": site.url(path)} for path in paths), elsewhere, "no url")
    watched = watch(tmp_path, site, tiers=["firecrawl"], include_patterns=["/1024/*"], max_depth=1)
    done = await watched.crawl(settings=settings_of(firecrawl))
    assert set(changes(done)) == {"/1024/5/", "/1024/1/", "/1024/3/"}
    dropped = summaries(done)["reg-x"]["dropped"]
    assert dropped["robots"] == 1
    assert dropped["not_included"] == 2  # /other/, and / that the section links to
    assert [x.path for x in firecrawl.exchanges].count("/v2/map") == 1
    with Database(watched.database_url).read() as connection:
        found = [one.fields for one in find(connection, Wanted(source="reg-x"))]
    (mapped,) = [fields for fields in found if fields["operation"] == "map"]
    assert mapped["engine"] == "firecrawl"
    assert mapped["credits_consumed"] == 1


@deferred_f_from_coro_f
async def test_scrapingant_waits_for_the_selector_and_sends_the_headers_of_the_source(
    site: RegulationSite, tmp_path: Path
) -> None:
    with ScriptedScrapingAnt() as ant:
        watched = watch(tmp_path, site, tiers=["scrapingant"], **WISHES)
        await watched.crawl(settings=settings_of(ant))
        (asked,) = ant.asked()
        assert asked["wait_for_selector"] == "#rules > li"
        (page,) = [x for x in ant.exchanges if "/v2/extended" in x.path]
        assert page.headers["Ant-X-Purpose"] == "research"
    (envelope,) = watched.envelopes()
    assert envelope["scrape"]["engine"] == "scrapingant"
    assert envelope["scrape"]["credits_consumed"] == 10


@deferred_f_from_coro_f
async def test_the_browser_waits_for_the_selector_of_the_source(
    site: RegulationSite, tmp_path: Path
) -> None:
    with FetchingCrawl4AI() as browser:
        watched = watch(tmp_path, site, tiers=["browser"], **WISHES)
        await watched.crawl(settings={"CRAWL4AI_URL": browser.url("")})
        asked = [json.loads(x.body) for x in browser.exchanges if x.path == "/crawl/stream"]
    waits = [one["crawler_config"]["params"].get("wait_for") for one in asked]
    assert "css:#rules > li" in waits


@deferred_f_from_coro_f
async def test_a_tier_that_does_not_exist_ends_the_start(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, tiers=["firecrwl"])
    wrong = r"reg-x: scrape_config.tiers: no such tier: 'firecrwl' \(did you mean firecrawl\?\)"
    with pytest.raises(ConfigError, match=wrong):
        await watched.crawl()
