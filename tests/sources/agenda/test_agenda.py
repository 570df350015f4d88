"""Which source is visited next, and by whom."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.sources.watching import read_source, source
from wikicrawler.process.owner import is_gone, own_name
from wikicrawler.sources.agenda.agenda import LEASE, Agenda, paused, resumed
from wikicrawler.sources.schedule.retry import VisitError
from wikicrawler.sources.schedule.visits import Visit
from wikicrawler.store.database import Database
from wikicrawler.store.source_states import SourceState, load_states, save_states

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.servers.postgres import RealPostgres
    from wikicrawler.sources.manifest.model import Source

NOON = datetime(2026, 3, 4, 17, tzinfo=UTC).timestamp()  # noon in New York
DAY = 86_400.0


def sources(count: int, **fields: str) -> list[Source]:
    return [read_source(source(f"https://agency{n}.org/", f"s{n}", **fields)) for n in range(count)]


def change(database: Database, how: Callable[[SourceState], SourceState]) -> None:
    """Change the state of the source ``s0``, as controls do."""
    with database.write() as connection:
        save_states(connection, [how(load_states(connection)["s0"])])


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path / 'db.sqlite'}")


def visited(at: float, error: VisitError | None = None, *, forced: bool = False) -> Visit:
    return Visit(datetime.fromtimestamp(at, UTC), error, is_forced=forced)


def test_each_source_is_claimed_once(database: Database) -> None:
    agenda = Agenda(database, sources(3))
    claimed = [agenda.claim(NOON) for _ in range(4)]
    assert {one.id for one in claimed if one} == {"s0", "s1", "s2"}
    assert claimed[-1] is None


def test_a_visited_source_is_not_due_in_its_window(database: Database) -> None:
    agenda = Agenda(database, sources(1))
    assert agenda.claim(NOON)
    agenda.finish("s0", visited(NOON))
    assert agenda.claim(NOON + 60) is None
    assert agenda.claim(NOON + 60, forced=["s0"])
    assert agenda.claim(NOON + 14 * DAY)


def test_a_claim_that_is_not_renewed_is_free(database: Database) -> None:
    own = sources(1)
    elsewhere = Agenda(database, own, owner="another-host/1/1")
    assert elsewhere.claim(NOON)
    assert Agenda(database, own).claim(NOON + LEASE - 1) is None
    assert Agenda(database, own).claim(NOON + LEASE + 1)


def test_who_lost_a_claim_does_not_give_up_that_of_another(database: Database) -> None:
    own = sources(1)
    late, other = Agenda(database, own, owner="late/1/1"), Agenda(database, own, owner="other/1/1")
    assert late.claim(NOON)
    assert other.claim(NOON + LEASE + 1)
    late.release("s0")
    late.finish("s0", visited(NOON))
    assert Agenda(database, own).claim(NOON + LEASE + 2, forced=["s0"]) is None


def test_a_claim_of_a_process_that_ended_is_free_at_once(database: Database) -> None:
    code = "from wikicrawler.process.owner import own_name; print(own_name())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    owner = ended.stdout.strip()
    assert is_gone(owner)
    assert not is_gone(own_name())
    assert Agenda(database, sources(1), owner=owner).claim(NOON)
    assert Agenda(database, sources(1)).claim(NOON + 1)


def test_a_source_that_was_released_stays_due(database: Database) -> None:
    agenda = Agenda(database, sources(1))
    agenda.claim(NOON)
    agenda.release("s0")
    assert agenda.claim(NOON + 1)


def test_five_scheduled_failures_pause_a_source_until_it_is_resumed(database: Database) -> None:
    agenda = Agenda(database, sources(1, frequency="daily"))
    now = NOON
    for _ in range(5):
        assert agenda.claim(now)
        agenda.finish("s0", visited(now, VisitError.UNAVAILABLE))
        now += 2 * DAY
    assert agenda.claim(now) is None
    assert agenda.entries(now)[0].is_paused
    change(database, resumed)
    assert agenda.claim(now)


def test_failures_of_visits_by_hand_do_not_count(database: Database) -> None:
    agenda = Agenda(database, sources(1))
    for _ in range(6):
        assert agenda.claim(NOON, forced=["s0"])
        agenda.finish("s0", visited(NOON, VisitError.UNAVAILABLE, forced=True))
    assert not agenda.entries(NOON)[0].is_paused


def test_an_operator_pauses_resumes_and_overrides(database: Database) -> None:
    agenda = Agenda(database, sources(1))
    agenda.claim(NOON)
    agenda.release("s0")
    change(database, lambda state: paused(state, NOON, "a new site is coming"))
    assert agenda.claim(NOON) is None
    assert agenda.entries(NOON)[0].state.pause_reason == "a new site is coming"
    change(database, resumed)
    assert agenda.claim(NOON)
    agenda.finish("s0", visited(NOON))
    change(database, lambda state: state._replace(override_at=NOON + 3600))
    assert agenda.claim(NOON + 3599) is None
    assert agenda.claim(NOON + 3600)
    agenda.finish("s0", visited(NOON + 3600))
    assert agenda.claim(NOON + 3700) is None, "once"


def test_only_the_schedule_waits_for_the_night(database: Database) -> None:
    agenda = Agenda(database, [read_source(source("https://www.hud.gov/", "hud"))])
    assert agenda.claim(NOON, scheduled=True) is None
    (entry,) = agenda.entries(NOON)
    assert entry.next_visit is not None
    assert entry.next_visit.hour in range(7, 11)  # 02:00 to 06:00 in New York
    assert agenda.claim(entry.next_visit.timestamp(), scheduled=True)
    agenda.release("hud")
    assert agenda.claim(NOON)


def _claim_all(url: str, count: int, found: multiprocessing.Queue[str]) -> None:
    agenda = Agenda(Database(url, patience=60), sources(count), owner=f"host{os.getpid()}/1/1")
    while (one := agenda.claim(NOON)) is not None:
        found.put(one.id)
        agenda.finish(one.id, visited(NOON))
    found.put("")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_four_processes_share_the_agenda(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'db.sqlite'}"
    if kind == "postgresql":
        postgres: RealPostgres = request.getfixturevalue("postgres")
        url = postgres.empty_database()
    context = multiprocessing.get_context("spawn")
    found: multiprocessing.Queue[str] = context.Queue()
    processes = [context.Process(target=_claim_all, args=(url, 20, found)) for _ in range(4)]
    for process in processes:
        process.start()
    claimed, ended = [], 0
    while ended < len(processes):
        name = found.get(timeout=120)
        ended += not name
        claimed += [name] if name else []
    for process in processes:
        process.join()
    assert sorted(claimed) == sorted(f"s{n}" for n in range(20))


def test_all_processes_together_visit_a_limited_number_of_sources(database: Database) -> None:
    own = sources(4)
    one = Agenda(database, own, owner="one-host/1/1", at_once=2)
    two = Agenda(database, own, owner="two-host/1/1", at_once=2)
    first = one.claim(NOON)
    assert first
    assert two.claim(NOON)
    for agenda in (one, two):
        assert agenda.claim(NOON, forced=["s0", "s3"]) is None
        assert agenda.is_busy
    one.release(first.id)
    assert two.claim(NOON)
    assert not two.is_busy


def test_claims_that_are_free_do_not_count(database: Database) -> None:
    lost = Agenda(database, sources(2), owner="lost-host/1/1", at_once=1)
    assert lost.claim(NOON)
    other = Agenda(database, sources(2), at_once=1)
    assert other.claim(NOON + LEASE - 1) is None
    assert other.claim(NOON + LEASE + 1)


def test_a_source_of_a_site_that_another_process_visits_comes_last(database: Database) -> None:
    own = [
        read_source(source("https://www.agency.org/", "first", priority="high")),
        read_source(source("https://data.agency.org/", "second", priority="high")),
        read_source(source("https://other.org/", "third", priority="low")),
    ]
    one = Agenda(database, own, owner="one-host/1/1")
    two = Agenda(database, own, owner="two-host/1/1")
    first = one.claim(NOON)
    assert first
    assert first.id == "first"
    claimed = [two.claim(NOON), two.claim(NOON)]
    assert [one.id for one in claimed if one] == ["third", "second"]
    assert two.claim(NOON) is None
    assert not two.is_busy
