"""What is kept of failed fetches, and what they do to the schedule."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.regulations import RegulationSite
from tests.servers.scripted import Reply
from tests.sources.watching import Watch, changes, source, summaries
from wikicrawler.sources.staging.failures import MAX_BODY
from wikicrawler.store.database import Database
from wikicrawler.store.source_states import SourceState, load_states

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DUE = {"force": "false", "scheduled": "true"}
NEVER_RETRIED = {"WIKICRAWLER_RETRY": {"429": [], "503": [], "network": []}}


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite() as server:
        yield server


def single(folder: Path, site: RegulationSite, path: str = "/rule", **fields: Any) -> Watch:
    return Watch(folder, source(site.url(path), method="scrape", **fields))


def kept(watched: Watch) -> list[dict[str, Any]]:
    """The kept responses by their paths, the oldest first."""
    files = sorted((watched.staged / "_failures").glob("*"))
    return [json.loads(file.read_text("utf-8")) for file in files]


def state_of(watched: Watch) -> SourceState:
    with Database(watched.database_url).read() as connection:
        return load_states(connection)["reg-x"]


@deferred_f_from_coro_f
async def test_the_whole_response_of_a_failed_visit_is_kept_without_secrets(
    site: RegulationSite, tmp_path: Path
) -> None:
    headers = {"Set-Cookie": "session=s3cret", "Server": "nginx", "X-Internal": "t0ken"}
    site.on("/rule?api_key=s3cret", Reply(503, headers, "<h1>Maintenance</h1>"))
    config = {"custom_headers": {"X-Purpose": "s3cret"}}
    watched = single(tmp_path, site, "/rule?api_key=s3cret", scrape_config=config)
    await watched.crawl(settings=NEVER_RETRIED)
    (error,) = watched.errors()
    found = json.loads((watched.staged / error["response_path"]).read_text("utf-8"))
    assert found["manifest_id"] == "reg-x"
    assert found["error"] == "busy: HTTP 503"
    assert found["needs_review"] is False
    response = found["response"]
    assert (response["status"], response["body"]) == (503, "<h1>Maintenance</h1>")
    assert ["server", "nginx"] in response["headers"]
    assert ["set-cookie", "***"] in response["headers"]
    assert ["x-purpose", "***"] in found["request"]["headers"]
    assert "api_key=***" in found["request"]["url"]
    text = json.dumps(found)
    assert "s3cret" not in text
    assert "t0ken" not in text


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{broken", "application/json"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "image/png"),
        (b"<html><body>Not a PDF at all", "application/pdf"),
    ],
)
@deferred_f_from_coro_f
async def test_what_cannot_be_read_is_kept_for_review(
    site: RegulationSite, tmp_path: Path, body: bytes, kind: str
) -> None:
    site.put("/rule", body, kind)
    watched = single(tmp_path, site)
    await watched.crawl()
    (error,) = watched.errors()
    assert (error["kind"], error["needs_review"]) == ("parse", True)
    (found,) = kept(watched)
    assert found["needs_review"] is True
    response = found["response"]
    text = response["body"]
    data = base64.b64decode(response["body_base64"]) if text is None else text.encode()
    assert data == body


@deferred_f_from_coro_f
async def test_a_long_body_is_cut(site: RegulationSite, tmp_path: Path) -> None:
    body = "é" * MAX_BODY
    site.on("/rule", Reply(500, {}, body))
    watched = single(tmp_path, site)
    await watched.crawl(settings={"WIKICRAWLER_RETRY": {"500": []}})
    (found,) = kept(watched)
    assert found["response"]["truncated"] is True
    assert found["response"]["size"] == 2 * MAX_BODY
    assert found["response"]["body"] == "é" * (MAX_BODY // 2)


@deferred_f_from_coro_f
async def test_a_failure_without_a_response_is_reported_without_one(tmp_path: Path) -> None:
    with RegulationSite() as gone:
        url = gone.url("/rule")
    watched = Watch(tmp_path, source(url, method="scrape"))
    await watched.crawl(settings=NEVER_RETRIED)
    (error,) = watched.errors()
    assert error["response_path"] is None
    assert kept(watched) == []


@deferred_f_from_coro_f
async def test_the_last_responses_of_a_source_are_kept(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = single(tmp_path, site)
    for number in range(4):
        site.on("/rule", Reply(503, {}, f"failure {number}"))
        limit = {"WIKICRAWLER_SOURCE_KEPT_FAILURES": 2}
        await watched.crawl(settings=NEVER_RETRIED | limit)
    assert [found["response"]["body"] for found in kept(watched)] == ["failure 2", "failure 3"]
    none = {"WIKICRAWLER_SOURCE_KEPT_FAILURES": 0}
    await watched.crawl(settings=NEVER_RETRIED | none)
    assert watched.errors()[-1]["response_path"] is None


@deferred_f_from_coro_f
async def test_one_visit_does_not_push_out_the_responses_of_the_others(
    site: RegulationSite, tmp_path: Path
) -> None:
    for number in range(1, 7):
        site.remove(f"/1024/{number}/", 403)
    watched = Watch(tmp_path, source(site.url("/")))
    await watched.crawl(settings={"WIKICRAWLER_SOURCE_KEPT_FAILURES": 10})
    assert len(watched.errors()) == 6
    assert len(kept(watched)) == 2
    assert sum(error["response_path"] is not None for error in watched.errors()) == 2


@deferred_f_from_coro_f
async def test_a_429_of_any_document_lowers_the_frequency(
    site: RegulationSite, tmp_path: Path
) -> None:
    del site.documents["/1024/3/"]
    site.on("/1024/3/", Reply(429, {"Retry-After": "7200"}))
    watched = Watch(tmp_path, source(site.url("/"), frequency="daily"))
    done = await watched.crawl(settings={"DOMAIN_THROTTLE_MAX_RETRY_AFTER": 0.1})
    assert summaries(done)["reg-x"]["error"] is None
    state = state_of(watched)
    assert state.reduced == 1
    assert state.consecutive_failures == 0
    assert state.last_started is not None
    assert state.not_before is not None
    assert 7_000 < state.not_before - state.last_started <= 7_300


@deferred_f_from_coro_f
async def test_a_503_of_another_document_leaves_the_frequency(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.remove("/1024/3/", 503)
    watched = Watch(tmp_path, source(site.url("/"), frequency="daily"))
    await watched.crawl(settings=NEVER_RETRIED)
    assert state_of(watched).reduced == 0


@deferred_f_from_coro_f
async def test_a_source_that_its_robots_txt_disallows_now_is_not_visited(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = Watch(tmp_path, source(site.url("/"), frequency="adaptive", schedule=_HOURLY))
    await watched.crawl(**DUE)
    assert len(watched.index()) == 7
    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /$\n"))
    site.exchanges.clear()
    done = await watched.crawl(scheduled="true")
    assert site.paths() == ["/robots.txt"], "its other documents are allowed, and not fetched"
    assert changes(done) == {"/": "robots"}
    assert summaries(done)["reg-x"]["error"].startswith("robots: ")
    (error,) = watched.errors()
    assert error["error"].startswith("robots: ")
    assert len(watched.index()) == 7, "nothing is staged as deleted"
    assert state_of(watched).consecutive_failures == 1


@deferred_f_from_coro_f
async def test_a_disallowed_source_does_not_hold_up_the_others(
    site: RegulationSite, tmp_path: Path
) -> None:
    with RegulationSite("127.0.0.2") as closed:
        closed.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /\n"))
        sources = [source(closed.url(f"/{n}"), f"closed-{n}") for n in range(30)]
        watched = Watch(tmp_path, *sources, source(site.url("/")))
        done = await watched.crawl(settings={"WIKICRAWLER_SOURCES_AT_ONCE": 2})
        assert set(closed.paths()) == {"/robots.txt"}
    assert summaries(done)["reg-x"]["new"] == 7
    assert len(summaries(done)) == 31


_HOURLY = {"shortest_hours": 1, "longest_hours": 2}


@deferred_f_from_coro_f
async def test_five_scheduled_failures_pause_a_source_and_keep_five_responses(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.on("/rule", Reply(503, {}, "down"))
    watched = single(tmp_path, site, frequency="daily")
    for _ in range(5):
        await watched.crawl(scheduled="true", settings=NEVER_RETRIED)
    assert state_of(watched).consecutive_failures == 5
    assert len(kept(watched)) == 5
    site.exchanges.clear()
    await watched.crawl(**DUE, settings=NEVER_RETRIED)
    assert site.paths() == []
