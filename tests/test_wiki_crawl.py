"""A crawl of a real MediaWiki: every page once, by the cheapest tier that works."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.mediawiki import RealMediaWiki

#: Pages of the wiki that exist and have no text: they are skipped, and said to be.
EMPTY = {"Empty page", "Only a category", "Only magic words"}


async def crawl(
    wiki: RealMediaWiki, tmp_path: Path, *, settings: dict[str, Any] | None = None, **arguments: Any
) -> Outcome:
    """Crawl *wiki* from its Main Page, configured as the operator would."""
    config = tmp_path / "sources.yml"
    config.write_text(f'mediawiki_sites:\n  "{wiki.host}": {wiki.api}\n')
    arguments.setdefault("seeds", wiki.article_url("Main Page"))
    return await run(
        WikiSpider,
        project_settings(WIKICRAWLER_CONFIG=str(config), **(settings or {})),
        **arguments,
    )


def markdown(outcome: Outcome) -> dict[str, str]:
    return {item.url: item.content for item in outcome.items}


def page_urls(wiki: RealMediaWiki) -> set[str]:
    return {wiki.article_url(title) for title in wiki.expected.pages - EMPTY}


@deferred_f_from_coro_f
async def test_every_content_page_comes_by_the_api_and_costs_one_request(
    mediawiki: RealMediaWiki, tmp_path: Path
) -> None:
    done = await crawl(mediawiki, tmp_path)
    assert {item.url for item in done.items} == page_urls(mediawiki)
    assert len(done.items) == len(page_urls(mediawiki))
    assert {item.tier for item in done.items} == {"mediawiki"}
    log = mediawiki.access_log()
    asked = Counter((e.path, e.params.get("page") or e.params.get("meta")) for e in log)
    assert set(asked.values()) == {1}
    pages = {page for path, page in asked if path == "/api.php" and page != "siteinfo"}
    expected = mediawiki.expected
    assert pages == set(expected.pages) | set(expected.redirects) | expected.dead_ends
    empty = {urlsplit(mediawiki.article_url(title)).path for title in EMPTY & expected.pages}
    assert set(asked) - {("/api.php", page) for page in pages} == {
        ("/robots.txt", None),
        ("/api.php", "siteinfo"),
        *((path, None) for path in empty),  # as HTML they may have a text
    }


@deferred_f_from_coro_f
async def test_every_page_that_was_asked_for_has_a_record_or_a_reason(
    mediawiki: RealMediaWiki, tmp_path: Path
) -> None:
    done = await crawl(mediawiki, tmp_path)
    reasons = done.reasons()
    expected = mediawiki.expected
    for title in EMPTY & expected.pages:
        assert reasons[mediawiki.article_url(title)] == "empty"
    accounted = {item.url for item in done.items} | set(reasons)
    accounted |= {item.redirected_from for item in done.items}
    for title in {*expected.pages, *expected.redirects, *expected.dead_ends}:
        assert mediawiki.article_url(title) in accounted


@pytest.mark.parametrize("off", ["robots", "html", "404", "403", "500", "disabled"])
@deferred_f_from_coro_f
async def test_without_the_api_the_same_pages_come_as_html_with_the_same_markdown(
    mediawiki: RealMediaWiki, tmp_path: Path, off: Any
) -> None:
    by_api = await crawl(mediawiki, tmp_path)
    mediawiki.clear_log()
    if off == "robots":
        mediawiki.robots("User-agent: *\nDisallow: /api.php\n")
    else:
        mediawiki.api_off(off)
    by_http = await crawl(mediawiki, tmp_path)
    assert {item.tier for item in by_http.items} == {"http"}
    wanted, got = markdown(by_api), markdown(by_http)
    assert set(got) == set(wanted)
    assert [url for url in wanted if got[url] != wanted[url]] == []
    api_requests = [e for e in mediawiki.access_log() if e.path == "/api.php"]
    assert len(api_requests) <= (0 if off == "robots" else 3)


@pytest.mark.parametrize("tier", ["mediawiki", "http"])
@pytest.mark.parametrize("images", ["alt", "markdown"])
@deferred_f_from_coro_f
async def test_icons_of_a_table_are_words_and_may_be_kept_as_images(
    mediawiki: RealMediaWiki, tmp_path: Path, images: str, tier: str
) -> None:
    if tier == "http":
        mediawiki.robots("User-agent: *\nDisallow: /api.php\n")
    done = await crawl(
        mediawiki,
        tmp_path,
        settings={"WIKICRAWLER_IMAGES": images, "WIKICRAWLER_CONTENT_WORKERS": 1},
        seeds=mediawiki.article_url("Icon table"),
        max_depth=0,
    )
    (item,) = done.items
    assert item.tier == tier
    gull, ada, grey = map(mediawiki.article_url, ("Gull Rock", "Ada Marsh", "Grey Point"))
    assert set(item.links) == {gull, ada, grey}
    words = [
        ["Light", "Cost", "Crew", "Manned"],
        [f"[Grey Point]({grey})", "3 Oil and 4 Steel", f"[Keeper]({gull}) ×2", "Yes"],
        [f"[Gull Rock]({gull})", "12 Coal", f"[Ada Marsh]({ada})", "No"],
    ]
    if images == "alt":
        assert cells(item.content) == words
        assert item.content.endswith("\n\nThe lamp of the harbour")
        assert "![" not in item.content
        return
    image = re.compile(rf"!\[([^]]*)\]\({re.escape(mediawiki.url)}/[^ ()]+/Lamp\.png[^ ()]*\)")
    assert len(image.findall(item.content)) == item.content.count("![") == 11
    shown = cells(image.sub(r"\1", item.content))
    assert shown[1][1:] == words[1][1:]
    assert shown[2][1:2] + shown[2][3:] == words[2][1:2] + words[2][3:]
    assert image.findall(item.content)[-1] == "A red lamp"


def cells(content: str) -> list[list[str]]:
    """Return the cells of the table in *content*, without the delimiter row."""
    rows = [line for line in content.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows if "---" not in row]


@deferred_f_from_coro_f
async def test_what_only_markup_says_is_the_same_by_either_way(
    mediawiki: RealMediaWiki, tmp_path: Path
) -> None:
    by_api = {item.url: item for item in (await crawl(mediawiki, tmp_path)).items}
    mediawiki.robots("User-agent: *\nDisallow: /api.php\n")
    by_http = {item.url: item for item in (await crawl(mediawiki, tmp_path)).items}
    for url, item in by_api.items():
        other = by_http[url]
        assert (item.title, item.lang, item.revid) == (other.title, other.lang, other.revid)
        assert set(item.categories) == set(other.categories)
        assert item.content_hash == other.content_hash


@deferred_f_from_coro_f
async def test_a_wiki_that_is_not_configured_is_recognised_from_its_first_page(
    mediawiki: RealMediaWiki, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    settings = project_settings()
    seed = mediawiki.article_url("Main Page")
    done = await run(WikiSpider, settings, seeds=seed)
    assert {item.url for item in done.items} == page_urls(mediawiki)
    assert Counter(item.tier for item in done.items)["http"] == 1
    assert f'"{mediawiki.host}": "{mediawiki.api}"' in caplog.text or (
        f'"{mediawiki.host}": {mediawiki.api}' in caplog.text
    )


@deferred_f_from_coro_f
async def test_recognition_can_be_switched_off(mediawiki: RealMediaWiki, tmp_path: Path) -> None:
    settings = project_settings(WIKICRAWLER_DISCOVER_WIKIS=False)
    done = await run(WikiSpider, settings, seeds=mediawiki.article_url("Main Page"), max_pages="3")
    assert {item.tier for item in done.items} == {"http"}
    assert not any(e.path == "/api.php" for e in mediawiki.access_log())


@pytest.mark.parametrize("trouble", ["maxlag", "ratelimited", "readonly", "too_many_requests"])
@deferred_f_from_coro_f
async def test_a_busy_wiki_is_waited_for(
    mediawiki: RealMediaWiki, tmp_path: Path, trouble: str
) -> None:
    settings = {"DOMAIN_THROTTLE_MAX_RETRY_AFTER": 0.3}
    if trouble == "too_many_requests":
        mediawiki.too_many_requests(2, retry_after=1)
    elif trouble == "readonly":
        mediawiki.readonly("maintenance")  # it is still read
    else:
        getattr(mediawiki, trouble)(2)
    done = await crawl(mediawiki, tmp_path, settings=settings, max_pages="4")
    assert [item.tier for item in done.items] == ["mediawiki"] * 4


@deferred_f_from_coro_f
async def test_the_servers_log_shows_the_configured_gap(
    mediawiki: RealMediaWiki, tmp_path: Path
) -> None:
    settings = {"DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 300}
    await crawl(mediawiki, tmp_path, settings=settings, max_pages="6")
    log = mediawiki.access_log()
    gaps = [b.time - (a.time + a.duration) for a, b in pairwise(log)]
    assert len(gaps) >= 6
    assert min(gaps) >= 0.2 - 0.02


@deferred_f_from_coro_f
async def test_all_pages_are_listed_by_the_wiki_itself(
    mediawiki: RealMediaWiki, tmp_path: Path
) -> None:
    done = await crawl(mediawiki, tmp_path, all_pages="true")
    assert {item.url for item in done.items} >= page_urls(mediawiki)
    linked_from_nowhere = {item.url for item in done.items} - page_urls(mediawiki)
    assert mediawiki.article_url("Only from help") in linked_from_nowhere


@deferred_f_from_coro_f
async def test_namespaces_may_be_named(mediawiki: RealMediaWiki, tmp_path: Path) -> None:
    done = await crawl(mediawiki, tmp_path, namespaces="Help", max_depth="1")
    urls = {item.url for item in done.items} - {mediawiki.article_url("Main Page")}
    assert urls
    assert all("/wiki/Help:" in url for url in urls)
