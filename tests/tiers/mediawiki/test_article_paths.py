"""Wikis without a usable API, whose pages are at any path: each page has its record, at a URL that
the wiki serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.servers.wiki_faces import FACES, REDIRECTS, FacedWiki
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from tests.crawling import Outcome


async def crawl(wiki: FacedWiki, seed: str = "Main Page", **settings: Any) -> Outcome:
    path = seed if seed.startswith("/") else wiki.face.of(seed)
    arguments = {"seeds": wiki.url(path), "namespaces": "all"}
    return await run(WikiSpider, project_settings(**settings), **arguments)


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("name", FACES)
@deferred_f_from_coro_f
async def test_all_pages_have_records_at_urls_that_the_wiki_serves(name: str, linked: bool) -> None:
    with FacedWiki(FACES[name], linked=linked) as wiki:
        done = await crawl(wiki)
    assert sorted(item.url for item in done.items) == sorted(wiki.page_urls())
    assert wiki.refused == []
    assert not [path for path in wiki.paths() if "action=" in path and "/api.php" not in path]


@pytest.mark.parametrize("api", ["404", "403", "html", "readapidenied"])
@pytest.mark.parametrize("name", ["query", "path info", "root", "index.php5 in /wiki/"])
@deferred_f_from_coro_f
async def test_how_the_api_fails_does_not_matter(name: str, api: Any) -> None:
    with FacedWiki(FACES[name], api=api) as wiki:
        done = await crawl(wiki)
    assert {item.url for item in done.items} == wiki.page_urls()
    assert wiki.refused == []


@pytest.mark.parametrize("name", [name for name, face in FACES.items() if face.root])
@deferred_f_from_coro_f
async def test_the_main_page_at_the_root_has_its_own_url(name: str) -> None:
    with FacedWiki(FACES[name]) as wiki:
        done = await crawl(wiki, "/")
    assert sorted(item.url for item in done.items) == sorted(wiki.page_urls())
    assert wiki.refused == []


@pytest.mark.parametrize("name", FACES)
@deferred_f_from_coro_f
async def test_a_chain_of_redirects_leads_to_its_end(name: str) -> None:
    with FacedWiki(FACES[name]) as wiki:
        for start in ("Apis", "Bee", "Insect"):
            asked = wiki.url(wiki.face.of(start))
            done = await run(WikiSpider, project_settings(), seeds=asked, follow_links="false")
            (item,) = done.items
            assert (item.url, item.redirected_from) == (wiki.url(wiki.face.of("Honey bee")), asked)


@deferred_f_from_coro_f
async def test_a_loop_of_redirects_ends() -> None:
    with FacedWiki(FACES["query"]) as wiki:
        done = await crawl(wiki, "Loop one")
    assert done.items == []
    assert set(done.reasons().values()) == {"empty"}
    assert len([path for path in wiki.paths() if "Loop" in path]) <= 3


@deferred_f_from_coro_f
async def test_redirects_are_accounted_for() -> None:
    with FacedWiki(FACES["path info"]) as wiki:
        done = await crawl(wiki)
    reasons = done.reasons()
    for title in ("Apis", "Bee", "Insect"):
        assert reasons[wiki.url(wiki.face.of(title))] == "duplicate"
    assert len(reasons) == len(REDIRECTS)
