"""A wiki that changes between two crawls: the changes, applied to the feed of the first, are what a
crawl of the whole wiki brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.mediawiki import RealMediaWiki
from tests.servers.wiki_editor import WikiEditor
from tests.spiders.since.crawls import changes, crawl, merge, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scrapy.http import Response

    from tests.servers.mediawiki_log import LogEntry

pytestmark = pytest.mark.mediawiki


@pytest.fixture
def wiki(mediawiki_server: RealMediaWiki, tmp_path: Path) -> Iterator[RealMediaWiki]:
    """A wiki of the test's own, for it is changed."""
    with RealMediaWiki(tmp_path / "wiki") as server:
        yield server


@pytest.fixture
def editor(wiki: RealMediaWiki, tmp_path: Path) -> WikiEditor:
    editor = WikiEditor(wiki, tmp_path / "wiki")
    editor.edit("Template:Tide", "The tide is low.")
    for number in range(60):
        uses = "{{Tide}}" if number % 20 == 0 else ""
        editor.edit(f"Shell {number}", f"Shell number {number} lies on the beach. {uses}")
    editor.edit("Wave", "A wave, which [[Shell 1]] rides on and [[Foam|many others]] see.")
    editor.run_jobs()
    editor.age()
    return editor


def parsed(log: list[LogEntry]) -> int:
    return sum("action=parse" in entry.query for entry in log)


def change_everything(edit: WikiEditor) -> None:
    edit.append("Shell 1", "It has changed.")
    edit.edit("New shell", "A shell that was not there before.")
    edit.edit("Foam", "Foam, to which a link led where no page was.")
    edit.delete("Shell 2")
    edit.move("Shell 3", "Moved shell")
    edit.move("Shell 4", "Quietly moved shell", redirect=False)
    edit.delete("Shell 5")
    edit.move("Shell 6", "Shell 5")  # onto the title of a deleted page
    edit.edit("Shell 7", "#REDIRECT [[Shell 8]]")  # a page becomes a redirect to a known page
    edit.edit("Shell 9", "#REDIRECT [[Shell 9 (new)]]")
    edit.edit("Shell 9 (new)", "The text of shell nine.")
    edit.delete("Shell 10")
    edit.undelete("Shell 10")
    edit.delete("Shell 11")
    edit.edit("Shell 11", "Another page with the title of a deleted one.")
    edit.move("Shell 12", "Shell 12 (old)", redirect=False)
    edit.edit("Shell 12", "A new page where another has moved away.")
    edit.move("Shell 13", "Swap", redirect=False)  # two pages change places
    edit.move("Shell 14", "Shell 13", redirect=False)
    edit.move("Swap", "Shell 14", redirect=False)
    edit.move("Shell 15", "User:Keeper/Shell 15", redirect=False)  # out of the scope
    edit.edit("Shell 16", "#REDIRECT [[Nowhere at all]]")
    edit.edit("Shell 17", "")
    edit.edit("Template:Tide", "The tide is high.")
    edit.run_jobs()


@deferred_f_from_coro_f
async def test_with_all_pages_the_mirror_is_what_a_full_crawl_brings(
    wiki: RealMediaWiki, editor: WikiEditor, tmp_path: Path
) -> None:
    seeds = wiki.article_url("Main Page")
    first = tmp_path / "first.jsonl"
    await crawl(first, seeds=seeds, all_pages="true")

    # A redirect that becomes a page is new, for it had no record.
    editor.edit("Redirect that was", "#REDIRECT [[Shell 20]]")
    change_everything(editor)
    editor.edit("Redirect that was", "A page of its own now.")
    wiki.clear_log()
    update = tmp_path / "update.jsonl"
    done = await crawl(update, since=str(first), all_pages="true")
    asked = wiki.access_log()

    full = tmp_path / "full.jsonl"
    await crawl(full, seeds=seeds, all_pages="true")
    mirror = merge(tmp_path / "mirror.jsonl", first, update)
    assert records(mirror) == records(full)

    url = wiki.article_url
    found = changes(update)
    expected = {
        **dict.fromkeys(map(url, ("New shell", "Foam", "Redirect that was")), "new"),
        **dict.fromkeys(map(url, ("Moved shell", "Quietly moved shell")), "moved"),
        **dict.fromkeys(map(url, ("Shell 2", "Shell 6", "Shell 7", "Shell 15")), "deleted"),
        **dict.fromkeys(map(url, ("Shell 1", "Shell 5", "Shell 11", "Shell 12")), "modified"),
        **dict.fromkeys(map(url, ("Shell 13", "Shell 14", "Shell 0", "Shell 20")), "modified"),
        url("Shell 9 (new)"): "moved",
        url("Shell 12 (old)"): "new",
        url("Shell 16"): "deleted",
        url("Shell 17"): "deleted",
    }
    assert {u: change for u, change in found.items() if u in expected} == expected
    others = {change for u, change in found.items() if u not in expected}
    assert others <= {"refreshed", "modified"}
    assert done.stats["wikicrawler/since/pages/unchanged"] > 100
    assert parsed(asked) < 40
    assert set(done.reasons().values()) == {"empty"}


@deferred_f_from_coro_f
async def test_without_a_list_known_pages_are_followed_wherever_they_have_moved(
    wiki: RealMediaWiki, editor: WikiEditor, tmp_path: Path
) -> None:
    first = tmp_path / "first.jsonl"
    await crawl(first, seeds=wiki.article_url("Main Page"), all_pages="true")
    change_everything(editor)
    update = tmp_path / "update.jsonl"
    await crawl(update, since=str(first), follow_links="false")
    full = tmp_path / "full.jsonl"
    await crawl(full, seeds=wiki.article_url("Main Page"), all_pages="true")

    mirror = records(merge(tmp_path / "mirror.jsonl", first, update))
    expected = records(full)
    unlisted = {wiki.article_url("New shell"), wiki.article_url("Foam")}
    assert {url: expected[url] for url in expected if url not in unlisted} == mirror


@deferred_f_from_coro_f
async def test_a_wiki_that_has_not_changed_is_asked_a_few_questions(
    wiki: RealMediaWiki, editor: WikiEditor, tmp_path: Path
) -> None:
    first, update = tmp_path / "first.jsonl", tmp_path / "update.jsonl"
    await crawl(first, seeds=wiki.article_url("Main Page"), all_pages="true")
    empty = 3  # pages, which have no record, so they are tried again
    for arguments, pages in (({"all_pages": "true"}, empty), ({}, 0)):
        wiki.clear_log()
        done = await crawl(update, since=str(first), **arguments)
        assert done.items == []
        assert done.stats["wikicrawler/since/pages/unchanged"] == len(records(first))
        log = wiki.access_log()
        assert parsed(log) == pages
        assert len(log) - 2 * pages <= 10  # robots.txt, a page, the API's address, siteinfo, checks


@deferred_f_from_coro_f
async def test_links_of_changed_pages_lead_to_new_ones(
    wiki: RealMediaWiki, editor: WikiEditor, tmp_path: Path
) -> None:
    first, update = tmp_path / "first.jsonl", tmp_path / "update.jsonl"
    editor.append("Main Page", "[[Wave]]")
    await crawl(first, seeds=wiki.article_url("Main Page"))
    assert wiki.article_url("Wave") in records(first)
    editor.age()
    editor.edit("Foam of foam", "Found by a link of a new page.")
    editor.edit("Foam", "A page to which a link led before: [[Foam of foam]].")
    editor.run_jobs()  # touches the page with the link
    await crawl(update, since=str(first))
    found = changes(update)
    assert found[wiki.article_url("Foam")] == "new"
    assert found[wiki.article_url("Foam of foam")] == "new"
    full = tmp_path / "full.jsonl"
    await crawl(full, seeds=wiki.article_url("Main Page"))
    assert records(merge(tmp_path / "mirror.jsonl", first, update)) == records(full)


@deferred_f_from_coro_f
async def test_what_changes_while_the_wiki_is_asked_is_found_by_the_next_crawl(
    wiki: RealMediaWiki, editor: WikiEditor, tmp_path: Path
) -> None:
    first, mirror = tmp_path / "first.jsonl", tmp_path / "mirror.jsonl"
    await crawl(first, seeds=wiki.article_url("Main Page"), all_pages="true")
    answered = []

    def change(response: Response, **_: object) -> None:
        if "generator=allpages" in response.url and not answered:
            answered.append(response.url)
            change_everything(editor)

    updates = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    await crawl(updates[0], since=str(first), all_pages="true", on_response=change)
    assert answered
    merge(mirror, first, updates[0])
    await crawl(updates[1], since=str(mirror), all_pages="true")
    full = tmp_path / "full.jsonl"
    await crawl(full, seeds=wiki.article_url("Main Page"), all_pages="true")
    assert records(merge(tmp_path / "last.jsonl", mirror, updates[1])) == records(full)
