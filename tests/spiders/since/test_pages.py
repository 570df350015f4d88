"""``-a since=`` on pages that are no wiki's, and its argument."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from tests.spiders.since.crawls import changes, crawl, merge, records
from wikicrawler.demo.api import DemoApi
from wikicrawler.demo.server import DemoWiki
from wikicrawler.errors import ConfigError
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        yield server


def page(text: str, *links: str) -> Reply:
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    words = f"{text} has some words of a page that is worth reading."
    return Reply(body=f"<!doctype html><title>T</title><main><p>{words}</p>{anchors}</main>")


@deferred_f_from_coro_f
async def test_pages_that_are_no_wikis_are_fetched_and_compared(
    site: ScriptedServer, tmp_path: Path
) -> None:
    names = ("same", "changed", "gone", "moved", "merged", "failing", "noindex")
    site.on("/", page("Start", *(f"/{name}" for name in names)))
    for name in names:
        site.on(f"/{name}", page(name))
    first, update, full = (tmp_path / f"{name}.jsonl" for name in ("first", "update", "full"))
    await crawl(first, seeds=site.url("/"))
    assert len(records(first)) == 8

    site.on("/changed", page("Another text", "/new"))
    site.on("/new", page("A new page"))
    site.on("/gone", Reply(404))
    site.on("/moved", Reply(301, {"Location": "/elsewhere"})).on("/elsewhere", page("moved"))
    site.on("/merged", Reply(301, {"Location": "/same"}))
    site.on("/failing", Reply(500))
    site.on("/noindex", Reply(body="<meta name=robots content=noindex><p>" + "Some text. " * 50))
    done = await crawl(update, since=str(first))
    assert changes(update) == {
        site.url("/changed"): "modified",
        site.url("/new"): "new",
        site.url("/gone"): "deleted",
        site.url("/elsewhere"): "moved",
        site.url("/merged"): "deleted",
        site.url("/noindex"): "deleted",
    }
    assert done.reasons()[site.url("/failing")] == "http_error"
    assert done.stats["wikicrawler/since/pages/unchanged"] == 2
    moved = next(item for item in done.items if item.change == "moved")
    assert moved.previous_url == site.url("/moved")

    await crawl(full, seeds=site.url("/"))
    mirror = records(merge(tmp_path / "mirror.jsonl", first, update))
    assert mirror.pop(site.url("/failing"))  # is kept, and tried again by the next crawl
    assert mirror == records(full)


@deferred_f_from_coro_f
async def test_a_page_that_redirects_for_now_stays_as_it_was(
    site: ScriptedServer, tmp_path: Path
) -> None:
    names = ("302", "303", "307", "refresh", "gone", "hidden", "twice")
    site.on("/", page("Start", *(f"/{name}" for name in names)))
    for name in names:
        site.on(f"/{name}", page(name))
    first, update = tmp_path / "first.jsonl", tmp_path / "update.jsonl"
    await crawl(first, seeds=site.url("/"))
    for status in (302, 303, 307):
        site.on(f"/{status}", Reply(status, {"Location": "/login"}))
    site.on("/login", page("Who are you?"))
    site.on("/refresh", Reply(body='<meta http-equiv=refresh content="0;url=/login">'))
    site.on("/gone", Reply(302, {"Location": "/nowhere"}))
    site.on("/hidden", Reply(302, {"Location": "/noindex"}))
    site.on("/noindex", Reply(body="<meta name=robots content=noindex><p>" + "Some text. " * 50))
    site.on("/twice", Reply(301, {"Location": "/302"}))
    await crawl(update, since=str(first))
    assert changes(update) == {}
    site.on("/302", Reply(308, {"Location": "/login"}))
    await crawl(update, since=str(first))
    assert changes(update) == {site.url("/login"): "moved", site.url("/twice"): "deleted"}


@deferred_f_from_coro_f
async def test_unchanged_pages_take_no_place_of_max_pages(
    site: ScriptedServer, tmp_path: Path
) -> None:
    names = [f"{number}" for number in range(5)]
    site.on("/", page("Start", *(f"/{name}" for name in names)))
    for name in names:
        site.on(f"/{name}", page(name))
    first, update = tmp_path / "first.jsonl", tmp_path / "update.jsonl"
    await crawl(first, seeds=site.url("/"))
    for name in names[2:]:
        site.on(f"/{name}", page("Another text"))
    done = await crawl(update, since=str(first), max_pages="2")
    assert list(changes(update).values()) == ["modified"] * 2
    assert done.stats["wikicrawler/since/pages/unchanged"] == 3


@deferred_f_from_coro_f
async def test_the_argument_is_checked_before_anything_is_fetched(
    site: ScriptedServer, tmp_path: Path
) -> None:
    feed = tmp_path / "pages.jsonl"
    for content, message in ((None, "does not exist"), ("x\n", ":1: is not JSON")):
        if content is not None:
            feed.write_text(content)
        with pytest.raises(ConfigError, match=message):
            await run(WikiSpider, project_settings(), since=str(feed), seeds=site.url("/"))
    feed.write_text('{"url": "http://127.0.0.1/"}\n')
    with pytest.raises(ConfigError, match="would be overwritten"):
        await crawl(feed, since=str(feed))
    assert site.paths() == []
    with pytest.raises(ConfigError, match="since is empty"):
        await run(WikiSpider, project_settings(), since=" ")


@pytest.mark.parametrize(
    ("uri", "arguments"),
    [
        ("link.jsonl", {}),
        ("symlink.jsonl", {}),
        ("%(name)s-%(part)s.jsonl", {"part": "7"}),
        ("wiki-%(batch_id)d.jsonl", {}),
    ],
)
@pytest.mark.parametrize("of_job", [False, True])
@deferred_f_from_coro_f
async def test_no_feed_that_is_read_is_overwritten(
    tmp_path: Path, uri: str, arguments: dict[str, str], *, of_job: bool
) -> None:
    feed = tmp_path / "wiki-7.jsonl"
    feed.write_text('{"url": "http://127.0.0.1/"}\n')
    (tmp_path / "link.jsonl").hardlink_to(feed)
    (tmp_path / "symlink.jsonl").symlink_to(feed)
    if of_job:
        with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as database, database:
            database.execute("CREATE TABLE feeds (id INTEGER PRIMARY KEY, path TEXT, size INTEGER)")
            database.execute("INSERT INTO feeds VALUES (1, 'wiki-7.jsonl', 5)")

    class Parted(WikiSpider):
        part = arguments.get("part")

    settings = project_settings(
        FEEDS={str(tmp_path / uri): {"format": "jsonlines", "overwrite": True}}
    )
    with pytest.raises(ConfigError, match="would be overwritten"):
        await run(Parted, settings, since=str(tmp_path if of_job else feed))
    assert feed.read_text()


@deferred_f_from_coro_f
async def test_a_crawl_does_not_begin_where_the_job_of_since_is_its_own(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is the JOBDIR of this crawl too"):
        await run(WikiSpider, project_settings(JOBDIR=str(tmp_path)), since=str(tmp_path))


@deferred_f_from_coro_f
async def test_a_used_job_is_refused(site: ScriptedServer, tmp_path: Path) -> None:
    site.on("/", page("Start"))
    feed = tmp_path / "pages.jsonl"
    job = str(tmp_path / "job")
    feeds = {str(feed): {"format": "jsonlines"}}
    await run(WikiSpider, project_settings(FEEDS=feeds, JOBDIR=job), seeds=site.url("/"))
    with pytest.raises(ConfigError, match="job is of another crawl: name another folder"):
        await run(WikiSpider, project_settings(JOBDIR=job), since=str(feed))
    job = str(tmp_path / "job1")
    await run(WikiSpider, project_settings(JOBDIR=job), since=str(feed))
    with pytest.raises(ConfigError, match="job1 has ended: name another folder"):
        await run(WikiSpider, project_settings(JOBDIR=job), since=str(feed))


@deferred_f_from_coro_f
async def test_a_job_is_read_as_its_feed(site: ScriptedServer, tmp_path: Path) -> None:
    feed = tmp_path / "pages.jsonl"
    feeds = {str(feed): {"format": "jsonlines"}}
    job, skipped = tmp_path / "job", tmp_path / "skipped.jsonl"
    settings = project_settings(FEEDS=feeds, JOBDIR=str(job), WIKICRAWLER_SKIPPED_FILE=str(skipped))
    site.on("/", page("Start", "/gone")).on("/gone", Reply(404))
    await run(WikiSpider, settings, seeds=site.url("/"))
    assert "/gone" in skipped.read_text()
    site.on("/", page("Another start"))
    await crawl(tmp_path / "update.jsonl", since=str(job))
    assert changes(tmp_path / "update.jsonl") == {site.url("/"): "modified"}


@deferred_f_from_coro_f
async def test_a_wiki_that_says_what_has_changed_is_asked(tmp_path: Path) -> None:
    first, update = tmp_path / "first.jsonl", tmp_path / "update.jsonl"
    with DemoWiki() as wiki:
        await crawl(first, seeds=f"{wiki.url}/wiki/Main_Page")
        for all_pages in ("false", "true"):
            done = await crawl(update, since=str(first), all_pages=all_pages, follow_links="false")
            assert "modified" not in changes(update).values()
            assert "refreshed" not in changes(update).values()
            assert done.stats["wikicrawler/since/pages/unchanged"] == len(records(first))


@deferred_f_from_coro_f
async def test_a_wiki_that_cannot_say_what_has_changed_has_its_pages_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(self: DemoApi, parameters: Mapping[str, str]) -> dict[str, Any]:
        return whole(self, {name: text for name, text in parameters.items() if name != "prop"})

    whole = DemoApi.answer
    monkeypatch.setattr(DemoApi, "answer", answer)
    first, update = tmp_path / "first.jsonl", tmp_path / "update.jsonl"
    with DemoWiki() as wiki:
        await crawl(first, seeds=f"{wiki.url}/wiki/Main_Page")
        feed = first.read_text("utf-8")
        first.write_text(re.sub(r'("url": "[^"]*/Drone".*"revid": )\d+', r"\g<1>7", feed), "utf-8")
        await crawl(update, since=str(first))
    known = records(first)
    found = changes(update)
    assert found.pop(f"{wiki.url}/wiki/Drone") == "modified"
    assert set(found.values()) == {"refreshed"}
    assert len(found) == len(known) - 1
