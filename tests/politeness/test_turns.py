"""Turns that several processes take at the sites of one database."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from wikicrawler.politeness.turns import LEASE, Asked, Note, Turns
from wikicrawler.store.database import Database
from wikicrawler.store.turns import load_sites, load_transfers

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.postgres import RealPostgres

SITE = "agency.example"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Database:
    if request.param == "sqlite":
        return Database(f"sqlite:///{tmp_path / 'db.sqlite'}")
    postgres: RealPostgres = request.getfixturevalue("postgres")
    return Database(postgres.empty_database())


def turns(database: Database, owner: str = "one", at_once: int = 10, lease: float = LEASE) -> Turns:
    return Turns(database, f"{owner}-host/1/1", at_once=at_once, longest=60.0, lease=lease)


def ask(number: int, site: str = SITE, delay: float = 0.0, at_once: int = 3) -> Asked:
    return Asked(number, site, delay, at_once)


def sent(number: int, site: str = SITE) -> Note:
    return Note(site, number)


def ended(number: int, site: str = SITE, wait: float = 0.0) -> Note:
    return Note(site, number, is_ended=True, wait=wait)


def test_requests_at_once_are_counted_over_all_processes(database: Database) -> None:
    one, two = turns(database, "one", 2), turns(database, "two", 2)
    assert one.exchange([ask(1, "a.example")], []).numbers == {1}
    assert two.exchange([ask(1, "b.example"), ask(2, "c.example")], []).numbers == {1}
    given = one.exchange([ask(2, "d.example")], [])
    assert given.numbers == set()
    assert given.look_again is not None
    assert two.exchange([], [ended(1, "b.example")]).numbers == set()
    assert one.exchange([ask(2, "d.example")], []).numbers == {2}


def test_a_turn_whose_answer_was_lost_is_given_again(database: Database) -> None:
    one = turns(database, "one")
    assert one.exchange([ask(1)], []).numbers == {1}
    assert one.exchange([ask(1, at_once=1)], []).numbers == {1}


def test_requests_to_a_site_at_once_are_counted_over_all_processes(database: Database) -> None:
    one, two = turns(database, "one"), turns(database, "two")
    assert one.exchange([ask(1, at_once=2)], []).numbers == {1}
    assert two.exchange([ask(1, at_once=2)], [sent(1)]).numbers == set(), "the first may be unsent"
    one.exchange([], [sent(1)])
    assert two.exchange([ask(1, at_once=2)], []).numbers == {1}
    two.exchange([], [sent(1)])
    assert one.exchange([ask(2, at_once=2)], []).numbers == set()
    assert two.exchange([], [ended(1)]).numbers == set()
    assert one.exchange([ask(2, at_once=2)], []).numbers == {2}


def test_the_delay_begins_when_a_request_of_any_process_was_sent_and_ended(
    database: Database,
) -> None:
    one, two = turns(database, "one"), turns(database, "two")
    assert one.exchange([ask(1, delay=5)], []).numbers == {1}
    for note in (sent(1), ended(1)):
        one.exchange([], [note])
        given = two.exchange([ask(1, delay=5)], [])
        assert given.numbers == set()
        assert given.look_again is not None
        assert 4 < given.look_again <= 5
    assert two.exchange([ask(2, "other.example", delay=5)], []).numbers == {2}


def test_a_process_waits_for_its_own_delay_and_for_the_pause_that_another_learned(
    database: Database,
) -> None:
    one, two = turns(database, "one"), turns(database, "two")
    one.exchange([ask(1)], [])
    one.exchange([], [ended(1, wait=30)])
    given = two.exchange([ask(1, delay=1)], [])
    assert given.numbers == set()
    assert given.look_again is not None
    assert 29 < given.look_again <= 30
    one.exchange([], [Note("crawl-delay.example")])
    given = two.exchange([ask(2, "crawl-delay.example", delay=10)], [])
    assert given.look_again is not None
    assert 9 < given.look_again <= 10


def test_no_pause_is_longer_than_the_longest(database: Database) -> None:
    one, two = turns(database, "one"), turns(database, "two")
    one.exchange([ask(1)], [])
    one.exchange([], [ended(1, wait=1e6)])
    given = two.exchange([ask(1)], [])
    assert given.look_again is not None
    assert given.look_again <= 60


def test_turns_of_a_process_that_was_killed_are_free_and_its_last_request_counts(
    database: Database,
) -> None:
    code = "from wikicrawler.process.owner import own_name; print(own_name())"
    gone = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    killed = Turns(database, gone.stdout.strip(), at_once=1, longest=60)
    assert killed.exchange([ask(1)], []).numbers == {1}
    other = turns(database, "two", at_once=1)
    given = other.exchange([ask(1, delay=5)], [])
    assert given.numbers == set()
    assert given.look_again is not None
    assert 4 < given.look_again <= 5
    assert other.exchange([ask(2, "other.example")], []).numbers == {2}


def test_turns_on_another_machine_that_are_not_renewed_are_free(database: Database) -> None:
    lost, alive = turns(database, "lost", 2, lease=0.2), turns(database, "alive", 2)
    lost.exchange([ask(1, "a.example")], [])
    alive.exchange([ask(1, "b.example")], [])
    time.sleep(0.3)
    alive.exchange([], [])
    assert turns(database, "new", 2).exchange([ask(1, "c.example")], []).numbers == {1}
    with database.read() as connection:
        owners = {one.owner for one in load_transfers(connection)}
    assert owners == {"alive-host/1/1", "new-host/1/1"}


def test_the_end_gives_all_turns_back(database: Database) -> None:
    one = turns(database)
    one.exchange([ask(1), ask(2, "b.example")], [])
    one.end()
    with database.read() as connection:
        assert load_transfers(connection) == []
        assert load_sites(connection, [SITE])
