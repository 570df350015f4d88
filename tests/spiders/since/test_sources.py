"""Watched sources whose documents are pages of a wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.mediawiki import RealMediaWiki
from tests.servers.wiki_editor import WikiEditor
from tests.sources.watching import Watch, changes, source, summaries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.mediawiki
PAGES = 60


@pytest.fixture
def wiki(mediawiki_server: RealMediaWiki, tmp_path: Path) -> Iterator[RealMediaWiki]:
    with RealMediaWiki(tmp_path / "wiki") as server:
        yield server


@deferred_f_from_coro_f
async def test_a_wiki_is_asked_about_fifty_documents_at_once(
    wiki: RealMediaWiki, tmp_path: Path
) -> None:
    editor = WikiEditor(wiki, tmp_path / "wiki")
    editor.edit("Template:Tide", "The tide is low.")
    for number in range(PAGES):
        tide = "{{Tide}}" if number == 7 else ""
        editor.edit(f"Shell {number}", f"Shell number {number} lies on the beach. {tide}")
    editor.edit(
        "Shells", "Shells of the coast. " + "".join(f"[[Shell {n}]] " for n in range(PAGES))
    )
    editor.run_jobs()
    editor.age()
    watched = Watch(
        tmp_path,
        source(wiki.article_url("Shells"), scrape_config={"include_patterns": ["/wiki/Shell*"]}),
    )
    await watched.crawl()
    assert len(watched.index()) == PAGES + 1

    wiki.clear_log()
    done = await watched.crawl()
    assert set(changes(done).values()) == {"unchanged"}
    assert len(changes(done)) == PAGES + 1
    assert len(wiki.access_log()) <= 10
    assert len(watched.index()) == PAGES + 1

    editor.append("Shell 3", "It has changed.")
    editor.delete("Shell 4")
    editor.move("Shell 5", "Shell 5 (moved)", redirect=False)
    editor.edit("Template:Tide", "The tide is high.")
    editor.run_jobs()
    wiki.clear_log()
    done = await watched.crawl()
    found = {path: change for path, change in changes(done).items() if change != "unchanged"}
    assert found == {
        "/wiki/Shells": "modified",  # two of its links lead nowhere now
        "/wiki/Shell_3": "modified",
        "/wiki/Shell_4": "deleted",
        "/wiki/Shell_5": "deleted",
        "/wiki/Shell_5_(moved)": "new",  # no page links to it: the wiki lists its articles
        "/wiki/Shell_7": "modified",
    }
    assert summaries(done)["reg-x"]["unchanged"] == PAGES - 4
    assert sum("action=parse" in entry.query for entry in wiki.access_log()) <= 6
