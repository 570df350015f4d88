"""What a crawl makes of the sites of a simulated world is what the simulation drew."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from bench.learning.world import World, make
from tests.crawling import Outcome, fetch
from tests.servers.archetypes import Archetypes
from tests.servers.crawl4ai.scripted import FetchingCrawl4AI

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.crawl4ai import RealCrawl4AI

REASONS = ("empty", "js_shell", "blocked", "blocked_captcha", "busy", "http_error")
OF_API = ("api_error", "api_off", "blocked", "blocked_captcha")
ONE_TRY = {"WIKICRAWLER_RETRY": {"429": [], "503": [], "timeout": [], "network": []}}


def world_of(pages: int, **archetypes: dict[str, Any]) -> World:
    parameters = {
        "name": "small",
        "days": 0.001,
        "pages": pages,
        "more_hosts": 0.0,
        "alike": 1.0,
        "popularity": 0.0,
        "session": 3,
        "gap": 0.1,
        "missing": 0.1,
        "noise": {},
        "costs": {"mediawiki": 1, "http": 1, "browser": 12, "ban": 10, "page": 200},
        "archetypes": {name: {"sites": 1} | of for name, of in archetypes.items()},
        "drift": [],
    }
    return make(parameters, 1)


def tried(done: Outcome) -> dict[str, list[tuple[str, str]]]:
    """By URL of a page: the tiers that were tried, and how each ended."""
    found: dict[str, list[tuple[str, str]]] = {}
    for response in done.responses:
        found[response.url] = pairs(response.meta["tier_attempts"])
    for skip in done.skipped:
        found[skip["url"]] = pairs(skip["attempts"])
    for failure in done.failures:
        if response := getattr(failure, "response", None):
            found[response.url] = pairs(response.meta["tier_attempts"])
    return found


def pairs(attempts: list[Any]) -> list[tuple[str, str]]:
    return [(attempt["tier"], attempt["reason"]) for attempt in attempts]


def logged(sites: Archetypes) -> dict[str, list[tuple[str, str]]]:
    """The same by the log of the sites."""
    numbers: dict[int, int] = defaultdict(int)
    found = {}
    for url, page in zip(sites.urls(), sites.world.pages, strict=True):
        number = numbers[page.host]
        numbers[page.host] += 1
        found[url] = [
            (a.tier, a.reason) for a in sites.log if (a.site, a.page) == (page.host, number)
        ]
    return found


async def crawl(sites: Archetypes, folder: Path, **settings: Any) -> Outcome:
    sources = folder / "sources.yml"
    sources.write_text(sites.sources(), "utf-8")
    return await fetch(*sites.urls(), WIKICRAWLER_CONFIG=str(sources), **ONE_TRY, **settings)


@pytest.mark.parametrize("tier", ["http", "browser"])
@deferred_f_from_coro_f
async def test_pages_end_as_they_were_drawn(tmp_path: Path, tier: str) -> None:
    each = dict.fromkeys(REASONS, 0.12)
    other = "browser" if tier == "http" else "http"
    world = world_of(120, site={tier: each, other: {"js_shell": 1.0}})
    with Archetypes(world) as sites, FetchingCrawl4AI() as browser:
        done = await crawl(
            sites, tmp_path, **browser.settings, WIKICRAWLER_TIERS=[tier], ROBOTSTXT_OBEY=False
        )
        found = {url: attempts for url, attempts in tried(done).items() if attempts}
        asked = {url: attempts for url, attempts in logged(sites).items() if attempts}
        assert found == asked
        assert {reason for ((_, reason),) in asked.values()} == {*REASONS, "ok", "missing"}


@deferred_f_from_coro_f
async def test_pages_of_wikis_end_as_they_were_drawn(tmp_path: Path) -> None:
    world = world_of(80, wiki={"wiki": True, "mediawiki": dict.fromkeys(OF_API, 0.1)})
    with Archetypes(world) as sites:
        done = await crawl(sites, tmp_path)
        asked = logged(sites)
        assert {r for attempts in asked.values() for t, r in attempts if t == "mediawiki"} == {
            *OF_API,
            "ok",
            "missing",
        }
        for url, attempts in tried(done).items():
            assert asked[url] in (attempts, attempts[1:])  # its API may be left alone by then
        beside = sorted(a.tier for a in sites.log if a.page is None)
        assert beside == ["", "mediawiki"]  # robots.txt, and what the wiki is


@deferred_f_from_coro_f
async def test_a_real_browser_sees_the_same_pages(tmp_path: Path, crawl4ai: RealCrawl4AI) -> None:
    world = world_of(
        24,
        javascript={"http": {"js_shell": 1.0}},
        captcha={"http": {"blocked_captcha": 1.0}, "browser": {"blocked_captcha": 0.6}},
    )
    with Archetypes(world) as sites:
        done = await crawl(sites, tmp_path, **crawl4ai.settings, CRAWL4AI_RENDERINGS=1)
        asked = logged(sites)
        assert {pair for attempts in asked.values() for pair in attempts} >= {
            ("http", "js_shell"),
            ("http", "blocked_captcha"),
            ("browser", "ok"),
            ("browser", "blocked_captcha"),
        }
        found = {url: attempts for url, attempts in tried(done).items() if attempts}
        assert found == {url: attempts for url, attempts in asked.items() if attempts}
        rendered = [r.meta["tier_content"].markdown for r in done.responses]
        assert all("fossilised" in markdown for markdown in rendered)
