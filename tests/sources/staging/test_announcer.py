"""Which events there are, and who sends them."""

from __future__ import annotations

import json
from threading import Timer
from time import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.process.owner import own_name
from wikicrawler.sources.agenda.agenda import LEASE
from wikicrawler.sources.staging.announcer import MAX_DAYS, MAX_LISTED, Announcer
from wikicrawler.sources.staging.webhook import Webhook
from wikicrawler.store.database import Database
from wikicrawler.store.staging_events import StagedRow, add_staged
from wikicrawler.store.tables import staging_events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OWN = own_name()
GONE = f"{OWN.split('/')[0]}/4194305/1"
ELSEWHERE = "another-machine/1/1"


@pytest.fixture
def consumer() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/hook", Reply(200))
        yield server


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path}/db.sqlite")
    yield opened
    opened.close()


def announce(
    database: Database, consumer: ScriptedServer, owner: str = OWN
) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """The counts, and the events that the consumer got meanwhile."""
    webhook = Webhook(consumer.url("/hook"), b"k" * 32, ())
    counts = Announcer(webhook, database, "/staged", owner).announce()
    told = [json.loads(x.body)["data"] for x in consumer.exchanges]
    consumer.exchanges.clear()
    return counts, told


def stage(
    database: Database, *numbers: int, run: str = "run", owner: str = OWN, at: float | None = None
) -> None:
    now = time() if at is None else at
    with database.write() as connection:
        for n in numbers:
            row = ("s", f"a.gov/d/{n}.json", "new", f"_index/{n // 50}.jsonl")
            add_staged(connection, StagedRow(f"e{run}{n}", "/staged", run, owner, now, *row))


def test_without_anything_staged_nothing_is_sent(
    database: Database, consumer: ScriptedServer
) -> None:
    assert announce(database, consumer) == ({}, [])


def test_each_run_has_an_event_of_its_own(database: Database, consumer: ScriptedServer) -> None:
    stage(database, 1, 2, run="run-1")
    stage(database, 3, run="run-2")
    counts, told = announce(database, consumer)
    assert counts == {"delivered": 2}
    assert {data["run_id"]: data["counts"]["envelopes"] for data in told} == {
        "run-1": 2,
        "run-2": 1,
    }
    assert announce(database, consumer) == ({}, [])


def test_what_a_process_staged_that_ended_is_announced_by_another(
    database: Database, consumer: ScriptedServer
) -> None:
    stage(database, 1, run="killed", owner=GONE)
    stage(database, 2, run="running", owner=ELSEWHERE)
    stage(database, 3, run="silent", owner="third-machine/1/1", at=time() - LEASE - 1)
    _, told = announce(database, consumer)
    assert {data["run_id"] for data in told} == {"killed", "silent"}


def test_a_long_list_is_left_to_the_index(database: Database, consumer: ScriptedServer) -> None:
    stage(database, *range(MAX_LISTED + 1))
    _, (data,) = announce(database, consumer)
    assert data["envelopes"] is None
    assert data["counts"]["envelopes"] == MAX_LISTED + 1
    assert data["index"] == ["_index/0.jsonl", "_index/1.jsonl", "_index/2.jsonl"]


def test_while_the_receiver_is_down_the_other_events_wait(
    database: Database, consumer: ScriptedServer
) -> None:
    consumer.on("/hook", Reply(503), Reply(200))
    stage(database, 1, run="run-1")
    stage(database, 2, run="run-2")
    counts, told = announce(database, consumer)
    assert counts == {"failed": 1}
    assert len(told) == 1
    counts, again = announce(database, consumer)
    assert counts == {"delivered": 2}
    assert again[0] == told[0]


def test_an_event_that_is_refused_holds_up_no_other(
    database: Database, consumer: ScriptedServer
) -> None:
    consumer.on("/hook", Reply(400), Reply(200), Reply(422), Reply(200))
    stage(database, 1, run="run-1")
    stage(database, 2, run="run-2")
    counts, told = announce(database, consumer)
    assert counts == {"failed": 1, "delivered": 1}
    stage(database, 3, run="run-3")
    counts, again = announce(database, consumer)
    assert counts == {"failed": 1, "delivered": 1}
    assert again[0] == told[0]


def test_an_event_that_is_refused_is_tried_once_in_a_run(
    database: Database, consumer: ScriptedServer
) -> None:
    consumer.on("/hook", Reply(400))
    stage(database, 1)
    announcer = Announcer(Webhook(consumer.url("/hook"), b"k" * 32, ()), database, "/staged", OWN)
    assert announcer.announce() == {"failed": 1}
    assert announcer.announce() == {}


@pytest.mark.parametrize("status", [400, 503])
def test_an_event_that_has_failed_for_a_week_is_dropped(
    database: Database, consumer: ScriptedServer, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    consumer.on("/hook", Reply(status))
    stage(database, 1)
    announce(database, consumer)
    assert announce(database, consumer)[0] == {"failed": 1}
    assert [r.levelname for r in caplog.records] == ["WARNING"] * 2
    with database.write() as connection:
        old = staging_events.c.at - MAX_DAYS * 86_400
        connection.execute(update(staging_events).values(at=old))
    assert announce(database, consumer)[0] == {"failed": 1}
    assert caplog.records[-1].levelname == "ERROR"
    assert caplog.records[-1].getMessage().endswith("; dropped after 7 days")
    assert announce(database, consumer) == ({}, [])


def test_a_stop_gives_up_what_is_sent_and_keeps_it(
    database: Database, consumer: ScriptedServer
) -> None:
    consumer.on("/hook", Reply(200, delay=30), Reply(200))
    stage(database, 1, run="run-1")
    stage(database, 2, run="run-2")
    webhook = Webhook(consumer.url("/hook"), b"k" * 32, (30.0,), patience=30)
    announcer = Announcer(webhook, database, "/staged", OWN)
    Timer(0.3, announcer.stop, (0.2,)).start()
    begin = time()
    assert announcer.announce() == {"failed": 1}
    assert announcer.announce() == {}
    assert time() - begin < 25
    consumer.on("/hook", Reply(200))
    assert announce(database, consumer)[0] == {"delivered": 2}


def test_an_event_that_another_process_sends_is_left_to_it(
    database: Database, consumer: ScriptedServer
) -> None:
    stage(database, 1)
    sender = Announcer(Webhook(consumer.url("/hook"), b"k" * 32, ()), database, "/staged", OWN)
    sender._make_events()
    assert sender._next_event() is not None
    assert announce(database, consumer, ELSEWHERE) == ({}, [])
    counts, _ = announce(database, consumer, OWN)
    assert counts == {"delivered": 1}, "after its own crash in the same process"
