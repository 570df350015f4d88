"""Pages that hang, calls that are cancelled, and calls that take too long."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from tests.fields.scraper.scraping import page
from tests.mcp_server.scripted_wiki import wiki
from tests.mcp_server.serving import SECONDS, run, session, until
from tests.servers.scripted import Exchange, Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Holding(ScriptedServer):
    """Answers requests for ``/held…``, and searches, when they are released."""

    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()

    def reply_to(self, exchange: Exchange) -> Reply:
        if exchange.path.startswith("/held") or "list=search" in exchange.path:
            self.released.wait(SECONDS)
        return super().reply_to(exchange)


@pytest.fixture
def holding() -> Iterator[Holding]:
    with Holding() as server:
        yield server
        server.released.set()


def test_a_page_that_hangs_ends_its_call_and_no_other(tmp_path: Path, holding: Holding) -> None:
    async def work(other: ScriptedServer) -> None:
        other.on("/", page("Home"))
        async with session(tmp_path, WIKICRAWLER_MCP_PAGE_SECONDS="5") as found:
            hanging = asyncio.create_task(found.error("read_page", url=holding.url("/held")))
            await until(lambda: "/held" in holding.paths())
            await found.data("crawl_site", seed=other.url("/"))  # which has its own limit
            message = await hanging
            assert "was not read within 5 s (WIKICRAWLER_MCP_PAGE_SECONDS)" in message
            explained = await found.data("explain", url=holding.url("/held"))
            assert [one["outcome"] for one in explained["requests"]] == ["cancelled"]

    with ScriptedServer("127.0.0.2") as other:  # another site
        run(work(other))


def test_a_search_that_hangs_ends_its_call_and_no_other(tmp_path: Path, holding: Holding) -> None:
    wiki(holding)

    async def work() -> None:
        async with session(tmp_path, WIKICRAWLER_MCP_PAGE_SECONDS="8") as found:
            url = holding.url("/wiki/Home")
            await found.data("crawl_site", seed=url)  # the wiki is known now
            message = await found.error("search_wiki", site=url, query="lamp")
            assert any("list=search" in path for path in holding.paths())
            assert "was not read within 8 s" in message
            holding.released.set()
            data = await found.data("search_wiki", site=url, query="lamp")
            assert data["results"][0]["url"] == holding.url("/wiki/Lamp")
            assert "Traceback" not in found.log

    run(work())


def test_the_time_out_of_a_download_is_the_reason(tmp_path: Path, holding: Holding) -> None:
    async def work() -> None:
        async with session(tmp_path, DOWNLOAD_TIMEOUT="4") as found:
            message = await found.error("read_page", url=holding.url("/held"))
        assert "Reason: timeout" in message
        assert "Tried: http: timeout" in message

    run(work())


def test_a_crawl_that_takes_too_long_has_what_it_read(tmp_path: Path, holding: Holding) -> None:
    held = [f"/held/{number}" for number in range(8)]
    holding.on("/", page("Home", *held))

    async def work() -> None:
        async with session(
            tmp_path,
            WIKICRAWLER_MCP_CRAWL_SECONDS="4",
            CONCURRENT_REQUESTS_PER_DOMAIN="8",
        ) as found:
            await found.data("read_page", url=holding.url("/"))
            data = await found.data("crawl_site", seed=holding.url("/"))
            explained = await found.data("explain", url=holding.url("/held/0"))
        assert [one["outcome"] for one in explained["requests"]] == ["cancelled"]
        assert data["stopped"] == "time"
        assert [one["url"] for one in data["pages"]] == [holding.url("/")]

    run(work())


def test_a_call_that_is_cancelled_stops_its_crawl(tmp_path: Path, holding: Holding) -> None:
    held = [f"/held/{number}" for number in range(40)]
    holding.on("/", page("Home", *held))
    holding.on("/after", page("After"))
    for path in held:
        holding.on(path, page(f"Page {path}"))

    async def work() -> None:
        async with session(tmp_path) as found:
            crawl = asyncio.create_task(
                found.call("crawl_site", seed=holding.url("/"), max_pages=30)
            )
            await until(lambda: any(path.startswith("/held") for path in holding.paths()))
            crawl.cancel()
            with pytest.raises(asyncio.CancelledError):
                await crawl
            # The client has told the server before it asks for more.
            await found.data("explain", url=holding.url("/"))
            holding.released.set()
            await found.data("read_page", url=holding.url("/after"))
            explained = await found.data("explain", url=holding.url("/held/0"))
            assert [one["outcome"] for one in explained["requests"]] == ["cancelled"]
        asked = [path for path in holding.paths() if path.startswith("/held")]
        assert len(asked) <= 2  # the one under way, and the one that waited for the site's turn

    run(work())


def test_a_cancelled_call_leaves_the_page_to_another_that_waits(
    tmp_path: Path, holding: Holding
) -> None:
    holding.on("/held", page("Held"))

    async def work() -> None:
        async with session(tmp_path) as found:
            url = holding.url("/held")
            first = asyncio.create_task(found.call("read_page", url=url))
            second = asyncio.create_task(found.data("read_page", url=url))
            await until(lambda: "/held" in holding.paths())
            await found.data("explain", url=url)  # both calls have reached the server
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            await found.data("explain", url=url)
            holding.released.set()
            data = await second
            assert data["page_says"]["title"] == "Held"
        assert holding.paths() == ["/robots.txt", "/held"]

    run(work())
