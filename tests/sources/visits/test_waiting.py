"""Crawls that may visit no source, because another process visits as many as are allowed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.regulations import RegulationSite
from tests.sources.watching import Watch, changes, read_source, source
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ELSEWHERE = source("https://elsewhere.org/", "elsewhere")
SETTINGS: dict[str, Any] = {"WIKICRAWLER_SOURCES_AT_ONCE": 1}


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=2) as server:
        yield server


def other_process(watched: Watch) -> Agenda:
    """Another machine, which visits a source."""
    agenda = Agenda(
        Database(watched.database_url), [read_source(ELSEWHERE)], owner="other-host/1/1"
    )
    assert agenda.claim()
    return agenda


@deferred_f_from_coro_f
async def test_a_scheduled_crawl_leaves_its_sources_to_the_others_after_a_while(
    site: RegulationSite, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    watched = Watch(tmp_path, source(site.url("/")))
    other_process(watched)
    wait = {"WIKICRAWLER_SOURCES_WAIT": 0.5}
    done = await watched.crawl(settings=SETTINGS | wait, force="false", scheduled="true")
    assert done.stats["finish_reason"] == "finished"
    assert changes(done) == {}
    assert site.exchanges == []
    assert "waiting for up to 0.5 s" in caplog.text
    assert "are left to the other processes" in caplog.text


@deferred_f_from_coro_f
async def test_a_crawl_that_waits_visits_its_sources_when_the_others_have_ended(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = Watch(tmp_path, source(site.url("/")))
    other = other_process(watched)
    crawl = asyncio.ensure_future(
        watched.crawl(settings=SETTINGS | {"WIKICRAWLER_SOURCES_WAIT": 0.1})
    )
    await asyncio.sleep(3)
    assert not crawl.done(), "a crawl that a person began waits for as long as it takes"
    assert site.exchanges == []
    await asyncio.to_thread(other.release, "elsewhere")
    assert set(changes(await crawl).values()) == {"new"}
