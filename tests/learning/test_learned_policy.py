"""Which tiers pages are fetched by where that is learned."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from time import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import signals
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.learning.recorded import ARTICLE, SHELL, Recorded
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.learning.learned_policy import LearnedPolicy, is_learned

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from scrapy.crawler import Crawler

CHALLENGE = Reply(
    403,
    {"Server": "cloudflare", "cf-mitigated": "challenge"},
    "<!doctype html><title>Just a moment...</title><p>Checking your browser.",
)
#: By which what is asked for can be said beforehand, and a browser soon pays.
CERTAIN = {
    "WIKICRAWLER_EXPLORE": 0,
    "WIKICRAWLER_TIER_COSTS": {"http": 1.0, "browser": 1.1},
    "CONCURRENT_REQUESTS": 1,
}


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/robots.txt", Reply(404, {"Connection": "close"}))


@pytest.fixture
def browser() -> Iterator[ScriptedCrawl4AI]:
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        yield server


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    found = Recorded(tmp_path / "db.sqlite")
    found.settings = {
        "WIKICRAWLER_DATABASE_URL": f"sqlite:///{found.file}",
        "WIKICRAWLER_TIER_POLICY": "learned",
        **CERTAIN,
    }
    return found


class PauseAtStart:
    """Pauses all sites for eight seconds from the moment when the spider opens, however long the
    crawl took to get there."""

    def __init__(self, crawler: Crawler) -> None:
        self._file = crawler.settings["WIKICRAWLER_DATABASE_URL"].removeprefix("sqlite:///")
        crawler.signals.connect(self._pause, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _pause(self) -> None:
        connection = sqlite3.connect(self._file)
        with connection:
            connection.execute("UPDATE sites SET paused_until = ?, risk_level = 1", (time() + 8,))
        connection.close()


class StopWhenPagesWait:
    """Closes the spider as soon as eight pages have been put off."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._looking = create_looping_call(self._look)
        crawler.signals.connect(self._opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _opened(self) -> None:
        self._looking.start(0.05, now=False)

    def _look(self) -> None:
        if self._crawler.stats.get_value("tier/put_off_count/paused", 0) >= 8:
            self._looking.stop()
            self._closing = asyncio.ensure_future(self._crawler.engine.close_spider_async())


def serve(site: ScriptedServer, count: int, *replies: Reply) -> list[str]:
    """The URLs of so many pages, each of which answers so."""
    for number in range(count):
        site.on(f"/p/{number}", *replies)
    return [site.url(f"/p/{number}") for number in range(count)]


def tried(response: Any) -> list[tuple[str, str]]:
    return [(attempt["tier"], attempt["reason"]) for attempt in response.meta["tier_attempts"]]


@deferred_f_from_coro_f
async def test_of_a_static_page_the_probe_is_the_answer(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    site.on("/amber", Reply(body=ARTICLE))
    done = await fetch(site.url("/amber"), **browser.settings, **recorded.settings)
    assert [response.text for response in done.responses] == [ARTICLE]
    assert site.paths() == ["/robots.txt", "/amber"]
    assert browser.urls() == []
    (expected,) = recorded.attempts("expected")
    assert recorded.attempts("tier", "reason", "policy", "propensity") == [
        ("http", "ok", "learned", 1.0)
    ]
    assert expected == 0.5  # nothing was ever seen


@deferred_f_from_coro_f
async def test_a_slow_page_is_asked_for_again_with_all_the_time_it_needs(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    site.on("/amber", Reply(body=ARTICLE, delay=3.4))
    done = await fetch(
        site.url("/amber"), DOWNLOAD_TIMEOUT=20, **browser.settings, **recorded.settings
    )
    assert [tried(response) for response in done.responses] == [
        [("http", "timeout"), ("http", "ok")]
    ]
    assert browser.urls() == []


@deferred_f_from_coro_f
async def test_a_slow_page_that_leads_to_another_is_fetched_from_there(
    site: ScriptedServer, recorded: Recorded
) -> None:
    site.on("/slow", Reply(302, {"Location": "/amber"}, "", delay=3.4))
    site.on("/amber", Reply(body=ARTICLE))
    done = await fetch(
        site.url("/slow"), DOWNLOAD_TIMEOUT=20, WIKICRAWLER_LONGEST_WAIT=0, **recorded.settings
    )
    assert [response.url for response in done.responses] == [site.url("/amber")]
    assert site.paths() == ["/robots.txt", "/slow", "/slow", "/amber"]


@deferred_f_from_coro_f
async def test_a_page_that_has_no_more_time_than_a_probe_is_not_asked_for_twice(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    site.on("/amber", Reply(body=ARTICLE, delay=2))
    done = await fetch(
        site.url("/amber"), DOWNLOAD_TIMEOUT=1, **browser.settings, **recorded.settings
    )
    assert [tried(response) for response in done.responses] == [
        [("http", "timeout"), ("browser", "ok")]
    ]


class Own(LearnedPolicy):
    """A policy of somebody's own that learns."""


@deferred_f_from_coro_f
async def test_a_policy_of_ones_own_that_learns_is_taught(
    site: ScriptedServer, recorded: Recorded
) -> None:
    site.on("/amber", Reply(body=ARTICLE))
    recorded.settings["WIKICRAWLER_TIER_POLICY"] = f"{__name__}.{Own.__name__}"
    await fetch(site.url("/amber"), **recorded.settings)
    assert recorded.attempts("tier", "expected") == [("http", 0.5)]


@deferred_f_from_coro_f
async def test_after_a_probe_that_found_a_shell_comes_the_browser(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    site.on("/app", Reply(body=SHELL))
    done = await fetch(site.url("/app"), **browser.settings, **recorded.settings)
    assert [tried(response) for response in done.responses] == [
        [("http", "js_shell"), ("browser", "ok")]
    ]
    assert "enable_stealth" not in browser.asked()[0]["browser_config"]["params"]


@deferred_f_from_coro_f
async def test_after_a_probe_that_was_challenged_the_browser_hides_what_it_is(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    site.on("/amber", CHALLENGE)
    done = await fetch(site.url("/amber"), **browser.settings, **recorded.settings)
    assert [tried(response) for response in done.responses] == [
        [("http", "blocked_captcha"), ("browser", "ok")]
    ]
    assert browser.asked()[0]["browser_config"]["params"]["enable_stealth"] is True


@deferred_f_from_coro_f
async def test_where_challenges_are_known_the_browser_comes_first_and_hides(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    urls = serve(site, 6, CHALLENGE)
    done = await fetch(*urls, **browser.settings, **recorded.settings)
    assert len(done.responses) == 6
    assert tried(done.responses[-1]) == [("browser", "ok")]
    assert all(asked["browser_config"]["params"].get("enable_stealth") for asked in browser.asked())


@deferred_f_from_coro_f
async def test_on_a_new_site_a_page_waits_for_what_the_one_before_shows(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    urls = serve(site, 6, CHALLENGE)
    del recorded.settings["CONCURRENT_REQUESTS"]
    done = await fetch(*urls, **browser.settings, **recorded.settings)
    assert len(done.responses) == 6
    assert site.paths() == ["/robots.txt", "/p/0"]


@deferred_f_from_coro_f
async def test_pages_that_show_nothing_of_their_site_do_not_hold_it_up(
    site: ScriptedServer, recorded: Recorded
) -> None:
    with ScriptedServer("127.0.0.4") as elsewhere:
        elsewhere.on("/robots.txt", Reply(404)).on("/amber", Reply(body=ARTICLE))
        urls = serve(site, 4, Reply(302, {"Location": elsewhere.url("/amber")}))
        del recorded.settings["CONCURRENT_REQUESTS"]
        done = await fetch(*urls, CLOSESPIDER_TIMEOUT=9, **recorded.settings)
    assert done.stats["finish_reason"] == "finished"  # a page may wait for ten seconds
    assert sorted(site.paths()) == ["/p/0", "/p/1", "/p/2", "/p/3", "/robots.txt"]
    assert done.stats["downloader/response_status_count/302"] == 4


@deferred_f_from_coro_f
async def test_what_one_crawl_learned_the_next_one_knows(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    urls = serve(site, 8, Reply(body=SHELL))
    await fetch(*urls[:7], **browser.settings, **recorded.settings)
    before = len(site.paths())
    done = await fetch(urls[7], **browser.settings, **recorded.settings)
    assert [tried(response) for response in done.responses] == [[("browser", "ok")]]
    assert site.paths()[before:] == ["/robots.txt"]
    assert recorded.attempts("expected")[-1] > 0.8


@deferred_f_from_coro_f
async def test_a_site_that_changes_is_told_of(
    site: ScriptedServer,
    browser: ScriptedCrawl4AI,
    recorded: Recorded,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for number in range(20):
        site.on(f"/p/{number}", Reply(body=ARTICLE if number < 8 else SHELL))
    urls = [site.url(f"/p/{number}") for number in range(20)]
    recorded.settings["WIKICRAWLER_TIER_COSTS"] = {"browser": 3}
    with caplog.at_level(logging.INFO):
        done = await fetch(*urls, **browser.settings, **recorded.settings)
    assert len(done.responses) == 20
    assert recorded.rows("SELECT domain, tier, better FROM tier_changes") == [
        ("127.0.0.1", "http", 0)
    ]
    assert "Site 127.0.0.1 changed: tier http fails there now" in caplog.text
    assert done.stats["learning/changed_count"] == 1
    assert [("browser", "ok")] in [tried(response) for response in done.responses[8:]]


@deferred_f_from_coro_f
async def test_a_page_that_the_network_lost_is_asked_for_once_more_later_and_others_meanwhile(
    site: ScriptedServer, recorded: Recorded
) -> None:
    site.on("/lost", Reply(drop=True), Reply(body=ARTICLE)).on("/other", Reply(body=ARTICLE))
    done = await fetch(
        site.url("/lost"), site.url("/other"), WIKICRAWLER_LONGEST_WAIT=1, **recorded.settings
    )
    assert [r.url for r in done.responses] == [site.url("/other"), site.url("/lost")]
    assert tried(done.responses[1]) == [("http", "network"), ("browser", "no_tier"), ("http", "ok")]
    assert site.paths() == ["/robots.txt", "/lost", "/other", "/lost"]
    first, second = (x.start for x in site.exchanges if x.path == "/lost")
    assert second - first >= 1
    assert done.stats["tier/put_off_count/network"] == 1
    assert done.skipped == []


@deferred_f_from_coro_f
async def test_a_site_whose_network_fails_rests_as_before_a_retry(
    site: ScriptedServer, recorded: Recorded
) -> None:
    urls = serve(site, 2, Reply(drop=True))
    own = {"WIKICRAWLER_LONGEST_WAIT": 0.1, "WIKICRAWLER_RETRY": {"network": [0.7]}}
    await fetch(*urls, **own, **recorded.settings)
    assert site.paths() == ["/robots.txt", "/p/0", "/p/1", "/p/0", "/p/1"]
    assert min(site.gaps()[1:3]) >= 0.7


@deferred_f_from_coro_f
async def test_a_page_that_the_network_loses_twice_is_skipped(
    site: ScriptedServer, recorded: Recorded
) -> None:
    site.on("/lost", Reply(drop=True))
    done = await fetch(site.url("/lost"), WIKICRAWLER_LONGEST_WAIT=1, **recorded.settings)
    assert site.paths() == ["/robots.txt", "/lost", "/lost"]
    (skipped,) = done.skipped
    assert skipped["reason"] == "network"
    assert [attempt["reason"] for attempt in skipped["attempts"]] == ["network", "no_tier"] * 2


@deferred_f_from_coro_f
async def test_where_no_page_waits_what_the_network_lost_is_asked_for_again_at_once(
    site: ScriptedServer, recorded: Recorded
) -> None:
    site.on("/lost", Reply(drop=True), Reply(drop=True), Reply(body=ARTICLE))
    done = await fetch(site.url("/lost"), WIKICRAWLER_LONGEST_WAIT=0, **recorded.settings)
    assert [tried(response) for response in done.responses] == [
        [("http", "network"), ("http", "ok")]
    ]
    assert site.paths() == ["/robots.txt", "/lost", "/lost", "/lost"]  # the probe, a try, its retry


@deferred_f_from_coro_f
async def test_a_page_that_is_blocked_is_not_asked_for_again(
    site: ScriptedServer, recorded: Recorded
) -> None:
    urls = serve(site, 2, CHALLENGE)
    done = await fetch(*urls, WIKICRAWLER_LONGEST_WAIT=1, **recorded.settings)
    assert site.paths() == ["/robots.txt", "/p/0", "/p/1"]
    assert {str(skip["reason"]) for skip in done.skipped} == {"blocked_captcha"}


@deferred_f_from_coro_f
async def test_a_site_that_blocks_every_tier_is_paused_and_the_next_crawl_knows(
    site: ScriptedServer, recorded: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    urls = serve(site, 5, CHALLENGE)
    done = await fetch(*urls, WIKICRAWLER_LONGEST_WAIT=0, **recorded.settings)
    assert [str(skip["reason"]) for skip in done.skipped] == ["blocked_captcha"] * 3 + [
        "paused"
    ] * 2
    ((name, left, level, count, reason),) = recorded.rows(
        "SELECT site, paused_until - last_attempt_at, risk_level, attempt_count, reason FROM sites"
    )
    assert (name, level, count, reason) == ("127.0.0.1", 1, 3, "blocked_captcha")
    assert 590 < left < 610
    before = len(site.paths())
    again = await fetch(urls[0], WIKICRAWLER_LONGEST_WAIT=0, **recorded.settings)
    assert [str(skip["reason"]) for skip in again.skipped] == ["paused"]
    assert site.paths()[before:] == []
    assert "1 sites that blocked every tier in earlier crawls are left alone yet" in caplog.text


@pytest.mark.parametrize("kept", ["in memory", "in a state folder"])
@deferred_f_from_coro_f
async def test_pages_of_a_paused_site_wait_in_their_order_and_others_go_on(
    site: ScriptedServer, recorded: Recorded, tmp_path: Path, kept: str
) -> None:
    urls = serve(site, 30, Reply(body=ARTICLE))
    await fetch(urls[0], **recorded.settings)
    if kept == "in a state folder":
        recorded.settings["JOBDIR"] = str(tmp_path / "job")
    recorded.settings["EXTENSIONS"] = {PauseAtStart: 0}
    with ScriptedServer("127.0.0.3") as other:
        other.on("/robots.txt", Reply(404)).on("/", Reply(body=ARTICLE))
        done = await fetch(*urls, other.url("/"), **recorded.settings)
    first, *asked = [r.url for r in done.responses]
    assert first == other.url("/")
    assert {*asked} == {*urls}
    # A request whose connection was lost is repeated after the others.
    in_order = asked[: len(urls) - done.stats.get("retry/count", 0)]
    assert in_order == sorted(in_order, key=urls.index), done.stats
    assert done.stats["tier/put_off_count/paused"] == 30
    assert recorded.rows("SELECT paused_until, risk_level FROM sites WHERE site = '127.0.0.1'") == [
        (None, 0)
    ]


@deferred_f_from_coro_f
async def test_a_page_that_is_about_to_be_rendered_waits_for_its_site_too(
    site: ScriptedServer, browser: ScriptedCrawl4AI, recorded: Recorded
) -> None:
    urls = serve(site, 14, CHALLENGE)
    browser.on(
        "/crawl/stream",
        rendered("<p>No", success=False, status_code=403, error_message="Blocked: HTTP 403"),
    )
    settings = {
        **recorded.settings,
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
        "WIKICRAWLER_TIER_COSTS": {},
        "EXTENSIONS": {StopWhenPagesWait: 0},
    }
    done = await fetch(*urls, **browser.settings, **settings)
    assert done.stats["tier/site_paused_count"] == 1
    assert done.stats["tier/put_off_count/paused"] >= 8
    assert {str(skip["reason"]) for skip in done.skipped} <= {"blocked", "blocked_captcha"}


@deferred_f_from_coro_f
async def test_in_the_shadow_nothing_is_asked_for_differently(
    site: ScriptedServer,
    browser: ScriptedCrawl4AI,
    recorded: Recorded,
    caplog: pytest.LogCaptureFixture,
) -> None:
    urls = serve(site, 8, Reply(body=SHELL))
    recorded.settings["WIKICRAWLER_TIER_POLICY"] = "shadow"
    with caplog.at_level(logging.INFO):
        done = await fetch(*urls, **browser.settings, **recorded.settings)
    assert {tuple(tried(r)) for r in done.responses} == {(("http", "js_shell"), ("browser", "ok"))}
    assert f"Learned: browser first, by the configured order http: {urls[7]}" in caplog.text
    assert set(recorded.attempts("policy", "propensity")) == {("shadow", 1.0)}
    instead = recorded.rows(
        "SELECT value FROM attempt_heuristics JOIN attempts USING (run, seq) "
        "WHERE type = 'instead' AND phase = 'before' ORDER BY at"
    )
    assert instead[0] == ("http",)
    assert instead[-1] == ("browser",)


@pytest.mark.parametrize(("share", "policy"), [(0, "static"), (1, "learned")])
@deferred_f_from_coro_f
async def test_a_split_is_of_the_domains(
    site: ScriptedServer,
    browser: ScriptedCrawl4AI,
    recorded: Recorded,
    share: float,
    policy: str,
) -> None:
    site.on("/amber", Reply(body=ARTICLE))
    settings = {**recorded.settings, "WIKICRAWLER_TIER_POLICY": "split"}
    await fetch(site.url("/amber"), WIKICRAWLER_TIER_SPLIT=share, **browser.settings, **settings)
    assert recorded.attempts("policy") == [policy]


def test_a_split_is_the_share_that_was_asked_for_and_always_the_same() -> None:
    sites = [f"site{number}.example" for number in range(2000)]
    learned = [site for site in sites if is_learned(site, 0.25)]
    assert 400 < len(learned) < 600
    assert is_learned("amber.example", 0.5) is is_learned("amber.example", 0.5)
    assert {site for site in sites if is_learned(site, 0.1)} < set(learned)


@deferred_f_from_coro_f
async def test_a_database_that_cannot_be_read_stops_no_crawl(
    site: ScriptedServer,
    browser: ScriptedCrawl4AI,
    recorded: Recorded,
    caplog: pytest.LogCaptureFixture,
) -> None:
    recorded.file.write_bytes(b"no database at all, but long enough to be looked at" * 99)
    urls = serve(site, 8, Reply(body=SHELL))
    done = await fetch(*urls, **browser.settings, **recorded.settings)
    assert len(done.responses) == 8
    assert tried(done.responses[-1]) == [("browser", "ok")]  # it learns all the same
    assert "What was learned before is not known" in caplog.text


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"WIKICRAWLER_TIER_SPLIT": 2}, "WIKICRAWLER_TIER_SPLIT is 2: the share"),
        ({"WIKICRAWLER_TIER_COSTS": "{"}, "WIKICRAWLER_TIER_COSTS is not JSON"),
        ({"WIKICRAWLER_TIER_COSTS": {"car": 1}}, "has the key 'car'"),
        ({"WIKICRAWLER_EXPLORE": "much"}, "WIKICRAWLER_EXPLORE is 'much': the share"),
        ({"WIKICRAWLER_TIER_COSTS": {"http": 0}}, "['http'] is 0: a number above 0"),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_setting_is_refused(
    recorded: Recorded, settings: dict[str, Any], told: str
) -> None:
    own = {**recorded.settings, "WIKICRAWLER_TIER_POLICY": "split", **settings}
    with pytest.raises(ConfigError, match="WIKICRAWLER") as raised:
        await fetch("http://127.0.0.1:1/", **own)
    assert told in str(raised.value)
