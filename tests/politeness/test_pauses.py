"""A site that blocks every tier is left alone for a while."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Pages, fetch, project_settings, run
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, refused, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import Reason
from wikicrawler.items import Attempt
from wikicrawler.politeness.pauses import (
    CLOSED_PAGES,
    FORGOTTEN,
    LONGEST_PAUSE,
    PAGES,
    SitePauses,
    block_of,
    is_blocked_everywhere,
)
from wikicrawler.signals import site_paused

ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"
SITE = "site.example"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Pauses(SitePauses):
    """By clocks that the test sets, with what was told of them."""

    def __init__(self) -> None:
        self.clock, self.wall = Clock(), Clock()
        self.wall.now = 1.8e9
        self.told: list[dict[str, Any]] = []
        super().__init__(self.clock, self.wall, lambda **pause: self.told.append(pause))

    def pass_(self, seconds: float) -> None:
        self.clock.now += seconds
        self.wall.now += seconds


def block(pauses: SitePauses) -> float:
    return [pauses.blocked(SITE) for _ in range(PAGES)][-1]


def test_pauses_double_until_a_page_comes() -> None:
    clock = Clock()
    pauses = SitePauses(clock)
    lengths = []
    for _ in range(3):
        lengths.append(block(pauses))
        assert pauses.remaining(SITE) == lengths[-1]
        assert not pauses.blocked(SITE)  # was on its way
        clock.now += lengths[-1]
        assert not pauses.remaining(SITE)
    assert lengths == [600, 1200, 2400]
    pauses.answered(SITE)
    assert block(pauses) == 600
    assert not pauses.remaining("other.example")


def test_its_beginning_and_the_sites_answer_are_told() -> None:
    pauses = Pauses()
    begin = pauses.wall.now
    block(pauses)
    pauses.pass_(600)
    block(pauses)
    pauses.answered(SITE)
    pauses.answered(SITE)
    assert [tuple(pause.values()) for pause in pauses.told] == [
        (SITE, begin + 600, 1, Reason.BLOCKED),
        (SITE, begin + 1800, 2, Reason.BLOCKED),
        (SITE, None, 0, None),
    ]


def test_a_site_that_was_not_paused_is_not_told() -> None:
    pauses = Pauses()
    pauses.blocked(SITE)
    pauses.answered(SITE)
    assert pauses.told == []


def test_it_is_known_whether_any_site_is_paused() -> None:
    pauses = Pauses()
    assert pauses.is_empty
    for _ in range(PAGES):
        block(pauses)
    assert not pauses.is_empty
    pauses.answered(SITE)
    assert pauses.is_empty
    pauses.hold({SITE: pauses.wall.now + 60})
    assert not pauses.is_empty
    pauses.hold({})
    assert pauses.is_empty
    pauses.restore(SITE, pauses.wall.now + 60, 1)
    assert not pauses.is_empty


def test_the_end_is_said_by_the_clock_on_the_wall() -> None:
    pauses = Pauses()
    assert pauses.until(SITE) is None
    block(pauses)
    assert pauses.until(SITE) == pauses.wall.now + 600
    assert pauses.risk_level(SITE) == 1
    pauses.pass_(600)
    assert pauses.until(SITE) is None
    assert pauses.risk_level(SITE) == 1


def test_the_end_is_the_same_whenever_it_is_asked_for() -> None:
    pauses = Pauses()
    block(pauses)
    end = pauses.until(SITE)
    pauses.wall.now += 0.02  # between the readings of the two clocks
    assert pauses.until(SITE) == end


def test_a_wall_clock_that_is_set_changes_no_pause() -> None:
    pauses = Pauses()
    block(pauses)
    pauses.wall.now += 10 * 365 * 86_400
    assert pauses.remaining(SITE) == 600
    assert pauses.until(SITE) == pauses.wall.now + 600


def test_a_pause_of_an_earlier_crawl_goes_on_and_the_next_is_twice_as_long() -> None:
    pauses = Pauses()
    pauses.restore(SITE, pauses.wall.now + 100, 2)
    assert pauses.remaining(SITE) == 100
    assert pauses.risk_level(SITE) == 2
    pauses.pass_(100)
    assert block(pauses) == 2400
    pauses.answered(SITE)
    assert [told["risk_level"] for told in pauses.told] == [3, 0]


def test_one_that_has_ended_counts_for_a_day() -> None:
    pauses = Pauses()
    pauses.restore("lately.org", pauses.wall.now - FORGOTTEN + 1, 3)
    pauses.restore("long.ago", pauses.wall.now - FORGOTTEN - 1, 3)
    assert not pauses.remaining("lately.org")
    assert pauses.risk_level("lately.org") == 3
    assert pauses.risk_level("long.ago") == 0


@pytest.mark.parametrize("until", [None, float("-inf")])
def test_a_site_that_answered_since_is_not_paused(until: float | None) -> None:
    pauses = Pauses()
    pauses.restore(SITE, until, 4)
    assert not pauses.remaining(SITE)
    assert block(pauses) == 600


def test_what_this_crawl_knows_of_a_site_stands() -> None:
    pauses = Pauses()
    block(pauses)
    pauses.restore(SITE, pauses.wall.now + 5000, 7)
    assert pauses.remaining(SITE) == 600
    assert pauses.risk_level(SITE) == 1


@pytest.mark.parametrize("ahead", [10 * 365 * 86_400.0, float("inf")])
def test_a_pause_by_a_clock_that_was_wrong_is_no_longer_than_any(ahead: float) -> None:
    pauses = Pauses()
    pauses.restore(SITE, pauses.wall.now + ahead, 10**9)
    assert pauses.remaining(SITE) == LONGEST_PAUSE
    pauses.pass_(LONGEST_PAUSE)
    assert block(pauses) == LONGEST_PAUSE


def test_the_last_block_of_a_page_says_how_it_was_blocked() -> None:
    reasons = ["blocked_captcha", "blocked", "robots", "no_tier"]
    attempts = [Attempt(tier="http", reason=r, status=None, detail="") for r in reasons]
    assert block_of(attempts) is Reason.BLOCKED
    assert block_of(attempts[:1]) is Reason.BLOCKED_CAPTCHA


def test_the_pauses_of_a_crawl_are_told_by_its_signal() -> None:
    crawler, told = get_crawler(), []

    def hear(**pause: Any) -> None:
        told.append((pause["site"], pause["risk_level"]))

    crawler.signals.connect(hear, site_paused)
    block(SitePauses.from_crawler(crawler))
    block(SitePauses())
    assert told == [(SITE, 1)]


def test_a_status_alone_says_less_than_a_vendors_mark() -> None:
    pauses = SitePauses(Clock())
    assert not any(pauses.blocked(SITE, recognised=False) for _ in range(CLOSED_PAGES - 1))
    assert pauses.blocked(SITE, recognised=False) == 600


def test_blocked_pages_among_others_are_no_blocked_site() -> None:
    pauses = SitePauses(Clock())
    for _ in range(3 * PAGES):
        assert not any(pauses.blocked(SITE) for _ in range(PAGES - 1))
        pauses.answered(SITE)
    assert not pauses.remaining(SITE)


@pytest.mark.parametrize(
    ("reasons", "everywhere"),
    [
        (["blocked", "blocked_captcha"], True),
        (["robots", "blocked", "no_tier"], True),
        (["blocked", "browser_down"], False),
        (["blocked", "timeout"], False),
        (["js_shell", "blocked"], False),
        (["no_tier"], False),
        ([], False),
    ],
    ids=str,
)
def test_a_site_blocks_when_every_tier_that_was_tried_was_blocked(
    reasons: list[str], everywhere: bool
) -> None:
    tiers = ("mediawiki", "http", "browser")
    attempts = [
        Attempt(tier=tier, reason=reason, status=None, detail="")
        for tier, reason in zip(tiers, reasons, strict=False)
    ]
    assert is_blocked_everywhere(attempts) is everywhere


def test_a_probe_that_was_too_slow_does_not_say_that_a_tier_was_not_blocked() -> None:
    tried = [("http", "timeout"), ("http", "blocked"), ("browser", "blocked_captcha")]
    attempts = [Attempt(tier=t, reason=r, status=None, detail="") for t, r in tried]
    assert is_blocked_everywhere(attempts)


class Listening(Pages):
    """Keeps what is told of pauses."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.pauses = []
        crawler.signals.connect(spider.hear, site_paused)
        return spider

    def hear(self, **pause: Any) -> None:
        self.pauses.append(pause)


@deferred_f_from_coro_f
async def test_its_pages_are_skipped_with_the_reason_and_other_sites_go_on() -> None:
    with (
        ScriptedServer() as bad,
        ScriptedServer("127.0.0.2") as good,
        ScriptedCrawl4AI(rendered("<p>no", status_code=403, success=False)) as server,
    ):
        blocked = [bad.url(f"/{i}") for i in range(10)]
        fine = [good.url(f"/{i}") for i in range(10)]
        for i in range(10):
            bad.on(f"/{i}", Reply(403, {"cf-mitigated": "challenge"}))
            good.on(f"/{i}", Reply(body=ARTICLE))
        done = await run(Listening, project_settings(**server.settings), requests=[*blocked, *fine])
        asked = [path for path in bad.paths() if path != "/robots.txt"]
    assert sorted(r.url for r in done.responses) == sorted(fine)
    reasons = done.reasons()
    assert set(reasons) == set(blocked)
    assert set(reasons.values()) == {"blocked", "paused"}
    # what waited for its turn when the pause began is still asked
    assert PAGES <= list(reasons.values()).count("blocked") <= PAGES + 2
    assert len(asked) < len(blocked)
    assert done.stats["tier/site_paused_count"] == 1
    (pause,) = done.spider.pauses  # type: ignore[union-attr]
    assert pause["site"] == "127.0.0.1"
    assert pause["risk_level"] == 1
    assert pause["reason"] in {Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}


@deferred_f_from_coro_f
async def test_a_few_pages_that_only_members_may_read_are_no_blocked_site() -> None:
    with ScriptedServer() as site:
        closed = [f"/members/{i}" for i in range(CLOSED_PAGES - 1)]
        for path in closed:
            site.on(path, Reply(403))
        site.on("/open", Reply(body=ARTICLE))
        pages = [Request(site.url(path), priority=-i) for i, path in enumerate([*closed, "/open"])]
        done = await fetch(*pages)
    assert [r.url for r in done.responses] == [site.url("/open")]
    assert set(done.reasons().values()) == {"blocked"}


@deferred_f_from_coro_f
async def test_a_crawl4ai_that_is_down_makes_no_blocked_site() -> None:
    with ScriptedServer() as site, ScriptedCrawl4AI(refused(500)) as server:
        pages = [site.url(f"/{i}") for i in range(6)]
        for i in range(6):
            site.on(f"/{i}", Reply(403))
        done = await fetch(*pages, **server.settings, WIKICRAWLER_LONGEST_WAIT=0)
    assert done.reasons() == dict.fromkeys(pages, "browser_down")
