"""What is staged is named by one event, and an event is sent by one process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

from wikicrawler.store.database import Database
from wikicrawler.store.staging_events import (
    EventRow,
    StagedRow,
    add_event,
    add_staged,
    claim_event,
    drop_event,
    events_of,
    owners_of_staged,
    release_event,
    take_staged,
)

if TYPE_CHECKING:
    from pathlib import Path


def staged(number: int, owner: str = "host/1/1", folder: str = "/staged") -> StagedRow:
    path = f"a.gov/2026-02-13/{number}.json"
    return StagedRow(
        f"e{number}", folder, "run", owner, float(number), "s", path, "new", "_index.jsonl"
    )


def test_what_was_staged_is_taken_once_by_its_folder_and_owner(database: Database) -> None:
    mine, other, elsewhere = staged(1), staged(2, "host/2/1"), staged(3, folder="/other")
    with database.write() as connection:
        for row in (mine, other, elsewhere, mine):
            add_staged(connection, row)
        assert owners_of_staged(connection, "/staged") == {"host/1/1": 1.0, "host/2/1": 2.0}
        assert take_staged(connection, "/staged", ["host/1/1"]) == [mine]
        assert take_staged(connection, "/staged", ["host/1/1"]) == []
        assert take_staged(connection, "/staged", ["host/2/1"]) == [other]
        assert owners_of_staged(connection, "/other") == {"host/1/1": 3.0}


def test_of_processes_that_take_at_once_one_gets_a_row(url: str, tmp_path: Path) -> None:
    start = Barrier(4)

    def take(_: int) -> list[StagedRow]:
        database = Database(url, tmp_path)
        with database.read():
            pass
        start.wait()
        with database.write() as connection:
            rows = take_staged(connection, "/staged", ["host/1/1"])
        database.close()
        return rows

    database = Database(url, tmp_path)
    with database.write() as connection:
        for number in range(50):
            add_staged(connection, staged(number))
    database.close()
    with ThreadPoolExecutor(4) as pool:
        taken = [row for rows in pool.map(take, range(4)) for row in rows]
    assert taken == [staged(number) for number in range(50)]


def test_an_event_is_claimed_by_one_process(database: Database) -> None:
    event = EventRow("evt_1", "/staged", "run", 1.0, '{"a":"é"}', 0, None, None)
    with database.write() as connection:
        add_event(connection, event)
        assert events_of(connection, "/other") == []
        assert events_of(connection, "/staged") == [event]
        assert claim_event(connection, event, "host/1/1", 100.0)
        assert not claim_event(connection, event, "host/2/1", 100.0)
        (claimed,) = events_of(connection, "/staged")
        assert claimed == event._replace(attempts=1, owner="host/1/1", leased_until=100.0)
        release_event(connection, "evt_1")
        assert events_of(connection, "/staged") == [event._replace(attempts=1)]
        drop_event(connection, "evt_1")
        assert events_of(connection, "/staged") == []
