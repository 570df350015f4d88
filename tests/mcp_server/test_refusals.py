"""Calls that have no answer: the error says why, in plain English, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fields.scraper.scraping import page
from tests.mcp_server.serving import run, session
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

ROBOTS = Reply(headers={"Content-Type": "text/plain"}, body="User-agent: *\nDisallow: /no\n")
WRONG = [
    ("read_page", {}, "url: it is missing"),
    ("read_page", {"url": "ftp://x.example/"}, "only http:// and https://"),
    ("read_page", {"url": "file:///etc/passwd"}, "only http:// and https://"),
    ("read_page", {"url": "https://x.example/", "ofset": 1}, "ofset: there is no such argument"),
    ("read_page", {"url": "https://x.example/", "offset": -1}, "offset: "),
    ("read_page", {"url": "https://x.example/", "max_chars": 10**6}, "WIKICRAWLER_MCP_MAX_CHARS"),
    ("read_page", {"url": "https://x.example/" + "a" * 9000}, "url: "),
    ("read_page", {"url": {"a": 1}}, "url: "),
    ("search_wiki", {"site": "https://x.example/", "query": "  "}, "query: it is empty"),
    ("search_wiki", {"site": "https://x.example/", "query": "ü" * 200}, "query: too long"),
    ("search_wiki", {"site": "https://x.example/", "query": "a", "limit": 999}, "limit: "),
    ("crawl_site", {"seed": "https://x.example/", "max_pages": 51}, "WIKICRAWLER_MCP_CRAWL_PAGES"),
    ("crawl_site", {"seed": "https://x.example/", "follow": "a(b"}, "follow: 'a(b'"),
    (
        "crawl_site",
        {"seed": "https://x.example/", "exclude": "@/etc/passwd"},
        "cannot begin with @",
    ),
    ("delete_page", {"url": "https://x.example/"}, "The tools are: read_page, search_wiki"),
]


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    async def work() -> None:
        async with session(tmp_path) as found:
            for tool, arguments, expected in WRONG:
                message = await found.error(tool, **arguments)
                assert expected in message, (tool, arguments)
                assert "Traceback" not in message
                assert len(message) < 1500
            assert "Traceback" not in found.log

    run(work())


def test_a_password_in_a_url_is_not_repeated(tmp_path: Path) -> None:
    async def work() -> None:
        async with session(tmp_path) as found:
            message = await found.error("read_page", url="ftp://bob:swordfish@x.example/")
            log = found.log
        assert "swordfish" not in message + log

    run(work())


def test_robots_txt_is_obeyed(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/robots.txt", ROBOTS)
    site.on("/no/page", page("Secret"))

    async def work() -> None:
        async with session(tmp_path) as found:
            message = await found.error("read_page", url=site.url("/no/page"))
        assert "Reason: robots" in message
        assert "Do not try again" in message
        assert site.paths() == ["/robots.txt"]

    run(work())


def test_a_private_address_is_refused_unless_the_operator_allows_it(
    tmp_path: Path, site: ScriptedServer
) -> None:
    site.on("/", page("Home"))

    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_PRIVATE_HOSTS="") as found:
            for tool, argument in (
                ("read_page", "url"),
                ("crawl_site", "seed"),
                ("search_wiki", "site"),
            ):
                given = {argument: site.url("/")}
                if tool == "search_wiki":
                    given["query"] = "lamps"
                message = await found.error(tool, **given)
                assert "Reason: private_address (its host has the private address" in message
                assert "WIKICRAWLER_PRIVATE_HOSTS" in message
        assert site.paths() == []

    run(work())


def test_a_redirect_to_a_private_address_is_refused(tmp_path: Path, site: ScriptedServer) -> None:
    with ScriptedServer("127.0.0.2") as inside:
        inside.on("/", page("Inside"))
        site.on("/out", Reply(302, {"Location": inside.url("/")}))

        async def work() -> None:
            async with session(tmp_path, WIKICRAWLER_PRIVATE_HOSTS="127.0.0.1") as found:
                message = await found.error("read_page", url=site.url("/out"))
            assert "Reason: private_address" in message
            assert inside.paths() == []

        run(work())


def test_a_page_that_is_not_there_says_so(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/picture", Reply(headers={"Content-Type": "image/png"}, body=b"\x89PNG\r\n\x1a\n"))

    async def work() -> None:
        async with session(tmp_path) as found:
            missing = await found.error("read_page", url=site.url("/missing"))
            assert "Reason: missing" in missing
            assert "Tried: http: missing HTTP 404" in missing
            picture = await found.error("read_page", url=site.url("/picture"))
            assert "Reason: not_html" in picture

    run(work())


def test_an_offset_behind_the_end_is_refused(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/", page("Home"))

    async def work() -> None:
        async with session(tmp_path) as found:
            message = await found.error("read_page", url=site.url("/"), offset=10**9)
        assert "beyond the end" in message

    run(work())
