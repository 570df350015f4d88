"""What is read back from the database is what the attempts in it have taught."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import inspect

from tests.learning.model.test_evidence import assert_same_as_brute_force
from tests.learning.model.test_rhythm import MIDNIGHT, assert_rhythms_as_by_definition, rhythmic
from tests.learning.pages import DAY, NOW, attempts, page
from tests.learning.stored import attempted, store, told
from wikicrawler.errors import Reason, StoreError
from wikicrawler.learning.model.choice import Costs
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome, outcome_of
from wikicrawler.learning.model.sums import LEVELS, Changed, Observation
from wikicrawler.learning.restore import HALF_LIVES, read_evidence
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikicrawler.learning.model.features import Features
    from wikicrawler.store.records import Record

COSTS = Costs({"mediawiki": 1.0, "http": 1.0, "browser": 12.0}, ban=10.0, page=200.0, probe="http")
A = page("https://www.a.example/x")


@contextmanager
def temporary() -> Iterator[Database]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/db.sqlite")
        yield database
        database.close()


def row(
    outcome: Outcome, at: float = NOW, tier: str = "http", features: Features = A
) -> Observation:
    return Observation(at, tier, outcome, features.named())


def changing(number: int, seed: int, at: list[int]) -> tuple[list, list[Record], list[Changed]]:
    """Attempts, their records, and changes told at those of them that *at* counts."""
    made, changes, records = attempts(number, seed), [], []
    for count, (features, one) in enumerate(made):
        if count in at:
            changed = Changed(one.at, one.tier, features.domain, Random(count).random())  # noqa: S311
            changes.append(changed)
            records.append(told(features, changed))
        records.append(attempted(features, one))
    return made, records, changes


# The sums


def test_sums_are_those_over_the_attempts(database: Database) -> None:
    made, records, changes = changing(300, 1, [30, 31, 150, 200, 299])
    store(database, records)
    assert_same_as_brute_force(read_evidence(database, NOW), made, changes, NOW)


@settings(max_examples=15)
@given(
    number=st.integers(1, 200),
    seed=st.integers(0, 2**31),
    at=st.lists(st.integers(0, 199), max_size=8),
)
def test_so_they_are_wherever_sites_have_changed(number: int, seed: int, at: list[int]) -> None:
    made, records, changes = changing(number, seed, at)
    with temporary() as database:
        store(database, records)
        assert_same_as_brute_force(read_evidence(database, NOW), made, changes, NOW)


def test_hours_of_the_day_are_those_of_the_attempts(database: Database) -> None:
    made = rhythmic(300, 1)
    store(database, [attempted(features, row) for features, row in made])
    known = Evidence()
    for features, row in made:
        known.add(features, row.tier, row.outcome, row.at)
    weighed = 0
    for of_day in range(24):
        now = MIDNIGHT + 21 * DAY + of_day * 3600
        evidence = read_evidence(database, now)
        weighed += assert_rhythms_as_by_definition(evidence, [row for _, row in made], now)
        for features, one in made:
            effects = [e.rhythms.effect(features, one.tier, now) for e in (evidence, known)]
            assert effects[0] == effects[1]
    assert weighed > 0


def test_what_came_later_is_not_seen(database: Database) -> None:
    made, records, changes = changing(200, 2, [50, 120, 180])
    store(database, records)
    middle = made[100][1].at
    evidence = read_evidence(database, middle)
    before = [change for change in changes if change.at <= middle]
    assert_same_as_brute_force(evidence, made, before, middle)


def test_every_reason_counts_as_what_it_means(database: Database) -> None:
    reasons = [(reason, final) for reason in ("ok", *Reason) for final in (False, True)]
    store(
        database,
        [attempted(A, row(Outcome.SUCCESS), reason=str(r), final=final) for r, final in reasons]
        + [attempted(A, row(Outcome.SUCCESS), reason="of_a_newer_program")],
    )
    meant = [outcome_of(reason, final=final) for reason, final in reasons]
    successes, bans = meant.count(Outcome.SUCCESS), meant.count(Outcome.BAN)
    failures = meant.count(Outcome.FAILURE) + bans
    sums = read_evidence(database, NOW).sums(A, "http", NOW)
    assert sums == ((successes, failures, bans),) * len(LEVELS)


def test_an_attempt_is_left_out_when_it_weighs_next_to_nothing(database: Database) -> None:
    ages = [HALF_LIVES * 30 - 1, HALF_LIVES * 30 + 1]
    store(database, [attempted(A, row(Outcome.SUCCESS, NOW - days * DAY)) for days in ages])
    kept = read_evidence(database, NOW).sums(A, "http", NOW)[0]
    assert kept.successes == pytest.approx(2 ** (-ages[0] / 30))


# Learning goes on


class Site:
    """Pages of one site in succession, a learner, and what it leaves in a database."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.now = NOW
        self.records: list[Record] = []
        self.changes: list[Changed] = []

    def attempt(self, outcome: Outcome, features: Features = A) -> None:
        self.now += 60
        expected = self.learner.expected(features, "http", self.now)
        changed = self.learner.record(features, "http", outcome, self.now)
        self.records.append(
            attempted(features, row(outcome, self.now, features=features), expected=expected)
        )
        if changed:
            self.changes.append(changed)
            self.records.append(told(features, changed, better=outcome is Outcome.SUCCESS))


def learner(evidence: Evidence | None = None) -> Learner:
    return Learner(COSTS, Random(1), evidence)  # noqa: S311 - no secret


WORKS, FAILS = Outcome.SUCCESS, Outcome.FAILURE
HISTORIES = {
    "much": [WORKS] * 100,
    "little": [WORKS] * 3,
    "nearly known": [WORKS] * 4 + [FAILS] * 2,
    "turned": [WORKS] * 60 + [FAILS] * 30,
    "turned, and just told": [WORKS] * 60 + [FAILS] * 3,
    "turned and turned back": [WORKS] * 60 + [FAILS] * 30 + [WORKS] * 4,
    "on the point of being told": [WORKS] * 60 + [FAILS] * 2,
    "mixed": [WORKS, WORKS, FAILS] * 20,
}


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
@pytest.mark.parametrize("then", [FAILS, WORKS], ids=str)
def test_a_new_process_learns_on_as_the_old_one_would(
    database: Database, history: list[Outcome], then: Outcome
) -> None:
    """Estimates, and the moments at which changes are told."""
    old = Site(learner())
    for outcome in history:
        old.attempt(outcome)
    store(database, old.records)
    new = Site(learner(read_evidence(database, old.now)))
    new.now = old.now
    told_before = len(old.changes)
    for _ in range(30):
        for site in (old, new):
            site.attempt(then)
        ours, theirs = (s.learner.estimate(A, "http", s.now) for s in (new, old))
        assert ours.success == pytest.approx(theirs.success, rel=1e-9)
    assert [c[:3] for c in new.changes] == [c[:3] for c in old.changes[told_before:]]
    assert [c.kept for c in new.changes] == pytest.approx(
        [c.kept for c in old.changes[told_before:]]
    )


def test_a_source_that_is_asked_once_by_each_process_is_seen_to_change(
    database: Database,
) -> None:
    now, told_after = NOW, None
    for hour in range(30):
        now += 3600
        site = Site(learner(read_evidence(database, now)))
        site.now = now
        site.attempt(WORKS if hour < 20 else FAILS)
        store(database, site.records, run=hour)
        if site.changes:
            told_after = hour - 20 + 1
            break
    assert told_after is not None
    assert told_after <= 4


def test_attempts_without_expectation_raise_no_suspicion(database: Database) -> None:
    many = [WORKS] * 50 + [FAILS] * 20
    store(database, [attempted(A, row(one, NOW + i)) for i, one in enumerate(many)])
    new = Site(learner(read_evidence(database, NOW + 100)))
    new.now = NOW + 100
    new.attempt(FAILS)
    assert new.changes == []


def test_old_suspicions_are_forgotten(database: Database) -> None:
    old = Site(learner())
    for outcome in [WORKS] * 200 + [FAILS] * 2:
        old.attempt(outcome)
    store(database, old.records)
    later = Site(learner(read_evidence(database, old.now + 61 * DAY)))
    later.now = old.now + 61 * DAY
    later.attempt(FAILS)
    assert later.changes == []


# The database


def test_nothing_is_known_where_nothing_was_recorded(database: Database) -> None:
    with database.read():
        pass
    assert len(read_evidence(database, NOW)) == 0


def test_to_read_makes_no_database(tmp_path: Path) -> None:
    assert len(read_evidence(Database(f"sqlite:///{tmp_path}/some/where/db.sqlite"), NOW)) == 0
    assert list(tmp_path.iterdir()) == []


def test_to_read_makes_no_tables(database: Database) -> None:
    assert len(read_evidence(database, NOW)) == 0
    assert not database.has_tables()
    with database.read() as connection:  # who uses it makes them
        assert inspect(connection).get_table_names()
    assert database.has_tables()


def test_a_database_that_cannot_be_used_says_so(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite").write_bytes(b"no database, but long enough to be taken for one" * 99)
    with pytest.raises(StoreError, match=r"db\.sqlite: file is not a database"):
        read_evidence(Database(f"sqlite:///{tmp_path}/db.sqlite"), NOW)
