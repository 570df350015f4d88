"""The pace of a site, its robots.txt and its pauses hold over all calls of a session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.fields.scraper.scraping import page
from tests.mcp_server.serving import run, session
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

TEN = [f"/{number}" for number in range(10)]


def test_ten_calls_at_once_are_spaced_as_the_pages_of_one_crawl(
    tmp_path: Path, site: ScriptedServer
) -> None:
    for path in TEN:
        site.on(path, page(f"Page {path}"))

    async def work() -> None:
        async with session(tmp_path, DOMAIN_THROTTLE_REQUESTS_PER_MINUTE="240") as found:
            async with asyncio.TaskGroup() as calls:
                for path in TEN:
                    calls.create_task(found.data("read_page", url=site.url(path)))
            await found.data("crawl_site", seed=site.url("/0"), max_pages=1)
        assert sorted(site.paths()) == sorted(["/robots.txt", *TEN])
        # Never sooner, however busy the machine is: a quarter of a second after each answer.
        assert min(site.gaps()[1:]) >= 0.24

    run(work())


def test_calls_for_the_same_page_at_once_share_a_request(
    tmp_path: Path, site: ScriptedServer
) -> None:
    site.on("/", page("Home"))

    async def work() -> None:
        async with session(tmp_path) as found:
            async with asyncio.TaskGroup() as calls:
                asked = [
                    calls.create_task(found.data("read_page", url=site.url("/"))) for _ in range(10)
                ]
            hashes = {one.result()["content_hash"] for one in asked}
        assert len(hashes) == 1
        assert site.paths() == ["/robots.txt", "/"]

    run(work())


def test_a_pause_that_a_site_asks_for_holds_for_the_next_call(
    tmp_path: Path, site: ScriptedServer
) -> None:
    site.on("/busy", Reply(429, {"Retry-After": "2"}))
    site.on("/next", page("Next"))

    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_RETRY='{"429": []}') as found:
            message = await found.error("read_page", url=site.url("/busy"))
            assert "Reason: busy" in message
            await found.data("read_page", url=site.url("/next"))
        assert site.paths() == ["/robots.txt", "/busy", "/next"]
        assert site.gaps()[1] >= 1.95

    run(work())


def test_the_crawl_delay_of_robots_txt_holds_between_calls(
    tmp_path: Path, site: ScriptedServer
) -> None:
    robots = "User-agent: *\nCrawl-delay: 1\nDisallow:\n"
    site.on("/robots.txt", Reply(headers={"Content-Type": "text/plain"}, body=robots))
    for path in TEN[:3]:
        site.on(path, page(f"Page {path}"))

    async def work() -> None:
        async with session(tmp_path) as found:
            for path in TEN[:3]:
                await found.data("read_page", url=site.url(path))
        assert site.paths() == ["/robots.txt", *TEN[:3]]
        assert min(site.gaps()[1:]) >= 0.95

    run(work())


def test_the_budget_of_a_session_is_kept(tmp_path: Path, site: ScriptedServer) -> None:
    for path in TEN:
        site.on(path, page(f"Page {path}", *TEN))

    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_MCP_SESSION_PAGES="4") as found:
            await found.data("read_page", url=site.url("/0"))
            crawl = await found.data("crawl_site", seed=site.url("/1"), max_pages=9)
            assert crawl["stopped"] == "budget"
            assert crawl["read"] == 4  # three, and the one that was read before
            message = await found.error("read_page", url=site.url("/9"))
            assert "WIKICRAWLER_MCP_SESSION_PAGES" in message
            await found.data("read_page", url=site.url("/0"))  # it is in the cache
        assert len(site.paths()) == 1 + 4

    run(work())
