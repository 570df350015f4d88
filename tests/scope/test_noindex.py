"""Pages and links that ask robots to leave them alone, in whole crawls."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.scope.test_crawl_scope import Pages
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.console.summary import summary_text
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

NOFOLLOW = "wikicrawler/left_out/nofollow"


def page(name: str, *anchors: str, head: str = "", **headers: str) -> Reply:
    sent = {"Content-Type": "text/html; charset=utf-8"}
    sent |= {key.replace("_", "-"): value for key, value in headers.items()}
    body = (
        f"<!doctype html><html lang=en><head><title>{name}</title>{head}</head><body><main>"
        f"<h1>{name}</h1><p>All that there is to be said about {name}, in one sentence.</p>"
        + "".join(f"<p>{anchor}</p>" for anchor in anchors)
        + "</main></body></html>"
    )
    return Reply(200, sent, body)


def link(path: str, rel: str = "") -> str:
    return f'More about it: <a href="{path}"{f" rel={rel!r}" if rel else ""}>{path}</a>.'


def meta(content: str, name: str = "robots") -> str:
    return f'<meta name="{name}" content="{content}">'


async def crawl(server: ScriptedServer, seeds: str = "/", **settings: Any) -> Outcome:
    settings = {"WIKICRAWLER_DISCOVER_WIKIS": False} | settings
    urls = " ".join(server.url(path) for path in seeds.split())
    return await run(WikiSpider, project_settings(**settings), seeds=urls)


def paths(done: Outcome, server: ScriptedServer) -> set[str]:
    return {item.url.removeprefix(server.url("")) for item in done.items}


ASKING = {
    "robots": {"head": meta("noindex")},
    "in capitals": {"head": '<META CONTENT="NoIndex, Follow" NAME=ROBOTS>'},
    "none": {"head": meta("none")},
    "our name": {"head": meta("noindex", "WikiCrawler")},
    "among others": {"head": meta("max-snippet:50, noindex ,noarchive")},
    "without commas": {"head": meta("noindex nofollow")},
    "two elements": {"head": meta("index") + meta("noindex")},
    "header": {"X_Robots_Tag": "noindex"},
    "header for us": {"X_Robots_Tag": "otherbot: nofollow, wikicrawler: noindex"},
    "header for all": {"X_Robots_Tag": "*: noindex"},
    "header with a date": {"X_Robots_Tag": "unavailable_after: 1 Jan 2090 10:00:00 GMT, noindex"},
    "both": {"head": meta("index,follow"), "X_Robots_Tag": "NOINDEX"},
}
NOT_ASKING = {
    "another robot": {"head": meta("noindex", "googlebot")},
    "header for another": {"X_Robots_Tag": "googlebot: noindex, nofollow"},
    "index": {"head": meta("index, follow, max-image-preview:large")},
    "a word in it": {"head": meta("noindexing")},
    "another meta": {"head": meta("noindex", "keywords-of-robots")},
    "description": {"head": '<meta property="og:description" content="noindex">'},
    "in a comment": {"head": f"<!-- {meta('noindex')} -->"},
    "in noscript": {"head": f"<noscript>{meta('noindex')}</noscript>"},
    "quoted": {"head": ""},
    "snippet": {"X_Robots_Tag": "max-snippet: 0, nosnippet"},
    "empty": {"X_Robots_Tag": ""},
}


@pytest.mark.parametrize("name", ASKING)
@deferred_f_from_coro_f
async def test_a_linked_page_that_asks_not_to_be_indexed_is_skipped(name: str) -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/quiet"), link("/loud")))
        server.on("/quiet", page("Quiet", **ASKING[name]))
        server.on("/loud", page("Loud"))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/loud"}
        assert done.reasons() == {server.url("/quiet"): "noindex"}
    assert done.stats["wikicrawler/skipped/noindex"] == 1


@pytest.mark.parametrize("name", NOT_ASKING)
@deferred_f_from_coro_f
async def test_a_page_that_asks_it_of_others_is_written(name: str) -> None:
    quoted = ("The tag <code>&lt;meta name=robots content=noindex&gt;</code> hides a page.",)
    quoted += ('<textarea><meta name="robots" content="noindex"></textarea>',)
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/page")))
        server.on("/page", page("Page", *quoted * (name == "quoted"), **NOT_ASKING[name]))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/page"}
    assert done.reasons() == {}
    assert "noindex" not in summary_text(done.stats, 1)


@deferred_f_from_coro_f
async def test_links_of_a_page_that_is_not_indexed_are_followed_unless_it_forbids_that() -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/list"), link("/closed")))
        server.on("/list", page("List", link("/a"), head=meta("noindex,follow")))
        server.on("/closed", page("Closed", link("/b"), link("/a"), head=meta("none")))
        server.on("/a", page("A")).on("/b", page("B"))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/a"}
    assert done.stats[NOFOLLOW] >= 1


@deferred_f_from_coro_f
async def test_nofollow_of_a_page_keeps_the_page_and_closes_its_links() -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/meta"), link("/header")))
        server.on("/meta", page("Meta", link("/a"), head=meta("index,nofollow")))
        server.on("/header", page("Header", link("/b"), X_Robots_Tag="nofollow"))
        server.on("/a", page("A")).on("/b", page("B"))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/meta", "/header"}
        assert {item.url: item.links for item in done.items}[server.url("/meta")] == [
            server.url("/a")
        ]
    assert done.stats[NOFOLLOW] == 2


@pytest.mark.parametrize(
    "rel", ["nofollow", "NoFollow noopener", "external  nofollow", "ugc nofollow"]
)
@deferred_f_from_coro_f
async def test_a_marked_link_is_not_followed_and_counted_once(rel: str) -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/edit", rel), link("/a")))
        server.on("/a", page("A", link("/edit", rel), link("/")))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/a"}
        assert [one.path for one in server.exchanges] == ["/robots.txt", "/", "/a"]
    assert done.stats[NOFOLLOW] == 1


@deferred_f_from_coro_f
async def test_one_plain_link_is_enough_on_the_same_page_or_another() -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/a", "nofollow"), link("/a"), link("/b", "nofollow")))
        server.on("/a", page("A", link("/b#part")))
        server.on("/b", page("B", link("/c", "noopener nofollowing")))
        server.on("/c", page("C"))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/a", "/b", "/c"}


@deferred_f_from_coro_f
async def test_a_seed_is_exempt_and_the_log_says_at_once_that_it_asks(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    head = meta("noindex,nofollow")
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/a"), head=head))
        server.on("/a", page("A", head=head)).on("/b", page("B", head=head))
        done = await crawl(server, "/ /b")
        assert paths(done, server) == {"/", "/b"}
        assert done.reasons() == {server.url("/a"): "noindex"}
    told = [one for one in caplog.messages if "asks robots not to index its pages" in one]
    assert len(told) == 1
    assert "obey_noindex: false" in told[0]
    assert "WIKICRAWLER_OBEY_NOINDEX=False" in told[0]
    assert "WIKICRAWLER_OBEY_NOINDEX=False" in summary_text(done.stats, 1)


@deferred_f_from_coro_f
async def test_a_site_whose_linked_pages_all_ask_is_named_before_the_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    with ScriptedServer() as server:
        names = [f"/part/{word}" for word in ("one", "two", "three", "four", "five", "six")]
        server.on("/", page("Home", *map(link, names)))
        for name in names:
            server.on(name, page(name, head=meta("noindex")))
        done = await crawl(server)
        assert paths(done, server) == {"/"}
    warned = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    assert sum("All linked pages of" in one for one in warned) == 1


@pytest.mark.parametrize("how", ["setting", "domain", "domain over setting"])
@deferred_f_from_coro_f
async def test_it_is_ignored_where_the_operator_says_so(how: str, tmp_path: Path) -> None:
    config = tmp_path / "sources.yml"
    word = "false" if how != "domain over setting" else "true"
    config.write_text(f"domains: {{127.0.0.1: {{obey_noindex: {word}}}}}")
    settings: dict[str, Any] = {}
    if how != "setting":
        settings["WIKICRAWLER_CONFIG"] = str(config)
    if how != "domain":
        settings["WIKICRAWLER_OBEY_NOINDEX"] = False
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/a", "nofollow"), head=meta("none")))
        server.on("/a", page("A", link("/b"), head=meta("none"), X_Robots_Tag="none"))
        server.on("/b", page("B"))
        done = await crawl(server, **settings)
        everything = how != "domain over setting"
        assert paths(done, server) == ({"/", "/a", "/b"} if everything else {"/"})


@deferred_f_from_coro_f
async def test_the_skip_is_in_the_file_and_frees_its_place(tmp_path: Path) -> None:
    skipped = tmp_path / "skipped.jsonl"
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/q"), link("/a"), link("/b")))
        server.on("/q", page("Q", X_Robots_Tag="noindex"))
        server.on("/a", page("A")).on("/b", page("B"))
        done = await run(
            WikiSpider,
            project_settings(
                WIKICRAWLER_SKIPPED_FILE=str(skipped), WIKICRAWLER_DISCOVER_WIKIS=False
            ),
            seeds=server.url("/"),
            max_pages="3",
        )
        assert paths(done, server) == {"/", "/a", "/b"}
    (line,) = map(json.loads, skipped.read_text().splitlines())
    assert (line["reason"], line["detail"]) == ("noindex", "X-Robots-Tag: noindex")


@deferred_f_from_coro_f
async def test_a_spider_of_another_project_obeys_by_its_scope() -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/q"), link("/a"), link("/c", "nofollow")))
        server.on("/q", page("Q", head=meta("noindex"))).on("/a", page("A"))
        server.on("/c", page("C"))
        done = await run(Pages, project_settings(), seeds=server.url("/"))
        assert {item["url"] for item in done.items} == {server.url("/"), server.url("/a")}
    assert done.reasons() == {server.url("/q"): "noindex"}


@deferred_f_from_coro_f
async def test_the_header_of_an_api_says_nothing_of_its_pages() -> None:
    """The demonstration wiki's pages come by its API; its header would be about api.php."""
    from wikicrawler.demo.server import DemoWiki

    with DemoWiki() as wiki:
        done = await run(WikiSpider, project_settings(), seeds=wiki.url + "/wiki/Main_Page")
    assert len(done.items) > 10
    assert "wikicrawler/skipped/noindex" not in done.stats
