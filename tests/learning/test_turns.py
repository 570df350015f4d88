"""Pages of a site that is not known yet wait for what the one before them shows."""

from __future__ import annotations

import asyncio

from scrapy.utils.defer import deferred_f_from_coro_f

from wikicrawler.learning.turns import Turns

SITE = "new.example"


@deferred_f_from_coro_f
async def test_one_goes_at_a_time_as_long_as_something_is_to_be_learned() -> None:
    turns, gone = Turns(), []

    async def page(number: int) -> None:
        await turns.wait(SITE)
        turns.begin(SITE)
        gone.append(number)

    pages = [asyncio.ensure_future(page(number)) for number in range(3)]
    for number in range(3):
        await asyncio.sleep(0.01)
        assert gone == [*range(number + 1)]
        turns.end(SITE)
    await asyncio.gather(*pages)


@deferred_f_from_coro_f
async def test_other_sites_go_on() -> None:
    turns = Turns()
    turns.begin(SITE)
    await asyncio.wait_for(turns.wait("other.example"), 1)


@deferred_f_from_coro_f
async def test_a_page_that_was_dropped_on_its_way_holds_up_its_site_for_a_while_only() -> None:
    turns = Turns(longest=0.05)
    turns.begin(SITE)
    await asyncio.wait_for(turns.wait(SITE), 5)
    await asyncio.wait_for(turns.wait(SITE), 0.04)  # and once


@deferred_f_from_coro_f
async def test_a_fetch_that_shows_nothing_ends_its_own_turn_and_no_other() -> None:
    turns = Turns(longest=5)
    turns.begin(SITE)
    turns.end_soon(SITE, 0.05)
    turns.end(SITE)
    turns.begin(SITE)
    await asyncio.sleep(0.1)
    next_page = asyncio.ensure_future(turns.wait(SITE))
    await asyncio.sleep(0.01)
    assert not next_page.done()
    turns.end_soon(SITE, 0.05)
    await asyncio.wait_for(next_page, 1)


def test_what_is_learned_of_a_site_that_nobody_waits_for_is_no_error() -> None:
    Turns().end(SITE)
