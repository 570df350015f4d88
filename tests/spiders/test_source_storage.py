"""A crawl over sources whose database or staging folder cannot be used."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.regulations import RegulationSite, section
from tests.sources.watching import Watch, changes, source, summaries
from wikicrawler.sources.staging.stager import RULES
from wikicrawler.store.database import Database
from wikicrawler.store.source_states import load_states

if TYPE_CHECKING:
    from pathlib import Path


@deferred_f_from_coro_f
async def test_a_folder_that_cannot_be_written_stops_the_crawl_and_no_source_has_failed(
    tmp_path: Path,
) -> None:
    with RegulationSite(count=2) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        watched.staged.mkdir()
        blocked = watched.staged / "127.0.0.1"
        blocked.write_text("a file where a folder should be")
        done = await watched.crawl(force="false", scheduled="true")
        assert done.stats["finish_reason"] == "output_failed"
        assert summaries(done) == {}
        with Database(watched.database_url).read() as connection:
            state = load_states(connection)["reg-x"]
        assert (state.consecutive_failures, state.owner, state.last_started) == (0, None, None)
        blocked.unlink()
        done = await watched.crawl(force="false", scheduled="true")
        assert summaries(done)["reg-x"]["new"] == 3


@deferred_f_from_coro_f
async def test_a_database_that_is_busy_for_some_seconds_is_waited_for(tmp_path: Path) -> None:
    with RegulationSite(count=2) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        site.put("/1024/1/", section(1, days=9))
        crawl = asyncio.ensure_future(watched.crawl())
        while not site.documents_asked():  # noqa: ASYNC110 - a server in a thread
            await asyncio.sleep(0.01)
        lock = sqlite3.connect(tmp_path / "db.sqlite", isolation_level=None)
        lock.execute("PRAGMA busy_timeout = 10000")
        lock.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(3)
        lock.execute("COMMIT")
        lock.close()
        done = await crawl
    assert changes(done)["/1024/1/"] == "modified"
    assert done.stats["finish_reason"] == "finished"


@deferred_f_from_coro_f
async def test_a_change_is_staged_though_the_last_envelope_is_gone(tmp_path: Path) -> None:
    with RegulationSite(count=2) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        (path,) = (x["path"] for x in watched.index() if x["url"] == site.url("/1024/1/"))
        (watched.staged / path).unlink()
        with Database(watched.database_url).write() as connection:
            connection.exec_driver_sql("UPDATE source_pages SET rules = 'older/1'")
        site.put("/1024/1/", section(1, days=9))
        found = changes(await watched.crawl())
    assert found == {"/": "unchanged", "/1024/1/": "modified", "/1024/2/": "unchanged"}


@deferred_f_from_coro_f
async def test_links_of_watched_documents_are_inline_whatever_the_setting(tmp_path: Path) -> None:
    link = "<p>The fee is in <a href='/fees'>the list of fees</a>.</p>"
    with RegulationSite(count=1) as site:
        site.put("/1024/1/", section(1, rest=link))
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        for form in ("references", "text"):
            found = changes(await watched.crawl(settings={"WIKICRAWLER_LINKS": form}))
            assert set(found.values()) == {"unchanged"}
        site.put("/1024/1/", section(1, days=9, rest=link))
        await watched.crawl(settings={"WIKICRAWLER_LINKS": "text"})
        last = [e for e in watched.envelopes() if e["source"]["url"].endswith("/1024/1/")][-1]
        assert f"in [the list of fees]({site.url('/fees')})." in last["content"]["body"]
        assert last["integrity"]["change_rules"] == RULES


@deferred_f_from_coro_f
async def test_another_form_of_images_is_no_change_and_is_that_of_the_next_version(
    tmp_path: Path,
) -> None:
    icon = "<p>The fee is 3 <img src='/coin.png' alt='Crowns' width='20'> a day.</p>"
    kept = {"WIKICRAWLER_IMAGES": "markdown"}
    with RegulationSite(count=1) as site:
        site.put("/1024/1/", section(1, rest=icon))
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        assert set(changes(await watched.crawl(settings=kept)).values()) == {"unchanged"}
        site.put("/1024/1/", section(1, days=9, rest=icon))
        found = changes(await watched.crawl(settings=kept))
        url = site.url("/coin.png")
    assert found == {"/": "unchanged", "/1024/1/": "modified"}
    first, *_, last = (e for e in watched.envelopes() if e["source"]["url"].endswith("/1024/1/"))
    assert "The fee is 3 Crowns a day." in first["content"]["body"]
    assert f"The fee is 3 ![Crowns]({url}) a day." in last["content"]["body"]
    assert last["integrity"]["change_rules"].partition("/")[0].endswith("-markdown")
    assert "coin" not in str(last["integrity"]["change"])
