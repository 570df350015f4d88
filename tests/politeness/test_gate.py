"""Requests of a crawl that wait for their turn among the processes with the same database."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.gate import Gate
from wikicrawler.politeness.turns import Asked, Note, Turns
from wikicrawler.store.database import Database
from wikicrawler.store.turns import load_transfers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from scrapy import Request

    from tests.servers.postgres import RealPostgres

HOST = "127.0.0.1"
DELAY = 0.4
PACE = {"DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60 / DELAY, "ROBOTSTXT_OBEY": False}


class Gated(Pages):
    """Sends its requests in turns."""

    database: Database

    async def start(self) -> AsyncIterator[Request]:
        self.gate = Gate.over_database(self.crawler, self.database)
        self.gate.attach()
        async for request in super().start():
            yield request


def gated(database: Database) -> type[Gated]:
    return type("GatedPages", (Gated,), {"database": database})


def other_process(database: Database) -> Turns:
    return Turns(database, "other-host/1/1", at_once=10, longest=60.0)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path / 'db.sqlite'}")


@deferred_f_from_coro_f
async def test_requests_wait_for_the_turn_of_another_process(database: Database) -> None:
    other = other_process(database)
    other.exchange([Asked(1, HOST, 0.0, 1)], [])
    with ScriptedServer() as server:
        server.on("/a")
        crawl = asyncio.ensure_future(
            run(gated(database), project_settings(**PACE), requests=[server.url("/a")])
        )
        await asyncio.sleep(1)
        assert server.exchanges == []
        ended = time.monotonic()
        await asyncio.to_thread(other.exchange, [], [Note(HOST, 1, is_ended=True)])
        done = await crawl
        (page,) = server.exchanges
    assert page.start >= ended + DELAY
    assert len(done.responses) == 1
    with database.read() as connection:
        assert load_transfers(connection) == []


@deferred_f_from_coro_f
async def test_a_retry_after_holds_for_the_next_process(database: Database) -> None:
    with ScriptedServer() as server:
        server.on("/a", Reply(429, {"Retry-After": "2"}, "")).on("/b")
        settings = {**PACE, "WIKICRAWLER_RETRY": {429: []}}
        for path in ("/a", "/b"):
            await run(gated(database), project_settings(**settings), requests=[server.url(path)])
        first, second = server.exchanges
    assert second.start - first.end >= 2


@deferred_f_from_coro_f
async def test_the_delay_holds_when_answers_are_slow(database: Database) -> None:
    with ScriptedServer() as server:
        for path in "abcd":
            server.on(f"/{path}", Reply(delay=1.2))
        settings = project_settings(**PACE, CONCURRENT_REQUESTS_PER_DOMAIN=3)
        await run(gated(database), settings, requests=[server.url(f"/{path}") for path in "abcd"])
        starts = sorted(one.start for one in server.exchanges)
    assert len(starts) == 4
    assert min(b - a for a, b in pairwise(starts)) >= DELAY


@deferred_f_from_coro_f
async def test_no_request_is_sent_while_the_database_is_unavailable(
    postgres: RealPostgres, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(postgres.empty_database())
    with database.write():
        pass
    postgres.stop()
    with ScriptedServer() as server:
        server.on("/a")
        crawl = asyncio.ensure_future(
            run(gated(database), project_settings(**PACE), requests=[server.url("/a")])
        )
        await asyncio.sleep(2)
        assert server.exchanges == []
        await asyncio.to_thread(postgres.start)
        assert len((await crawl).responses) == 1
    assert caplog.text.count("Requests wait for their turns") == 1


class Watched(Pages):
    """Sends its requests in turns, and notes for how long sites are left alone."""

    calls: list[tuple[str, float]]
    turns: Turns

    async def start(self) -> AsyncIterator[Request]:
        Gate(self.crawler, self.turns, lambda *call: self.calls.append(call)).attach()
        async for request in super().start():
            yield request


@deferred_f_from_coro_f
async def test_it_says_for_how_long_a_site_is_left_alone(database: Database) -> None:
    calls: list[tuple[str, float]] = []
    spider = type("WatchedPages", (Watched,), {"calls": calls, "turns": other_process(database)})
    with ScriptedServer() as server:
        server.on("/a", Reply(429, {"Retry-After": "7"}, ""))
        settings = {**PACE, "WIKICRAWLER_RETRY": {429: []}}
        await run(spider, project_settings(**settings), requests=[server.url("/a")])
    assert {site for site, _ in calls} == {HOST}
    (sent, ended) = (seconds for _, seconds in calls)
    assert sent == DELAY
    assert 6 < ended <= 7


class Stopped(Gated):
    """Closes while its request waits for a turn."""

    async def start(self) -> AsyncIterator[Any]:
        async for request in super().start():
            yield request
        await asyncio.sleep(1)
        await self.gate.close()


@deferred_f_from_coro_f
async def test_a_request_that_waits_is_not_sent_when_the_crawl_ends(database: Database) -> None:
    other_process(database).exchange([Asked(1, HOST, 0.0, 1)], [])
    with ScriptedServer() as server:
        spider = type("StoppedPages", (Stopped,), {"database": database})
        done = await run(spider, project_settings(**PACE), requests=[server.url("/a")])
        assert server.exchanges == []
    assert (len(done.responses), len(done.failures)) == (0, 1)
