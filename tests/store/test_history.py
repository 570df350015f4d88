"""Counts of attempts, in SQLite and PostgreSQL."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from tests.store.samples import attempt
from wikicrawler.store.attempts import add_attempts
from wikicrawler.store.history import DAY, Count, count_attempts

if TYPE_CHECKING:
    from wikicrawler.store.attempts import FetchAttempt
    from wikicrawler.store.database import Database


def add(database: Database, *several: FetchAttempt) -> None:
    with database.write() as connection:
        add_attempts(connection, 1, enumerate(several, 1))


def test_the_counts_are_those_of_the_rows(database: Database) -> None:
    chance = Random(1)  # noqa: S311 - no secret
    made = []
    for _ in range(500):
        reason = chance.choice(["ok", "blocked", "timeout"])
        made.append(
            attempt(
                at=20_000 * DAY + chance.randrange(4 * DAY),
                domain=chance.choice(["a.example.org", "b.example.org"]),
                tier=chance.choice(["http", "browser"]),
                reason=reason,
                is_banned=reason == "blocked",
            )
        )
    add(database, *made, attempt(registered_domain="other.org", domain="other.org"))
    with database.read() as connection:
        counts = list(count_attempts(connection, registered_domain="example.org"))
        of_a = list(count_attempts(connection, domain="a.example.org"))
    assert {tuple(count[:4]): count.number for count in counts} == Counter(
        (one.domain, one.tier, one.reason, one.at // DAY) for one in made
    )
    assert sum(count.banned for count in counts) == sum(one.is_banned for one in made)
    assert min(count.first for count in counts) == min(one.at for one in made)
    assert max(count.last for count in counts) == max(one.at for one in made)
    assert of_a == [count for count in counts if count.domain == "a.example.org"]


def test_days_are_those_of_utc(database: Database) -> None:
    times = (3 * DAY - 0.25, 3 * DAY, 4 * DAY - 0.25)
    add(database, *(attempt(at=at) for at in times))
    with database.read() as connection:
        counts = list(count_attempts(connection, domain="en.wiki.example.org"))
    same = ("en.wiki.example.org", "http", "ok")
    assert counts == [
        Count(*same, 2, 1, 0, times[0], times[0]),
        Count(*same, 3, 2, 0, times[1], times[2]),
    ]
