"""Discovery of wikis from their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.demo.server import DemoWiki
from wikicrawler.tiers.mediawiki.directory import MAX_WIKIS_OF_A_HOST

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ARTICLE = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"


@pytest.fixture
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


@deferred_f_from_coro_f
async def test_a_resumed_crawl_knows_the_wikis_that_it_discovered(
    demo: DemoWiki, tmp_path: Path
) -> None:
    job = {"JOBDIR": str(tmp_path)}
    first = await fetch(f"{demo.url}/wiki/Honey", **job)
    assert first.responses[0].meta["tier"] == "http"
    assert first.stats["wikicrawler/wikis_discovered"] == 1
    before = len(demo.requests)
    second = await fetch(f"{demo.url}/wiki/Drone", **job)
    (page,) = second.responses
    assert [a["tier"] for a in page.meta["tier_attempts"]] == ["mediawiki"]
    assert not [path for _, path in demo.requests[before:] if "action=rsd" in path]
    switched_off = await fetch(
        f"{demo.url}/wiki/Queen_bee", **job, WIKICRAWLER_DISCOVER_WIKIS=False
    )
    assert switched_off.responses[0].meta["tier"] == "http"


@deferred_f_from_coro_f
async def test_a_wiki_is_discovered_if_no_page_is_converted(demo: DemoWiki) -> None:
    done = await fetch(
        *(f"{demo.url}/wiki/{title}" for title in ("Honey", "Drone")),
        WIKICRAWLER_MARKDOWN_ENABLED=False,
        CONCURRENT_REQUESTS=1,
    )
    assert [response.meta["tier"] for response in done.responses] == ["http", "mediawiki"]
    assert done.stats["wikicrawler/wikis_discovered"] == 1


@deferred_f_from_coro_f
async def test_the_number_of_wikis_discovered_on_a_host_is_bounded() -> None:
    pages = range(MAX_WIKIS_OF_A_HOST + 20)
    with ScriptedServer() as site:
        for number in pages:
            link = f'<link rel="EditURI" href="/wiki{number}/api.php?action=rsd">'
            generator = '<meta name="generator" content="MediaWiki 1.39">'
            html = f"<html><head>{link}{generator}</head><body>{ARTICLE}</body></html>"
            site.on(f"/{number}", Reply(body=html))
        done = await fetch(*(site.url(f"/{number}") for number in pages))
        assert sum("api.php" in path for path in site.paths()) == MAX_WIKIS_OF_A_HOST
    assert len(done.responses) == len(pages)
