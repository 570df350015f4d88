"""How often, and when, the fetches of watched sources are repeated: by the server's log."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings
from tests.servers.regulations import RegulationSite, section
from tests.servers.scripted import Reply
from tests.sources.visits.fallback import TIERS, tiers_of
from tests.sources.watching import Watch, changes, source, summaries
from wikicrawler.sources.schedule.retry import DELAYS, VisitError
from wikicrawler.spiders.sources import SourcesSpider

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawling import Outcome

PAGE = "/rule"
TABLE = {
    "429": [0.1, 0.2, 0.3, 0.4, 0.5],
    "503": [0.1, 0.2, 0.3],
    "500": [0.1, 0.2, 0.3],
    "timeout": [0.1, 0.2],
    "network": [0.1, 0.2, 0.3],
}
"""The rows of the table with shorter delays."""
CAPTCHA = (
    "<html><head><title>Just a moment...</title></head><body><form id='challenge-form' "
    "action='/?__cf_chl_f_tk=x'></form><p>Checking your browser</p></body></html>"
)
GOOD = Reply(body=section(1))
LATE = Reply(body=section(1), delay=2.0)


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite() as server:
        yield server


async def visit(
    folder: Path, site: RegulationSite, *replies: Reply, **settings: Any
) -> tuple[Outcome, Watch]:
    """Visit a source of one document, which is answered by *replies*."""
    site.on(PAGE, *replies)
    watched = Watch(folder, source(site.url(PAGE), method="scrape"))
    table = {"WIKICRAWLER_RETRY": json.dumps(TABLE), "WIKICRAWLER_TIERS": TIERS}
    done = await watched.crawl(settings=table | settings)
    return done, watched


def gaps(site: RegulationSite) -> list[float]:
    """Seconds from each answer to the next request for the document."""
    asked = [x for x in site.exchanges if x.path == PAGE]
    return [after.start - before.end for before, after in pairwise(asked)]


def test_the_table_is_that_of_the_specification() -> None:
    assert DELAYS == {
        VisitError.RATE_LIMITED: (30, 60, 120, 300, 600),
        VisitError.UNAVAILABLE: (10, 30, 60),
        VisitError.FORBIDDEN: (),
        VisitError.MISSING: (),
        VisitError.TIMEOUT: (15, 30),
        VisitError.CAPTCHA: (),
        VisitError.PARSE: (),
        VisitError.OTHER: (10, 30, 60),
    }


@pytest.mark.parametrize(
    ("reply", "tiers"),
    [
        (Reply(429, body="slow down"), ["http"] * 6),
        (Reply(503, body="later"), ["http"] * 4),
        (Reply(500, body="broken"), ["http"] * 4),
        (Reply(404, body="gone"), ["http"]),
        (Reply(410, body="gone"), ["http"]),
        (Reply(403, body="no"), ["http", "fallback"]),
        (Reply(403, {"cf-mitigated": "challenge"}, CAPTCHA), ["http", "fallback"]),
        (Reply(503, {"cf-mitigated": "challenge"}, CAPTCHA), ["http", "fallback"]),
        (Reply(200, {"Content-Type": "application/json"}, "{broken"), ["http"]),
        (Reply(drop=True), ["http"] * 4 + ["fallback"] * 4),
    ],
    ids=lambda value: None if isinstance(value, list) else f"{value.status}-{value.body[:8]!r}",
)
@deferred_f_from_coro_f
async def test_each_error_has_its_number_of_requests_and_its_tiers(
    site: RegulationSite, tmp_path: Path, reply: Reply, tiers: list[str]
) -> None:
    done, watched = await visit(tmp_path, site, reply)
    assert tiers_of(site.exchanges, PAGE) == tiers
    assert watched.index() == []
    (error,) = watched.errors()
    retries = sum(before == after for before, after in pairwise(tiers))
    assert error["retry_count"] == retries
    assert summaries(done)["reg-x"]["error"]


@deferred_f_from_coro_f
async def test_a_page_that_times_out_comes_by_the_fallback_tier_after_two_retries(
    site: RegulationSite, tmp_path: Path
) -> None:
    _, watched = await visit(tmp_path, site, LATE, LATE, LATE, GOOD, DOWNLOAD_TIMEOUT=0.5)
    assert tiers_of(site.exchanges, PAGE) == ["http"] * 3 + ["fallback"]
    (envelope,) = watched.envelopes()
    assert envelope["scrape"]["engine"] == "fallback"
    assert envelope["scrape"]["retry_count"] == 2


@deferred_f_from_coro_f
async def test_a_page_behind_a_captcha_comes_by_the_fallback_tier_at_once(
    site: RegulationSite, tmp_path: Path
) -> None:
    captcha = Reply(503, {"cf-mitigated": "challenge"}, CAPTCHA)
    done, _ = await visit(tmp_path, site, captcha, GOOD)
    assert tiers_of(site.exchanges, PAGE) == ["http", "fallback"]
    assert changes(done) == {PAGE: "new"}


@deferred_f_from_coro_f
async def test_a_page_that_says_that_it_is_rate_limited_is_repeated_as_a_429(
    site: RegulationSite, tmp_path: Path
) -> None:
    limited = Reply(body="<title>429 Too Many Requests</title><h1>Too many requests</h1>")
    done, _ = await visit(tmp_path, site, *[limited] * 5, GOOD)
    assert tiers_of(site.exchanges, PAGE) == ["http"] * 6
    assert changes(done) == {PAGE: "new"}


@deferred_f_from_coro_f
async def test_each_retry_waits_at_least_as_long_as_the_table_says(
    site: RegulationSite, tmp_path: Path
) -> None:
    await visit(tmp_path, site, Reply(429))
    assert len(gaps(site)) == 5
    for gap, delay in zip(gaps(site), TABLE["429"], strict=True):
        assert gap >= delay


@pytest.mark.parametrize(("asked", "least"), [("1", 1.0), ("0", 0.3)])
@deferred_f_from_coro_f
async def test_retry_after_lengthens_a_delay_and_never_shortens_one(
    site: RegulationSite, tmp_path: Path, asked: str, least: float
) -> None:
    table = {"429": [0.3]}
    busy = Reply(429, {"Retry-After": asked})
    await visit(tmp_path, site, busy, GOOD, WIKICRAWLER_RETRY=table)
    (gap,) = gaps(site)
    assert gap >= least


@pytest.mark.parametrize("form", ["seconds", "date"])
@deferred_f_from_coro_f
async def test_a_server_that_asks_for_hours_is_not_asked_again_in_this_visit(
    site: RegulationSite, tmp_path: Path, form: str
) -> None:
    later = datetime.now(UTC) + timedelta(hours=2)
    asked = "7200" if form == "seconds" else format_datetime(later, usegmt=True)
    await visit(tmp_path, site, Reply(429, {"Retry-After": asked}))
    assert tiers_of(site.exchanges, PAGE) == ["http"]


@deferred_f_from_coro_f
async def test_a_retry_does_not_hold_up_the_other_documents_of_its_site(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.on("/1024/1/", Reply(503), Reply(body=section(1)))
    del site.documents["/1024/1/"]
    watched = Watch(tmp_path, source(site.url("/")))
    settings = {"WIKICRAWLER_RETRY": {"503": [5.0]}, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    done = await watched.crawl(settings=settings)
    assert set(changes(done).values()) == {"new"}
    asked = [x for x in site.exchanges if x.path.startswith("/1024/")]
    assert [x.path for x in asked].count("/1024/1/") == 2
    assert asked[-1].path == "/1024/1/"
    failed = next(x for x in asked if x.status == 503)
    others = [x.start - failed.end for x in asked[asked.index(failed) + 1 : -1]]
    assert asked[-1].start - failed.end >= 5.0
    assert min(others) < 5.0, "the site did not rest while it waited"


def test_a_fetch_may_take_30_seconds() -> None:
    settings = project_settings()
    SourcesSpider.update_settings(settings)
    assert settings.getfloat("DOWNLOAD_TIMEOUT") == 30
