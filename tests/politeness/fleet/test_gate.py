"""Requests whose turns have lapsed, because the worker stood still or could not reach Redis."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.faults import FaultyProxy
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.fleet.turns import RedisTurns
from wikicrawler.politeness.gate import Gate
from wikicrawler.politeness.turns import Asked, Note

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Sequence

    from scrapy import Request

    from tests.servers.redis import RealRedis
    from wikicrawler.politeness.turns import Given

HOST = "127.0.0.1"
LEASE = 0.5
SETTINGS = {"DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 600, "ROBOTSTXT_OBEY": False}


class Gated(Pages):
    """Sends its requests in turns."""

    turns: RedisTurns

    async def start(self) -> AsyncIterator[Request]:
        Gate(self.crawler, self.turns).attach()
        async for request in super().start():
            yield request


def gated(turns: RedisTurns) -> type[Gated]:
    return type("GatedPages", (Gated,), {"turns": turns})


def take(other: RedisTurns) -> None:
    """Return when *other* has a turn."""
    while not other.exchange([Asked(1, HOST, 0.0, 1)], []).numbers:
        time.sleep(0.05)


class Sleepy(RedisTurns):
    """Stands still when it has been given its first turn, for as long as *other* has the next."""

    def __init__(self, url: str, other: RedisTurns) -> None:
        super().__init__(url, longest=60.0, lease=LEASE)
        self.stood_still: tuple[float, float] | None = None
        self._other = other

    def exchange(self, asked: Sequence[Asked], notes: Collection[Note]) -> Given:
        given = super().exchange(asked, notes)
        if given.numbers and self.stood_still is None:
            since = time.monotonic()
            take(self._other)
            self.stood_still = since, time.monotonic()
        return given


@deferred_f_from_coro_f
async def test_a_worker_that_wakes_up_does_not_send_with_a_turn_that_another_one_has(
    redis: RealRedis,
) -> None:
    other = RedisTurns(redis.url, longest=60.0, lease=60.0)
    turns = Sleepy(redis.url, other)
    with ScriptedServer() as server:
        server.on("/a")
        crawl = asyncio.ensure_future(
            run(gated(turns), project_settings(**SETTINGS), requests=[server.url("/a")])
        )
        while turns.stood_still is None:  # noqa: ASYNC110 - a thread sets it
            await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        assert server.exchanges == []
        await asyncio.to_thread(other.end)
        assert len((await crawl).responses) == 1
        assert len(server.exchanges) == 1


@deferred_f_from_coro_f
async def test_a_request_is_cut_off_when_its_turn_lapses_and_is_sent_again(
    redis: RealRedis,
) -> None:
    other = RedisTurns(redis.url, longest=60.0, lease=60.0)
    with ScriptedServer() as server, FaultyProxy(redis.port) as proxy:
        server.on("/a", Reply(delay=10), Reply())
        turns = RedisTurns(f"redis://127.0.0.1:{proxy.port}/0", longest=60.0, lease=LEASE)
        settings = {**SETTINGS, "WIKICRAWLER_RETRY": {"network": [0.1]}}
        crawl = asyncio.ensure_future(
            run(gated(turns), project_settings(**settings), requests=[server.url("/a")])
        )
        while not server.paths():  # noqa: ASYNC110 - a thread serves
            await asyncio.sleep(0.01)
        proxy.is_away = True
        await asyncio.to_thread(take, other)
        await asyncio.to_thread(other.end)
        proxy.is_away = False
        done = await crawl
    assert server.paths() == ["/a", "/a"]
    assert len(done.responses) == 1
