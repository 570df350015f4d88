"""What other crawls have recorded since the last look, in SQLite and PostgreSQL alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from tests.store.samples import attempt
from wikicrawler.store.other_runs import News, OtherRuns
from wikicrawler.store.records import add_records
from wikicrawler.store.rows import insert_rows
from wikicrawler.store.sites import TierChange
from wikicrawler.store.tables import runs

if TYPE_CHECKING:
    from wikicrawler.store.database import Database
    from wikicrawler.store.records import Record

NOW = 1_800_000_000.0
CHANGE = TierChange(NOW, "site.example", "www.site.example", "http", 0.5, better=False)
OWN, OTHER, THIRD = 1, 2, 3


def begin(database: Database, *numbers: int) -> None:
    """Have crawls begin."""
    with database.write() as connection:
        insert_rows(connection, runs, [(n, "wiki", NOW, None, None, None) for n in numbers])


def end(database: Database, run: int, at: float) -> None:
    with database.write() as connection:
        connection.execute(update(runs).where(runs.c.run == run).values(ended=at))


def add(database: Database, run: int, first: int, *records: Record) -> None:
    with database.write() as connection:
        add_records(connection, run, list(enumerate(records, first)))


def look(database: Database, other: OtherRuns, most: int = 100) -> News:
    with database.read() as connection:
        return other.news(connection, NOW, most)


def watch(database: Database) -> OtherRuns:
    other = OtherRuns()
    other.own = OWN
    with database.read() as connection:
        other.begin(connection, NOW)
    return other


def test_each_record_of_another_crawl_is_news_once(database: Database) -> None:
    begin(database, OWN, OTHER)
    add(database, OTHER, 1, attempt(tier="known"), CHANGE)
    other = watch(database)
    assert look(database, other) == News([], [], is_all=True)
    add(database, OTHER, 2, attempt(tier="http"), attempt(tier="browser"))
    add(database, OTHER, 3, CHANGE)
    add(database, OWN, 1, attempt(tier="mine"), CHANGE)
    news = look(database, other)
    assert [one.tier for one in news.attempts] == ["http", "browser"]
    assert news.changes == [CHANGE]
    assert look(database, other) == News([], [], is_all=True)


def test_a_crawl_that_begins_later_is_news_from_its_first_record_on(database: Database) -> None:
    begin(database, OTHER)
    other = watch(database)
    begin(database, THIRD)
    add(database, THIRD, 1, attempt(tier="http"))
    assert [one.tier for one in look(database, other).attempts] == ["http"]


def test_what_is_written_late_is_news_whatever_its_time(database: Database) -> None:
    begin(database, OTHER, THIRD)
    other = watch(database)
    add(database, THIRD, 1, attempt(tier="http", at=NOW))
    look(database, other)
    add(database, OTHER, 1, attempt(tier="browser", at=NOW - 1000))
    assert [one.tier for one in look(database, other).attempts] == ["browser"]


def test_much_is_read_in_parts(database: Database) -> None:
    begin(database, OTHER, THIRD)
    other = watch(database)
    add(database, OTHER, 1, *(attempt(tier=f"{n}") for n in range(3)))
    add(database, THIRD, 1, *(attempt(tier=f"{n}") for n in range(3, 6)))
    parts = [look(database, other, most=4) for _ in range(3)]
    assert [len(part.attempts) for part in parts] == [4, 2, 0]
    assert [part.is_all for part in parts] == [False, True, True]
    assert {one.tier for part in parts for one in part.attempts} == {f"{n}" for n in range(6)}


def test_the_last_records_of_a_crawl_that_has_ended_are_news(database: Database) -> None:
    begin(database, OTHER, THIRD)
    other = watch(database)
    add(database, OTHER, 1, attempt(tier="http"))
    add(database, THIRD, 1, attempt(tier="old"))
    end(database, OTHER, NOW - 10)
    end(database, THIRD, NOW - 86_400)
    assert [one.tier for one in look(database, other).attempts] == ["http"]
