"""Commands that read feeds know one of chunks from one of pages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.feeds.chunks.test_feed import SIZE, TEXT, crawl, lines, page, url
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.feeds.known_pages import KnownPages
from wikicrawler.feeds.merge import merged
from wikicrawler.items import PageChange
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["url"]  # the fixture


def change(name: str, kind: str, text: str = "", before: str | None = None) -> PageChange:
    return PageChange(name, "A", text, change=kind, previous_url=before)


@deferred_f_from_coro_f
async def test_feeds_of_chunks_are_merged_by_their_pages(tmp_path: Path, url: str) -> None:
    pages = [page(TEXT, f"https://x.org/{name}") for name in "abcd"]
    await crawl(tmp_path / "old", url, pages)
    changes = [
        change("https://x.org/a", "modified", "Short."),
        change("https://x.org/b", "deleted"),
        change("https://x.org/e", "moved", TEXT, "https://x.org/c"),
    ]
    await crawl(tmp_path / "new", url, changes)
    both = [tmp_path / one / "chunks.jsonl" for one in ("old", "new")]
    found = [json.loads(line) for line in merged(both)]
    old, new = map(lines, both)
    for one in new:
        del one["change"], one["previous_url"]
    assert found == [one for one in old if one["url"].endswith("/d")] + [
        one for one in new if not one["url"].endswith("/b")
    ]


@deferred_f_from_coro_f
async def test_feeds_of_both_kinds_are_not_merged(tmp_path: Path, url: str) -> None:
    await crawl(tmp_path, url, [page()])
    feeds = [tmp_path / "pages.jsonl", tmp_path / "chunks.jsonl"]
    with pytest.raises(ConfigError, match=r"chunks.jsonl:1: is a chunk, and the lines before are"):
        list(merged(feeds))
    with pytest.raises(ConfigError, match=r"pages.jsonl:1: is a page, and the lines before are"):
        list(merged(feeds[::-1]))


@pytest.mark.parametrize(("first", "last", "number"), [(0, 2, 2), (1, 9, 1), (3, 9, 1)])
@deferred_f_from_coro_f
async def test_torn_chunks_are_not_merged(
    tmp_path: Path, url: str, first: int, last: int, number: int
) -> None:
    await crawl(tmp_path, url, [page()])
    path = tmp_path / "chunks.jsonl"
    kept = path.read_bytes().splitlines(keepends=True)[first:last]
    path.write_bytes(b"".join(kept))
    message = rf"chunks.jsonl:{number}: the chunks of this page are not all there"
    with pytest.raises(ConfigError, match=message):
        list(merged([path]))


@deferred_f_from_coro_f
async def test_the_pages_of_an_earlier_crawl_are_not_read_from_its_chunks(
    tmp_path: Path, url: str
) -> None:
    job: dict[str, Any] = {"JOBDIR": str(tmp_path / "job")}
    await crawl(tmp_path, url, [page(), page("B.", "https://x.org/b")], **job)
    known = KnownPages.read(tmp_path / "job")
    assert set(known) == {"https://x.org/a", "https://x.org/b"}
    assert all(one.digest for one in known.values())
    assert known.has_same(page())
    with pytest.raises(ConfigError, match=r"chunks.jsonl:1: is a chunk of a page \(name a feed"):
        KnownPages.read(tmp_path / "chunks.jsonl")


def words(text: str, *links: str) -> Reply:
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    body = "".join(f"<p>{text} has words of paragraph {n}, worth reading.</p>" for n in range(20))
    return Reply(body=f"<!doctype html><title>T</title><main>{body}{anchors}</main>")


@deferred_f_from_coro_f
async def test_chunks_that_are_kept_up_to_date_are_those_of_a_full_crawl(tmp_path: Path) -> None:
    async def crawled(folder: str, **arguments: str) -> Path:
        feeds = {
            str(tmp_path / folder / "pages.jsonl"): {"format": "jsonlines"},
            str(tmp_path / folder / "chunks.jsonl"): {"format": "chunks"},
        }
        await run(WikiSpider, project_settings(FEEDS=feeds, **SIZE), **arguments)
        return tmp_path / folder / "chunks.jsonl"

    with ScriptedServer() as site:
        names = ("same", "changed", "gone", "moved")
        site.on("/robots.txt", Reply(404)).on("/", words("Start", *(f"/{one}" for one in names)))
        for one in names:
            site.on(f"/{one}", words(one))
        old = await crawled("old", seeds=site.url("/"))
        site.on("/changed", words("Another text", "/new")).on("/new", words("A new page"))
        site.on("/gone", Reply(404))
        site.on("/moved", Reply(301, {"Location": "/elsewhere"})).on("/elsewhere", words("moved"))
        new = await crawled("new", since=str(tmp_path / "old" / "pages.jsonl"))
        full = await crawled("full", seeds=site.url("/"))
        kinds = {one["url"]: one["change"] for one in lines(new)}
        assert kinds == {
            site.url("/changed"): "modified",
            site.url("/new"): "new",
            site.url("/gone"): "deleted",
            site.url("/elsewhere"): "moved",
        }
    found = [json.loads(line) for line in merged([old, new])]
    for one in (*found, *(expected := lines(full))):
        del one["fetched_at"]
    assert sorted(found, key=lambda one: one["id"]) == sorted(expected, key=lambda one: one["id"])
    assert len(found) > 20
