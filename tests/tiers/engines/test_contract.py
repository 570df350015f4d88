"""The interface of scrape engines, the same for every tier: over a real socket each."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Spider
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.servers.crawl4ai.scripted import FetchingCrawl4AI
from tests.servers.firecrawl import ScriptedFirecrawl, ScriptedScrapingAnt, error
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError, Reason
from wikicrawler.pages import Failure
from wikicrawler.scope import CrawlBounds
from wikicrawler.tiers.engines import ScrapeEngine
from wikicrawler.tiers.result import PageResult

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

    from tests.servers.crawl4ai import RealCrawl4AI
    from tests.servers.mediawiki import RealMediaWiki

WORDS = "Amber is fossilised tree resin, valued for its colour since antiquity. "
ROBOTS = "User-agent: *\nDisallow: /private\n"


def document(title: str, *links: str) -> str:
    anchors = "".join(f'<p><a href="{link}">{WORDS}</a></p>' for link in links)
    return (
        f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>"
        f"<p>{WORDS * 6}{title}.</p>{anchors}</main></body></html>"
    )


@dataclass
class Engine:
    """One engine, and the pages that it is asked for."""

    tier: str
    start: str
    page: str
    text: str
    """A text of the page."""
    missing: str
    settings: dict[str, Any]
    in_map: set[str]
    """URLs that its map has."""


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(body=ROBOTS))
        server.on("/", Reply(body=document("Start", "/a", "/private/x", "//elsewhere.example/")))
        for name in ("a", "b", "c"):
            server.on(f"/{name}", Reply(body=document(f"Page {name}")))
        server.on("/private/x", Reply(body=document("Secret")))
        urls = "".join(f"<url><loc>{server.url(path)}</loc></url>" for path in ("/b", "/private/y"))
        xml = {"Content-Type": "application/xml"}
        server.on("/sitemap.xml", Reply(200, xml, f"<urlset>{urls}</urlset>"))
        yield server


@pytest.fixture(params=["http", "mediawiki", "browser", "real browser", "firecrawl", "scrapingant"])
def engine(
    request: pytest.FixtureRequest, site: ScriptedServer, tmp_path: Path
) -> Iterator[Engine]:
    database = {"WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite"}
    with ExitStack() as stack:
        name = request.param
        if name == "mediawiki":
            yield of_wiki(request.getfixturevalue("mediawiki"), tmp_path)
            return
        settings: dict[str, Any] = {}
        in_map = {site.url("/"), site.url("/a"), site.url("/b")}
        if name == "real browser":
            real: RealCrawl4AI = request.getfixturevalue("crawl4ai")
            settings = dict(real.settings)
        elif name == "browser":
            scripted = stack.enter_context(FetchingCrawl4AI())
            settings = scripted.settings
        elif name == "firecrawl":
            firecrawl = stack.enter_context(ScriptedFirecrawl())
            dead = [site.url("/a"), site.url("/b"), site.url("/c"), site.url("/b"), "no url"]
            outside = ["https://elsewhere.example/", site.url("/private/x"), site.url("/")]
            firecrawl.links = (*({"url": url, "title": ["x"]} for url in dead), *outside, 5)
            in_map.add(site.url("/c"))
            settings = firecrawl.settings
        elif name == "scrapingant":
            settings = stack.enter_context(ScriptedScrapingAnt()).settings
        yield Engine(
            name.removeprefix("real "),
            site.url("/"),
            site.url("/a"),
            "fossilised",
            site.url("/gone"),
            {**settings, **database, "WIKICRAWLER_TIERS": "http"},
            in_map,
        )


def of_wiki(wiki: RealMediaWiki, folder: Path) -> Engine:
    sources = folder / "sources.yml"
    sources.write_text(f"mediawiki_sites:\n  {wiki.host}: {{api: '{wiki.api}'}}\n")
    return Engine(
        "mediawiki",
        wiki.article_url("Main Page"),
        wiki.article_url("Main Page"),
        "Salt Coast",
        wiki.article_url("No such page"),
        {"WIKICRAWLER_CONFIG": str(sources)},
        {wiki.article_url("Main Page")},
    )


class Job(Spider):
    """Runs a job in its ``start``, as jobs do."""

    name = "job"

    def __init__(self, work: Callable[[Any], Awaitable[None]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._work = work
        self.error: BaseException | None = None

    async def start(self) -> AsyncIterator[Any]:
        try:
            await self._work(self.crawler)
        except BaseException as error:
            self.error = error
        return
        yield


async def do(work: Callable[[Any], Awaitable[None]], **settings: Any) -> dict[str, Any]:
    """Run *work* with the crawler of a running crawl; return the stats."""
    done = await run(Job, project_settings(**settings), work=work)
    assert isinstance(done.spider, Job)
    if done.spider.error is not None:
        raise done.spider.error
    return done.stats


@deferred_f_from_coro_f
async def test_scrape_returns_the_page_or_why_there_is_none(engine: Engine) -> None:
    async def work(crawler: Any) -> None:
        used = ScrapeEngine(crawler, engine.tier)
        found = await used.scrape(engine.page)
        assert isinstance(found, PageResult)
        assert engine.text in found.record.content
        assert found.record.url == engine.page
        assert found.record.tier == engine.tier
        again = await used.scrape(engine.page)
        assert isinstance(again, PageResult)  # a job may ask twice
        missing = await used.scrape(engine.missing)
        assert isinstance(missing, Failure)
        assert missing.reason is Reason.MISSING

    stats = await do(work, **engine.settings)
    assert stats[f"tier/page_count/{engine.tier}"] == 2


@deferred_f_from_coro_f
async def test_no_engine_fetches_what_robots_txt_disallows(
    engine: Engine, site: ScriptedServer
) -> None:
    if engine.tier == "mediawiki":
        pytest.skip("the wiki allows all its pages")

    async def work(crawler: Any) -> None:
        found = await ScrapeEngine(crawler, engine.tier).scrape(site.url("/private/x"))
        assert isinstance(found, Failure)
        assert found.reason is Reason.ROBOTS
        mapped = await ScrapeEngine(crawler, engine.tier).map_urls(site.url("/private/x"))
        assert (mapped.urls, mapped.left_out) == ([], {"robots": 1})

    await do(work, **engine.settings)
    assert not any(path.startswith("/private") for path in site.paths())


@deferred_f_from_coro_f
async def test_map_urls_has_what_may_be_fetched_each_once(engine: Engine) -> None:
    async def work(crawler: Any) -> None:
        found = await ScrapeEngine(crawler, engine.tier).map_urls(engine.start)
        assert set(found.urls) >= engine.in_map
        assert len(found.urls) == len(set(found.urls))
        assert not any("private" in url or "elsewhere" in url for url in found.urls)
        if engine.tier != "mediawiki":
            assert set(found.urls) == engine.in_map
            assert found.left_out["robots"] >= 1

    await do(work, **engine.settings)


@deferred_f_from_coro_f
async def test_a_map_has_its_bounds_and_its_limit(engine: Engine) -> None:
    async def work(crawler: Any) -> None:
        used = ScrapeEngine(crawler, engine.tier)
        assert len((await used.map_urls(engine.start, limit=1)).urls) == 1
        bounds = CrawlBounds(follow="nosuchaddress")
        found = await used.map_urls(engine.start, bounds=bounds)
        assert found.urls == []
        assert found.left_out["patterns"] >= 1

    await do(work, **engine.settings)


@deferred_f_from_coro_f
async def test_crawl_scrapes_the_map_at_the_pace_of_the_site(engine: Engine) -> None:
    bounds = CrawlBounds(max_pages=3)
    found: dict[str, Any] = {}

    async def work(crawler: Any) -> None:
        used = ScrapeEngine(crawler, engine.tier)
        async for one in used.crawl(engine.start, bounds=bounds):
            found[one.url] = one.result

    await do(work, **engine.settings)
    assert len(found) == 3
    assert all(isinstance(one, PageResult) for one in found.values()), found


@deferred_f_from_coro_f
async def test_health_check_says_whether_it_works(engine: Engine) -> None:
    async def work(crawler: Any) -> None:
        found = await ScrapeEngine(crawler, engine.tier).health_check(engine.page)
        assert found.usable, found.why
        assert found.server_answers

    await do(work, **engine.settings)


@deferred_f_from_coro_f
async def test_the_fallback_is_the_next_engine(site: ScriptedServer, tmp_path: Path) -> None:
    with ScriptedFirecrawl() as firecrawl:
        firecrawl.every_page = error(500, "SCRAPE_ALL_ENGINES_FAILED")

        async def work(crawler: Any) -> None:
            found = await ScrapeEngine(crawler, "firecrawl", "http").scrape(site.url("/a"))
            assert isinstance(found, PageResult)
            assert [(a["tier"], a["reason"]) for a in found.record.attempts] == [
                ("firecrawl", "empty"),
                ("http", "ok"),
            ]

        database = {"WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite"}
        # Requests of a job are kept in memory, also where others are kept on disk.
        await do(work, **{**firecrawl.settings, **database, "JOBDIR": str(tmp_path / "job")})


@deferred_f_from_coro_f
async def test_a_map_of_a_failing_service_is_that_of_the_site(
    site: ScriptedServer, tmp_path: Path
) -> None:
    with ScriptedFirecrawl() as firecrawl:

        async def work(crawler: Any) -> None:
            firecrawl.links = ()
            used = ScrapeEngine(crawler, "firecrawl", "http")
            found = await used.map_urls(site.url("/"))
            assert {site.url("/"), site.url("/a"), site.url("/b")} == {*found.urls}

        database = {"WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite"}
        await do(work, **{**firecrawl.settings, **database})


@pytest.mark.parametrize("tier", ["nothing", "firecrawl"])
@deferred_f_from_coro_f
async def test_an_engine_that_cannot_be_used_is_named(tier: str) -> None:
    async def work(crawler: Any) -> None:
        with pytest.raises(ConfigError, match=tier):
            ScrapeEngine(crawler, tier)

    await do(work)
