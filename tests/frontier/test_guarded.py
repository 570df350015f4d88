"""A frontier that is not open any more, as the parts of a crawl see it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.frontier.contract import (
    IMPLEMENTATIONS,
    Downloader,
    Implementation,
    implementation,
    pop,
    push,
)
from tests.frontier.test_contract import CALLS
from wikicrawler.frontier.guarded import GuardedFrontier
from wikicrawler.frontier.protocol import Delayed, Frontier

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What each call returns where nothing that is asked for happens.
INERT: dict[str, Any] = {
    "push": True,
    "tried": True,
    "done": False,
    "waiting": 0,
    "has_pending": False,
    "counts": Counter(),
    "delayed": Delayed(0, 0.0),
    "noted": set(),
    "has_noted": False,
    "add_feed": 0,
    "add_record": False,
}


@pytest.fixture(params=IMPLEMENTATIONS)
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Implementation]:
    yield from implementation(request, tmp_path)


@pytest.mark.parametrize("name", CALLS)
@deferred_f_from_coro_f
async def test_nothing_that_is_asked_of_it_happens(state: Implementation, name: str) -> None:
    frontier: Frontier = GuardedFrontier(state.worker(), get_crawler())
    assert CALLS[name](frontier) == INERT.get(name)
    await frontier.open(Downloader())
    frontier.give_up()
    assert not frontier.is_open
    assert CALLS[name](frontier) == INERT.get(name)
    await frontier.prefetch()
    await frontier.renew()
    await frontier.close()
    assert CALLS[name](frontier) == INERT.get(name)


@deferred_f_from_coro_f
async def test_while_it_is_open_it_is_the_frontier(state: Implementation) -> None:
    worker = state.worker()
    frontier: Frontier = GuardedFrontier(worker, get_crawler())
    await frontier.open(Downloader())
    assert (frontier.name, frontier.resumed) == (worker.name, worker.resumed)
    assert frontier.lease_seconds == worker.lease_seconds
    push(frontier, "a.org", "a", "b")
    assert frontier.push("b.org", 0, bytes, fingerprint=b"1")
    assert not frontier.push("a.org", 0, bytes, fingerprint=b"1")
    push(frontier, "a.org", "late", wait=9)
    assert frontier.delayed() == worker.delayed() == Delayed(1, 9)
    found = await pop(frontier)
    assert found is not None
    frontier.note("name", b"value", after=found[0])
    assert frontier.done(found[0])
    assert frontier.noted("name") == {b"value"}
    assert frontier.counts("page") == {"a.org": 2}
    assert frontier.next_due_in() == 0
    frontier.hold("a.org", 5)
    frontier.set_pace("a.org", 5)
    assert frontier.has_pending()
    assert frontier.waiting() == worker.waiting() == 3
    feed = frontier.add_feed("feed", 3)
    frontier.resize_feed(feed, 4)
    assert frontier.feed("feed") == (feed, 4)
    assert frontier.add_record(feed, b"key")
    frontier.remove_record(feed, b"key")
    assert frontier.add_record(feed, b"key")
    await frontier.renew()
    frontier.commit()
    await frontier.close()
