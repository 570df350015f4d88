"""What a crawl reads before its first pages holds it up for a bounded time, and stops nothing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from threading import Event, current_thread
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from wikicrawler.errors import StoreError
from wikicrawler.store.database import Database
from wikicrawler.store.startup_reading import StartupReading, aside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from threading import Thread


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path}/db.sqlite")


class Reading:
    """One reading, and what came of it."""

    def __init__(
        self, database: Database, read: Callable[[], object], longest: float = 60.0
    ) -> None:
        self.readers: list[Thread] = []
        self.used: list[object] = []
        self.done = asyncio.Event()

        def noted() -> object:
            self.readers.append(current_thread())
            return read()

        def use(found: object) -> None:
            self.used.append(found)
            self.done.set()

        self.ready = StartupReading(database, "What is there", noted, use, longest).ready


@deferred_f_from_coro_f
async def test_it_is_read_once_in_a_thread_and_used_before_the_pages_go_on(
    database: Database,
) -> None:
    reading = Reading(database, lambda: "found")
    await asyncio.gather(reading.ready(), reading.ready())
    await reading.ready()
    assert reading.used == ["found"]
    (reader,) = reading.readers
    assert reader is not current_thread()


@deferred_f_from_coro_f
async def test_what_takes_too_long_is_used_when_it_comes(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    answer = Event()
    reading = Reading(database, answer.wait, longest=0.01)
    await asyncio.gather(reading.ready(), reading.ready())
    await reading.ready()
    assert reading.used == []
    answer.set()
    await reading.done.wait()
    assert reading.used == [True]
    assert caplog.messages == [
        f"What is there takes long to read from {database}: the first pages go without it"
    ]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (StoreError("db.sqlite: locked"), "What is there is not known: db.sqlite: locked"),
        (TypeError("no number"), "What is there cannot be read from {database}"),
    ],
    ids=["database", "rows"],
)
@deferred_f_from_coro_f
async def test_an_error_is_logged_and_stops_nothing(
    database: Database, caplog: pytest.LogCaptureFixture, error: Exception, told: str
) -> None:
    def read() -> None:
        raise error

    reading = Reading(database, read)
    await reading.ready()
    assert reading.used == []
    assert caplog.messages == [told.format(database=database)]


UNDER_WAY = """
import asyncio, time
from wikicrawler.store.startup_reading import aside

async def stopped():
    reading = asyncio.ensure_future(aside(lambda: time.sleep(600)))
    await asyncio.wait({reading}, timeout=0.1)

asyncio.run(stopped())
"""


def test_a_process_ends_while_it_reads() -> None:
    command = [sys.executable, "-c", UNDER_WAY]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@deferred_f_from_coro_f
async def test_pages_go_on_in_the_order_in_which_they_came(database: Database) -> None:
    """Those that come when the reading has just ended do not overtake those that waited for it."""
    gate, order = Event(), []
    reading = Reading(database, lambda: gate.wait(60))
    late: list[asyncio.Task[None]] = []

    async def page(number: int) -> None:
        await reading.ready()
        order.append(number)
        if len(late) < 20:
            late.append(asyncio.ensure_future(page(100 + len(late))))

    early = [asyncio.ensure_future(page(number)) for number in range(20)]
    await asyncio.sleep(0)
    gate.set()
    await reading.done.wait()
    await page(50)
    await asyncio.gather(*early)
    await asyncio.gather(*late)
    assert order[:20] == list(range(20))
    assert len(order) == 41


@pytest.mark.parametrize("fails", [False, True])
@deferred_f_from_coro_f
async def test_what_is_read_for_a_cancelled_task_is_dropped(
    fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    begun, go_on = Event(), Event()
    threads = []

    def read() -> str:
        threads.append(current_thread())
        begun.set()
        go_on.wait()
        if fails:
            raise StoreError("away")
        return "words"

    reading = asyncio.ensure_future(aside(read))
    await asyncio.to_thread(begun.wait)
    reading.cancel()
    await asyncio.wait([reading])
    go_on.set()
    await asyncio.to_thread(threads[0].join)
    await asyncio.sleep(0)

    assert reading.cancelled()
    assert not caplog.records
