"""Crawls of sites that have no end, and of one that only looks so."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, fetch, project_settings, run
from tests.servers.traps import TrapSite
from wikicrawler.console.summary import summary_text
from wikicrawler.content import sketch
from wikicrawler.demo.server import DemoWiki
from wikicrawler.errors import ConfigError
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

LEFT_OUT = "wikicrawler/left_out/"


async def crawl(site: TrapSite, path: str = "/", **settings: Any) -> Outcome:
    settings = {"WIKICRAWLER_DISCOVER_WIKIS": False} | settings
    return await run(WikiSpider, project_settings(**settings), seeds=site.url + path)


def left_out(done: Outcome) -> dict[str, int]:
    return {k.removeprefix(LEFT_OUT): n for k, n in done.stats.items() if k.startswith(LEFT_OUT)}


def written(done: Outcome, site: TrapSite) -> list[str]:
    return [item.url.removeprefix(site.url) for item in done.items]


def config(tmp_path: Path, text: str) -> str:
    path = tmp_path / "sources.yml"
    path.write_text(f"domains: {{127.0.0.1: {{{text}}}}}")
    return str(path)


@deferred_f_from_coro_f
async def test_of_a_good_site_that_looks_like_traps_every_page_is_fetched() -> None:
    with TrapSite() as site:
        done = await crawl(site)
        assert sorted(written(done, site)) == sorted([*site.good, "/"])
    assert left_out(done) == {}
    assert "left out" not in summary_text(done.stats, 1)


@pytest.mark.parametrize(
    ("trap", "most", "rule"),
    [
        ("calendar", 60, "nothing_new"),
        ("events", 50, "nothing_new"),
        ("list", 30, "nothing_new"),
        ("manual", 50, "repeating_path"),
        ("loop", 5, "repeating_path"),
        ("t", 40, "nothing_new"),
        ("shop", 250, "nothing_new"),
    ],
)
@deferred_f_from_coro_f
async def test_a_trap_ends_by_itself_and_the_good_pages_are_all_there(
    trap: str, most: int, rule: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with TrapSite(trap, few=True) as site:
        done = await crawl(site)
        assert done.stats["finish_reason"] == "finished"
        assert len(site.in_trap()) < most
        assert set(site.good) <= set(written(done, site))
        assert len(set(site.asked)) == len(site.asked)
    assert done.skipped == []
    assert left_out(done)[rule] > 0
    assert f"{rule} {left_out(done)[rule]:,}" in summary_text(done.stats, 1)
    assert caplog.text.count(f"are left out as {rule} ") == 1


@deferred_f_from_coro_f
async def test_all_traps_at_once_cost_no_good_page() -> None:
    with TrapSite("calendar", "events", "list", "manual", "loop", "forum", "t") as site:
        done = await crawl(site)
        assert set(site.good) <= set(written(done, site))
        assert len(site.in_trap()) < 300


@deferred_f_from_coro_f
async def test_a_page_is_fetched_under_one_session_only() -> None:
    with TrapSite("forum", few=True) as site:
        done = await crawl(site)
        assert len(site.in_trap()) == 13  # twelve, and the entrance
    assert left_out(done)["session_id"] > 100


@deferred_f_from_coro_f
async def test_no_text_is_compared_on_the_event_loop() -> None:
    ours: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename == sketch.__file__:
            ours.add(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        with TrapSite("list", few=True) as site:
            done = await crawl(site, WIKICRAWLER_CONTENT_WORKERS=1)
    finally:
        sys.setprofile(None)
    assert left_out(done)["nothing_new"] > 0
    assert ours == set()


@pytest.mark.parametrize("trap", ["list", "shop"])
@deferred_f_from_coro_f
async def test_a_trap_ends_without_tiers_and_without_workers_too(trap: str) -> None:
    settings = {
        "WIKICRAWLER_TIERS_ENABLED": False,
        "WIKICRAWLER_CONTENT_WORKERS": 0,
        "CLOSESPIDER_PAGECOUNT": 400,
    }
    with TrapSite(trap, few=True) as site:
        done = await crawl(site, **settings)
    assert done.stats["finish_reason"] == "finished"
    assert left_out(done)["nothing_new"] > 0


@deferred_f_from_coro_f
async def test_of_a_wiki_no_page_is_left_out() -> None:
    with DemoWiki() as wiki:
        done = await run(WikiSpider, project_settings(), seeds=wiki.url + "/wiki/Main_Page")
    assert done.items
    assert left_out(done) == {}


# Switches


@deferred_f_from_coro_f
async def test_a_rule_that_is_not_named_is_not_in_force() -> None:
    with TrapSite("loop", few=True) as site:
        done = await crawl(site, WIKICRAWLER_TRAP_RULES="deep_path,far_date")
        assert 25 < len(site.in_trap()) < 35
    assert left_out(done) == {"deep_path": 1}


@pytest.mark.parametrize("how", ["setting", "domain"])
@deferred_f_from_coro_f
async def test_traps_are_followed_where_that_is_asked_for(how: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"CLOSESPIDER_PAGECOUNT": 60}
    if how == "setting":
        settings["WIKICRAWLER_TRAP_RULES"] = ""
    else:
        settings["WIKICRAWLER_CONFIG"] = config(tmp_path, "traps: false")
    with TrapSite("list", few=True) as site:
        done = await crawl(site, **settings)
    assert done.stats["finish_reason"] == "closespider_pagecount"
    assert left_out(done) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [("WIKICRAWLER_TRAP_RULES", "far_dates"), ("WIKICRAWLER_SITE_MAX_PAGES", "0")],
)
@deferred_f_from_coro_f
async def test_a_wrong_setting_is_told_at_the_start(name: str, value: str) -> None:
    with TrapSite(few=True) as site, pytest.raises(ConfigError, match=name):
        await crawl(site, **{name: value})


@deferred_f_from_coro_f
async def test_the_requests_of_other_spiders_are_left_alone() -> None:
    with TrapSite("list", "calendar", few=True) as site:
        paths = [*(f"/list/?page={n}" for n in range(40)), "/calendar/2150/01"]
        done = await fetch(*(site.url + path for path in paths))
    assert len(done.responses) == len(paths)


@deferred_f_from_coro_f
async def test_a_seed_is_fetched_whatever_it_looks_like() -> None:
    with TrapSite("calendar", few=True) as site:
        done = await crawl(site, "/calendar/2150/01")
    assert written(done, site) == ["/calendar/2150/01"]
    assert left_out(done) == {"far_date": 2}


# Budgets of a site


@pytest.mark.parametrize("how", ["setting", "domain"])
@deferred_f_from_coro_f
async def test_a_site_has_no_more_pages_than_it_may_have(
    how: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    settings: dict[str, Any] = {"WIKICRAWLER_SITE_MAX_PAGES": 30}
    if how == "domain":
        settings["WIKICRAWLER_CONFIG"] = config(tmp_path, "max_pages: 20")
    with TrapSite() as site:
        done = await crawl(site, **settings)
        assert len(done.items) == (20 if how == "domain" else 30)
        assert len(site.asked) == len(done.items) + 1  # robots.txt
    assert left_out(done)["site_max_pages"] > 100
    assert caplog.text.count("are left out as site_max_pages") == 1
    assert "WIKICRAWLER_SITE_MAX_PAGES" in caplog.text


@deferred_f_from_coro_f
async def test_what_no_rule_can_tell_from_good_pages_ends_by_the_budget() -> None:
    with TrapSite("maze", few=True) as site:
        done = await crawl(site, WIKICRAWLER_SITE_MAX_PAGES=50)
        assert done.stats["finish_reason"] == "finished"
        assert set(site.good) <= set(written(done, site))
    assert len(done.items) == 50
    assert set(left_out(done)) == {"site_max_pages"}


@deferred_f_from_coro_f
async def test_a_sites_skipped_page_gives_its_place_to_another() -> None:
    with TrapSite(few=True) as site:
        site.good["/good"] = site.good["/good"].replace("<p>", '<p><a href="/gone">Gone</a> ', 1)
        done = await crawl(site, WIKICRAWLER_SITE_MAX_PAGES=4)
        assert len(done.items) == 4
    assert list(done.reasons().values()) == ["missing"]
    assert left_out(done) == {"site_max_pages": 2}


@deferred_f_from_coro_f
async def test_each_site_has_its_own_budget_beside_that_of_the_crawl() -> None:
    with TrapSite() as one, TrapSite() as other:
        other.url = other.url.replace("127.0.0.1", "localhost")
        seeds = f"{one.url}/,{other.url}/"
        settings = {"WIKICRAWLER_DISCOVER_WIKIS": False, "WIKICRAWLER_SITE_MAX_PAGES": 10}
        settings["WIKICRAWLER_PRIVATE_HOSTS"] = ["127.0.0.0/8", "localhost"]
        done = await run(WikiSpider, project_settings(**settings), seeds=seeds, max_pages="15")
        counts = sorted(len(site.asked) - 1 for site in (one, other))
    assert len(done.items) == sum(counts) == 15
    assert counts[1] <= 10


@deferred_f_from_coro_f
async def test_a_sites_links_are_followed_so_far(tmp_path: Path) -> None:
    with TrapSite(few=True) as site:
        done = await crawl(site, WIKICRAWLER_CONFIG=config(tmp_path, "max_depth: 1"))
    assert written(done, site) == ["/", "/good"]
    assert left_out(done) == {"site_max_depth": len(site.good) - 1}


# A crawl that goes on


@pytest.mark.parametrize("killed", [False, True])
@deferred_f_from_coro_f
async def test_a_sites_budget_is_that_of_all_runs(killed: bool, tmp_path: Path) -> None:
    job = tmp_path / "job"
    settings = {"JOBDIR": str(job), "WIKICRAWLER_SITE_MAX_PAGES": 30}
    with TrapSite() as site:
        first = await crawl(site, CLOSESPIDER_PAGECOUNT=10, **settings)
        if killed:
            (job / "spider.state").unlink()
        second = await crawl(site, **settings)
        assert 10 <= len(first.items) < 30
        assert len({*written(first, site), *written(second, site)}) == 30


@deferred_f_from_coro_f
async def test_a_trap_that_was_left_is_not_entered_again(tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path / "job")}
    with TrapSite("shop", few=True) as site:
        first = await crawl(site, CLOSESPIDER_PAGECOUNT=186, **settings)
        before = len(site.in_trap())
        second = await crawl(site, **settings)
        after = len(site.in_trap())
    assert first.stats["finish_reason"] == "closespider_pagecount"
    assert second.stats["finish_reason"] == "finished"
    assert left_out(second)["nothing_new"] > 1_000
    assert after - before < 20


@deferred_f_from_coro_f
async def test_a_page_that_was_written_is_not_fetched_under_another_session(tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path / "job")}
    with TrapSite("forum", few=True) as site:
        first = await crawl(site, CLOSESPIDER_PAGECOUNT=6, **settings)
        second = await crawl(site, **settings)
        pages = [url.partition(";")[0].partition("?")[0] for url in written(first, site)]
        pages += [url.partition(";")[0].partition("?")[0] for url in written(second, site)]
    assert len(pages) == len(set(pages))
    assert len([page for page in pages if page.startswith("/forum/")]) == 13
