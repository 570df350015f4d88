"""A site that blocks every tier is left alone for a while."""

from __future__ import annotations

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, refused, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.items import Attempt
from wikicrawler.tiers.pauses import CLOSED_PAGES, PAGES, SitePauses, is_blocked_everywhere

ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"
SITE = "site.example"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


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
    attempts = [Attempt(tier="http", reason=r, status=None, detail="") for r in reasons]
    assert is_blocked_everywhere(attempts) is everywhere


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
        done = await fetch(*blocked, *fine, **server.settings)
        asked = [path for path in bad.paths() if path != "/robots.txt"]
    assert sorted(r.url for r in done.responses) == sorted(fine)
    reasons = done.reasons()
    assert set(reasons) == set(blocked)
    assert set(reasons.values()) == {"blocked", "paused"}
    # what waited for its turn when the pause began is still asked
    assert PAGES <= list(reasons.values()).count("blocked") <= PAGES + 2
    assert len(asked) < len(blocked)
    assert done.stats["tier/site_paused_count"] == 1


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
        done = await fetch(*pages, **server.settings)
    assert done.reasons() == dict.fromkeys(pages, "browser_down")
