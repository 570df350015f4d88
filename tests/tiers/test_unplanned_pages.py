"""Pages before a tier is chosen: of a paused site nothing is asked, and a page whose robots.txt is
out of reach is retried as the table of retries says."""

from __future__ import annotations

import sqlite3
from time import monotonic, time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, signals
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch, project_settings, run
from tests.learning.recorded import ARTICLE, Recorded
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.robots import RobotsDisallowed
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from scrapy.crawler import Crawler

DOWN = (Reply(drop=True),) * 2
"""Two failures: a request and its retry, by the settings of these tests."""
UP = Reply(404, {"Connection": "close"})


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        for number in range(5):
            server.on(f"/p/{number}", Reply(body=ARTICLE))
        yield server


@pytest.fixture
def learned(tmp_path: Path) -> dict[str, Any]:
    """Settings of a crawl that learns, whose pages wait for a second."""
    return Recorded(tmp_path / "db.sqlite").settings | {
        "WIKICRAWLER_TIER_POLICY": "learned",
        "WIKICRAWLER_TIERS": ["http"],
        "WIKICRAWLER_EXPLORE": 0,
        "WIKICRAWLER_LONGEST_WAIT": 1,
        "WIKICRAWLER_RETRY": {"network": [0.05], "timeout": [0.05], 503: [0.05]},
    }


@pytest.mark.parametrize("kept", ["in memory", "in a state folder"])
@deferred_f_from_coro_f
async def test_a_page_of_a_host_that_was_down_is_asked_for_later(
    site: ScriptedServer, learned: dict[str, Any], tmp_path: Path, kept: str
) -> None:
    site.on("/robots.txt", *DOWN, UP)
    if kept == "in a state folder":
        learned["JOBDIR"] = str(tmp_path / "job")
    done = await fetch(site.url("/p/0"), **learned)
    assert [r.url for r in done.responses] == [site.url("/p/0")]
    assert site.paths() == ["/robots.txt"] * 3 + ["/p/0"]
    assert site.gaps()[1] >= 0.9  # from the second failure to the next attempt
    assert done.stats["tier/put_off_count/network"] == 1
    assert not done.skipped


@deferred_f_from_coro_f
async def test_a_host_that_is_too_slow(site: ScriptedServer, learned: dict[str, Any]) -> None:
    site.on("/robots.txt", Reply(404, delay=6), Reply(404, delay=6), UP)
    done = await fetch(site.url("/p/0"), DOWNLOAD_TIMEOUT=2, **learned)
    assert len(done.responses) == 1
    assert done.stats["tier/put_off_count/timeout"] == 1


@deferred_f_from_coro_f
async def test_a_host_that_stays_down_is_asked_once_more_for_all_its_pages(
    site: ScriptedServer, learned: dict[str, Any]
) -> None:
    site.on("/robots.txt", Reply(drop=True))
    pages = [site.url(f"/p/{number}") for number in range(5)]
    done = await fetch(*pages, **learned)
    assert site.paths() == ["/robots.txt"] * 4
    assert done.reasons() == dict.fromkeys(pages, "network")
    assert len(done.skipped) == len(done.failures) == 5
    assert all("robots.txt could not be fetched" in skip["detail"] for skip in done.skipped)
    assert done.stats["tier/put_off_count/network"] == 5


@deferred_f_from_coro_f
async def test_a_refused_connection(learned: dict[str, Any]) -> None:
    done = await fetch("http://127.0.0.1:1/", **learned)
    assert done.reasons() == {"http://127.0.0.1:1/": "network"}
    assert done.stats["tier/put_off_count/network"] == 1


@deferred_f_from_coro_f
async def test_other_hosts_go_on_meanwhile(site: ScriptedServer, learned: dict[str, Any]) -> None:
    site.on("/robots.txt", *DOWN, UP)
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", UP).on("/p", Reply(body=ARTICLE))
        done = await fetch(site.url("/p/0"), other.url("/p"), **learned)
        assert [r.url for r in done.responses] == [other.url("/p"), site.url("/p/0")]


@deferred_f_from_coro_f
async def test_a_redirect_to_a_host_that_was_down(
    site: ScriptedServer, learned: dict[str, Any]
) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", *DOWN, UP).on("/new", Reply(body=ARTICLE))
        site.on("/robots.txt", UP).on("/old", Reply(301, {"Location": other.url("/new")}))
        done = await fetch(site.url("/old"), **learned)
        assert other.paths() == ["/robots.txt"] * 3 + ["/new"]
    assert [r.url for r in done.responses] == [other.url("/new")]
    assert done.stats["tier/put_off_count/network"] == 1


@deferred_f_from_coro_f
async def test_a_robots_txt_that_forbids_the_page_when_it_comes(
    site: ScriptedServer, learned: dict[str, Any]
) -> None:
    rules = Reply(headers={"Content-Type": "text/plain"}, body="User-agent: *\nDisallow: /\n")
    site.on("/robots.txt", *DOWN, rules)
    done = await fetch(site.url("/p/0"), **learned)
    assert site.paths() == ["/robots.txt"] * 3
    assert done.reasons() == {site.url("/p/0"): "robots"}


@deferred_f_from_coro_f
async def test_a_page_that_was_lost_itself_is_not_asked_for_a_third_time(
    site: ScriptedServer, learned: dict[str, Any]
) -> None:
    """Its robots.txt has expired in the meantime, and is out of reach."""
    site.on("/robots.txt", *DOWN, UP).on("/p/0", Reply(drop=True))
    done = await fetch(site.url("/p/0"), **learned)
    assert site.paths() == ["/robots.txt"] * 3 + ["/p/0"]
    assert done.reasons() == {site.url("/p/0"): "network"}


@pytest.mark.parametrize(
    ("own", "meta", "robots"),
    [
        ({"WIKICRAWLER_TIER_POLICY": "static"}, {}, Reply(drop=True)),
        ({"WIKICRAWLER_TIER_POLICY": "shadow"}, {}, Reply(drop=True)),
        ({"WIKICRAWLER_LONGEST_WAIT": 0}, {}, Reply(drop=True)),
        ({}, {"tiers": ["http"]}, Reply(drop=True)),
        ({}, {"tiers": False}, Reply(drop=True)),
        ({}, {}, Reply(503)),
        ({}, {}, Reply(500)),
    ],
    ids=str,
)
@deferred_f_from_coro_f
async def test_what_the_table_does_not_put_off_fails_at_once(
    site: ScriptedServer,
    learned: dict[str, Any],
    own: dict[str, Any],
    meta: dict[str, Any],
    robots: Reply,
) -> None:
    site.on("/robots.txt", robots)
    page = Request(site.url("/p/0"), meta=meta)
    done = await fetch(page, RETRY_TIMES=1, **learned | own)
    assert site.paths() == ["/robots.txt"] * 2
    assert [type(failure) for failure in done.failures] == [RobotsDisallowed]
    assert not [name for name in done.stats if name.startswith("tier/put_off_count")]


@deferred_f_from_coro_f
async def test_a_seed_of_a_host_that_was_down_has_a_record(
    site: ScriptedServer, learned: dict[str, Any]
) -> None:
    site.on("/robots.txt", *DOWN, UP)
    done = await run(WikiSpider, project_settings(**learned), seeds=site.url("/p/0"), max_pages="1")
    assert [item.url for item in done.items] == [site.url("/p/0")]
    assert not done.skipped


class PauseForThreeSeconds:
    """Pauses all sites from the moment when the spider opens."""

    end = 0.0
    """Time of ``time.monotonic()``."""

    def __init__(self, crawler: Crawler) -> None:
        self._file = crawler.settings["WIKICRAWLER_DATABASE_URL"].removeprefix("sqlite:///")
        crawler.signals.connect(self._pause, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _pause(self) -> None:
        connection = sqlite3.connect(self._file)
        with connection:
            until = (time() + 3,)
            connection.execute("UPDATE sites SET paused_until = ?, risk_level = 1", until)
        connection.close()
        PauseForThreeSeconds.end = monotonic() + 3


@deferred_f_from_coro_f
async def test_a_paused_site_is_asked_for_robots_txt_when_its_pause_ends(
    site: ScriptedServer, learned: dict[str, Any]
) -> None:
    site.on("/robots.txt", UP)
    await fetch(site.url("/p/0"), **learned)
    site.exchanges.clear()
    learned |= {"EXTENSIONS": {PauseForThreeSeconds: 0}, "WIKICRAWLER_LONGEST_WAIT": 60}
    done = await fetch(site.url("/p/1"), site.url("/p/2"), **learned)
    assert site.paths() == ["/robots.txt", "/p/1", "/p/2"]
    assert site.exchanges[0].start >= PauseForThreeSeconds.end - 0.1
    assert len(done.responses) == 2


@deferred_f_from_coro_f
async def test_a_redirect_to_a_paused_site_asks_nothing_of_it(
    site: ScriptedServer, learned: dict[str, Any]
) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", UP).on("/new", Reply(body=ARTICLE))
        site.on("/robots.txt", UP).on("/old", Reply(301, {"Location": other.url("/new")}))
        await fetch(other.url("/new"), **learned)
        other.exchanges.clear()
        learned |= {"EXTENSIONS": {PauseForThreeSeconds: 0}, "WIKICRAWLER_LONGEST_WAIT": 0}
        done = await fetch(site.url("/old"), **learned)
        assert other.paths() == []
    assert set(done.reasons().values()) == {"paused"}
