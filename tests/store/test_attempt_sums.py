"""Attempts weighted and summed by the database, SQLite's and PostgreSQL's alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.store.samples import attempt
from wikicrawler.store.attempt_sums import (
    Counted,
    Endings,
    recent_attempts,
    recent_hours,
    sum_attempts,
)
from wikicrawler.store.records import add_records
from wikicrawler.store.sites import TierChange

if TYPE_CHECKING:
    from wikicrawler.store.attempt_sums import AttemptSum
    from wikicrawler.store.database import Database
    from wikicrawler.store.records import Record

NOW, DAY = 1_800_000_000.0, 86_400.0
HOST = "en.wiki.example.org"
COUNTED = Counted(
    successes=Endings(final=["ok"], other=["ok"]),
    failures=Endings(final=[], other=["empty", "blocked"]),
    bans=Endings(final=[], other=["blocked"]),
    harmless=["browser"],
)


def add(database: Database, *records: Record) -> None:
    with database.write() as connection:
        add_records(connection, 1, list(enumerate(records, 1)))


def sums(database: Database, *, has_changes: bool = True) -> list[AttemptSum]:
    with database.read() as connection:
        found = sum_attempts(
            *(connection, COUNTED),
            now=NOW,
            half_life=DAY,
            longest=3 * DAY,
            has_changes=has_changes,
        )
        return list(found)


def test_an_attempt_weighs_half_after_a_half_life(database: Database) -> None:
    failed = attempt(at=NOW - 2 * DAY, reason="blocked", ok=False)
    add(database, attempt(at=NOW), attempt(at=NOW - DAY), failed)
    (found,) = sums(database)
    assert found[:6] == ("http", HOST, "example.org", "", "/wiki/*", "wiki")
    assert found[7:] == pytest.approx((1.5, 0.25, 0.25, NOW))


def test_what_does_not_count_is_left_out(database: Database) -> None:
    add(
        database,
        attempt(at=NOW + 1),
        attempt(at=NOW - 3 * DAY - 1),
        attempt(at=NOW, reason="timeout", ok=False),
        attempt(at=NOW, reason="blocked", ok=False, final=True),
    )
    assert sums(database) == []


def test_a_block_of_a_harmless_tier_is_a_failure_only(database: Database) -> None:
    add(database, attempt(at=NOW, tier="browser", reason="blocked", ok=False))
    (found,) = sums(database)
    assert found[7:] == (0.0, 1.0, 0.0, NOW)


def test_attempts_are_told_apart_by_the_changes_after_them(database: Database) -> None:
    times = (NOW - 2 * DAY, NOW - DAY)
    changed = [TierChange(at, "example.org", HOST, "http", 0.1, False) for at in times]
    elsewhere = changed[1]._replace(tier="browser")
    add(database, *(attempt(at=at) for at in (*times, NOW)), *changed, elsewhere)
    assert [(one.later_changes, one.successes) for one in sums(database)] == [
        (0, pytest.approx(1.5)),
        (1, pytest.approx(0.25)),
    ]
    assert [one.later_changes for one in sums(database, has_changes=False)] == [0]


def test_the_last_attempts_of_each_tier_come_in_the_order_of_time(database: Database) -> None:
    add(
        database,
        *(attempt(at=NOW - age, expected=age / 10, tier=tier) for age in (3, 1, 2)
          for tier in ("http", "browser")),
        attempt(at=NOW, reason="timeout", ok=False),
        attempt(at=NOW - 0.5, reason="empty", ok=False),
    )  # fmt: skip
    with database.read() as connection:
        found = recent_attempts(connection, COUNTED, now=NOW, longest=DAY, number=2)
        assert [(one.tier, NOW - one.at, bool(one.ok), one.expected) for one in found] == [
            ("browser", 2, True, 0.2),
            ("browser", 1, True, 0.1),
            ("http", 1, True, 0.1),
            ("http", 0.5, False, None),
        ]


def test_attempts_are_counted_by_the_hour(database: Database) -> None:
    hour = int(NOW // 3600)
    begin = hour * 3600.0
    add(
        database,
        *(attempt(at=at) for at in (begin, begin - 0.001, begin - 3600, begin - 9000)),
        attempt(at=begin, reason="blocked", ok=False),
        attempt(at=begin, reason="timeout", ok=False),
        attempt(at=begin - 1, reason="blocked", ok=False, tier="browser"),
        attempt(at=NOW + 1),
        attempt(at=NOW - 3 * DAY - 1),
    )
    with database.read() as connection:
        found = recent_hours(connection, COUNTED, now=NOW, longest=3 * DAY, number=2)
        assert [(one.tier, one.domain, one.hour - hour, *one[4:]) for one in found] == [
            ("http", HOST, -1, 2, 0, 0),
            ("http", HOST, 0, 1, 1, 1),
            ("browser", HOST, -1, 0, 1, 0),  # its blocks are no bans
        ]
