"""A process that stands still, and the sites that it then does not blame."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.frontier.contract import Clock
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.standstills import LEAST, STEP, Standstills

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy import Request


@pytest.fixture
def clock() -> Clock:
    return Clock()


def ticking(clock: Clock) -> Standstills:
    found = Standstills(clock)
    found.tick()
    return found


def test_a_standstill_counts_as_far_as_it_is_within_the_time_asked_for(clock: Clock) -> None:
    found = ticking(clock)
    clock.move(10 + STEP)
    assert found.within(60) == pytest.approx(10)
    assert found.within(4) == pytest.approx(4)
    for _ in range(8):
        clock.move(STEP)
        found.tick()
    assert found.within(7) == pytest.approx(3)
    assert found.within(4) == 0


def test_ordinary_work_is_none(clock: Clock) -> None:
    found = ticking(clock)
    for _ in range(20):
        clock.move(STEP + LEAST)
        found.tick()
    assert found.within(60) == 0


def test_nothing_is_known_before_the_first_tick(clock: Clock) -> None:
    assert Standstills(clock).within(60) == 0


class Sleeping(Pages):
    """Stands still while an answer is on its way."""

    async def start(self) -> AsyncIterator[Request]:
        asyncio.get_running_loop().call_later(1, time.sleep, 5)
        async for request in super().start():
            yield request


@deferred_f_from_coro_f
async def test_a_site_is_not_slow_because_the_crawl_stood_still() -> None:
    settings = project_settings(
        DOMAIN_THROTTLE_MAX_DELAY=60,
        DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=600,
        WIKICRAWLER_TIERS_ENABLED=False,
        ROBOTSTXT_OBEY=False,
    )
    with ScriptedServer() as server:
        server.on("/a", Reply(delay=1.5)).on("/b")
        done = await run(Sleeping, settings, requests=[server.url("/a"), server.url("/b")])
        assert len(done.responses) == 2
        assert max(server.gaps()) < 9  # s: 5 and 1.5 of the answer, not the 5 again
