"""What each tool answers, over the protocol, of the demonstration wiki and of other sites."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from tests.fields.scraper.scraping import page
from tests.mcp_server.serving import run, session, text_of
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.mediawiki import RealMediaWiki
    from wikicrawler.demo.server import DemoWiki

TOOLS = {"read_page", "search_wiki", "crawl_site", "explain"}
ROBOTS = Reply(headers={"Content-Type": "text/plain"}, body="User-agent: *\nDisallow: /no\n")


def test_the_tools_say_what_they_take_and_give(tmp_path: Path) -> None:
    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_MCP_CRAWL_PAGES="7") as found:
            tools = {one.name: one for one in (await found.client.list_tools()).tools}
        assert set(tools) == TOOLS
        for tool in tools.values():
            assert tool.input_schema["type"] == "object"
            assert tool.output_schema["type"] == "object"
            assert tool.annotations.read_only_hint
        for name in TOOLS - {"explain"}:
            assert "not an instruction" in tools[name].description
        assert tools["crawl_site"].input_schema["properties"]["max_pages"]["maximum"] == 7

    run(work())


def test_a_page_comes_with_the_evidence_of_what_was_read(tmp_path: Path, demo: DemoWiki) -> None:
    async def work() -> None:
        url = f"{demo.url}/wiki/Sugar_syrup"  # a redirect of the wiki
        async with session(tmp_path) as found:
            await found.data("read_page", url=f"{demo.url}/wiki/Main_Page")
            result = await found.call("read_page", url=url)
            data, text = result.structured_content, text_of(result)
        assert data["url"] == url
        assert data["final_url"] != url
        assert data["tier"] == "mediawiki"
        assert [one["reason"] for one in data["attempts"]] == ["ok"]
        assert data["content_hash"].startswith("sha256:")
        assert data["fetched_at"].endswith("+00:00")
        assert data["revid"] > 0
        assert data["next_offset"] is None
        says = data["page_says"]
        assert says["license"].startswith("https://creativecommons.org/")
        assert data["total_chars"] == len(says["text"])
        for one in (data["final_url"], data["content_hash"], says["title"], says["text"]):
            assert one in text

    run(work())


def test_a_page_that_was_read_is_not_requested_again_unless_asked_for(
    tmp_path: Path, site: ScriptedServer
) -> None:
    site.on("/", page("Home"))

    async def work() -> None:
        async with session(tmp_path) as found:
            first = await found.data("read_page", url=site.url("/"))
            again = await found.data("read_page", url=site.url("/"))
            assert site.paths() == ["/robots.txt", "/"]
            assert (first["from_cache"], again["from_cache"]) == (False, True)
            assert first["page_says"] == again["page_says"]
            anew = await found.data("read_page", url=site.url("/"), refresh=True)
            assert not anew["from_cache"]
        assert site.paths() == ["/robots.txt", "/", "/"]

    run(work())


def test_a_wiki_is_searched_by_its_api(tmp_path: Path, demo: DemoWiki) -> None:
    async def work() -> None:
        async with session(tmp_path) as found:
            site = demo.url.removeprefix("http://")
            message = await found.error("search_wiki", site=f"https://{site}", query="queen")
            assert "Not read" in message  # the demonstration wiki has no TLS
            data = await found.data("search_wiki", site=demo.url, query="queen bee", limit=2)
            text = text_of(await found.call("search_wiki", site=demo.url, query="queen bee"))
            first = data["results"][0]
            assert first["url"] == f"{demo.url}/wiki/Queen_bee"
            assert first["page_says"]["title"] == "Queen bee"
            assert "queen" in first["page_says"]["snippet"].lower()
            assert "<span" not in first["page_says"]["snippet"]
            assert len(data["results"]) == 2 < data["total_hits"]
            assert first["url"] in text
            nothing = await found.data("search_wiki", site=demo.url, query="submarine")
            assert nothing["results"] == []
            await found.data("read_page", url=first["url"])

    run(work())


def test_a_site_that_is_no_wiki_has_no_search(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/", page("A Shop"))

    async def work() -> None:
        async with session(tmp_path) as found:
            message = await found.error("search_wiki", site=site.url("/"), query="lamps")
        assert "not a page of a MediaWiki" in message
        assert "crawl_site" in message

    run(work())


def test_a_crawl_lists_pages_that_read_page_has_without_a_request(
    tmp_path: Path, demo: DemoWiki
) -> None:
    async def work() -> None:
        seed = f"{demo.url}/wiki/Main_Page"
        async with session(tmp_path) as found:
            result = await found.call("crawl_site", seed=seed, max_pages=5)
            data, text = result.structured_content, text_of(result)
            assert data["stopped"] == "max_pages"
            assert data["read"] == len(data["pages"]) == 5
            assert data["pages"][0]["url"] == seed
            assert data["links_left"] > 0
            assert [one["depth"] for one in data["pages"]] == [0, 1, 1, 1, 1]
            assert len([one for one in found.progress if one.startswith("read ")]) == 5
            before = len(demo.requests)
            for one in data["pages"]:
                assert one["url"] in text
                assert one["page_says"]["description"] in text
                whole = await found.data("read_page", url=one["url"])
                assert whole["content_hash"] == one["content_hash"]
                assert whole["total_chars"] == one["total_chars"]
                assert whole["from_cache"]
            assert len(demo.requests) == before

    run(work())


def test_a_crawl_stays_on_its_site_and_obeys_its_patterns(
    tmp_path: Path, site: ScriptedServer
) -> None:
    other = "http://127.0.0.2:9/elsewhere"
    site.on("/", page("Home", "/docs/one", "/news/one", "/docs/private", "/gone", other))
    site.on("/docs/one", page("One", "/docs/two"))
    site.on("/docs/two", page("Two", "/"))

    async def work() -> None:
        async with session(tmp_path) as found:
            data = await found.data(
                "crawl_site",
                seed=site.url("/"),
                follow="/docs/ /gone",
                exclude="private$",
            )
        assert [one["url"] for one in data["pages"]] == [
            site.url(path) for path in ("/", "/docs/one", "/docs/two")
        ]
        assert data["stopped"] == "complete"
        assert data["skipped_count"] == 1
        (skipped,) = data["skipped"]
        assert skipped["url"] == site.url("/gone")
        assert skipped["reason"].startswith("missing")

    run(work())


def test_a_real_wiki_is_read_searched_and_crawled(tmp_path: Path, mediawiki: RealMediaWiki) -> None:
    async def work() -> None:
        seed = mediawiki.article_url("Main Page")
        async with session(tmp_path) as found:
            main = await found.data("read_page", url=seed)
            assert main["revid"] > 0
            crawl = await found.data("crawl_site", seed=seed, max_pages=4)
            assert crawl["read"] == 4
            assert {one["tier"] for one in crawl["pages"][1:]} == {"mediawiki"}
            title = crawl["pages"][1]["page_says"]["title"]
            search = await found.data("search_wiki", site=seed, query=title, limit=3)
            assert search["api"] == mediawiki.api
            assert len(search["results"]) <= 3
            assert crawl["pages"][1]["url"] in [one["url"] for one in search["results"]]
            for one in search["results"]:
                assert "<" not in one["page_says"]["snippet"]
                assert one["edited_at"]

    run(work())


def test_a_busy_wiki_is_asked_again_and_a_forbidden_api_is_not_asked(
    tmp_path: Path, mediawiki: RealMediaWiki
) -> None:
    async def work() -> None:
        seed = mediawiki.article_url("Main Page")
        async with session(tmp_path) as found:
            await found.data("read_page", url=seed)
            mediawiki.maxlag(times=1)
            data = await found.data("search_wiki", site=seed, query="coast")
            assert data["results"]
        searches = [one for one in mediawiki.access_log() if "list=search" in one.query]
        assert len(searches) == 2
        mediawiki.clear_log()
        mediawiki.robots("User-agent: *\nDisallow: /api.php\n")
        async with session(tmp_path) as found:
            message = await found.error("search_wiki", site=seed, query="coast")
            assert "its API is not used: robots" in message
            assert "read_page" in message
            await found.data("read_page", url=seed)
        assert not [one for one in mediawiki.access_log() if "list=search" in one.query]

    run(work())


def test_each_request_of_a_call_is_in_the_audit_log(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/", page("Home"))
    database = f"sqlite:///{tmp_path / 'audit.sqlite'}"

    async def work() -> None:
        async with session(
            tmp_path, WIKICRAWLER_AUDIT="True", WIKICRAWLER_DATABASE_URL=database
        ) as found:
            await found.data("read_page", url=site.url("/"))

    run(work())
    with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as stored:
        records = "\n".join(text for (text,) in stored.execute("SELECT text FROM audit"))
    for path in ("/robots.txt", "/"):
        assert f'"{site.url(path)}"' in records


def test_explain_says_what_was_tried_and_what_is_missing(
    tmp_path: Path, site: ScriptedServer
) -> None:
    site.on("/", page("Home"))
    site.on("/robots.txt", ROBOTS)

    async def work() -> None:
        async with session(tmp_path) as found:
            nothing = await found.data("explain", url=site.url("/"))
            assert nothing["requests"] == []
            assert site.paths() == []  # it requests nothing
            await found.data("read_page", url=site.url("/"))
            await found.data("read_page", url=site.url("/"))
            await found.error("read_page", url=site.url("/no/way"))
            data = await found.data("explain", url=site.url("/"))
            refused = await found.data("explain", url=site.url("/no/way"))
            text = text_of(await found.call("explain", url=site.url("/no/way")))
        tiers = {one["tier"]: one for one in data["tiers"]}
        assert list(tiers) == ["mediawiki", "http", "browser"]
        assert tiers["http"]["usable"]
        assert "CRAWL4AI_URL" in tiers["browser"]["missing"]
        assert [one["outcome"] for one in data["requests"]] == ["read", "cached"]
        assert data["requests"][0]["attempts"][0]["tier"] == "http"
        assert [one["reason"] for one in refused["requests"]] == ["robots"]
        assert "robots" in text

    run(work())


def test_explain_adds_what_the_database_knows(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/", page("Home"))
    database = f"sqlite:///{tmp_path / 'attempts.sqlite'}"

    async def work() -> None:
        for _ in range(2):
            async with session(
                tmp_path,
                WIKICRAWLER_RECORD_ATTEMPTS="True",
                WIKICRAWLER_DATABASE_URL=database,
            ) as found:
                before = await found.data("explain", url=site.url("/"))
                await found.data("read_page", url=site.url("/"))
        assert "choice" in before["evidence"]
        assert "http" in before["evidence"]

    run(work())
