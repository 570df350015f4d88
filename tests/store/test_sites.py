"""State and changes of sites, in SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.store.samples import attempt
from wikicrawler.store.records import add_records
from wikicrawler.store.sites import (
    Site,
    SitePause,
    TierChange,
    find_changes,
    find_site,
    paused_sites,
)

if TYPE_CHECKING:
    from wikicrawler.store.database import Database
    from wikicrawler.store.records import Record

AT = 1_800_000_000.0


def write(database: Database, *records: Record, run: int = 1) -> None:
    """Write records, numbered in order."""
    with database.write() as connection:
        add_records(connection, run, list(enumerate(records, 1)))


def known(database: Database, site: str = "a") -> Site | None:
    with database.read() as connection:
        return find_site(connection, site)


def paused(database: Database, now: float) -> list[str]:
    with database.read() as connection:
        return [one.site for one in paused_sites(connection, now)]


def test_a_new_site_has_no_state(database: Database) -> None:
    assert known(database) is None
    assert paused(database, 0) == []


def test_attempts_are_counted_by_site(database: Database) -> None:
    write(database, attempt(site="a", at=AT + 5), attempt(site="b"), attempt(site="a", at=AT))
    write(database, attempt(site="a", at=AT + 2), run=2)
    assert known(database) == Site("a", None, 0, 3, AT + 5, None)
    assert known(database, "b") == Site("b", None, 0, 1, AT, None)


def test_an_attempt_written_twice_is_counted_once(database: Database) -> None:
    first, second = attempt(site="a"), attempt(site="a", at=AT + 1)
    write(database, first)
    write(database, first, second)  # the first one exists already
    write(database, first, second)
    assert known(database) == Site("a", None, 0, 2, AT + 1, None)


def test_an_attempt_without_a_site_is_not_counted(database: Database) -> None:
    write(database, attempt(site=""))
    assert known(database, "") is None


def test_a_pause_is_reported_until_it_ends(database: Database) -> None:
    write(database, SitePause(AT, "a", AT + 600, 1, "blocked"))
    assert known(database) == Site("a", AT + 600, 1, 0, None, "blocked")
    assert paused(database, AT + 599) == ["a"]
    assert paused(database, AT + 600) == []


def test_the_last_pause_applies(database: Database) -> None:
    write(
        database,
        SitePause(AT, "a", AT + 600, 1, "blocked"),
        attempt(site="a"),
        SitePause(AT + 700, "a", AT + 1900, 2, "blocked_captcha"),
    )
    assert known(database) == Site("a", AT + 1900, 2, 1, AT, "blocked_captcha")


def test_a_released_site_is_not_paused_and_keeps_its_reason(database: Database) -> None:
    write(
        database,
        SitePause(AT, "a", AT + 600, 1, "blocked"),
        SitePause(AT + 10, "a", None, 0, ""),
    )
    assert known(database) == Site("a", None, 0, 0, None, "blocked")
    assert paused(database, AT) == []


def test_paused_sites_are_ordered_by_name(database: Database) -> None:
    write(database, *(SitePause(AT, site, AT + 9, 1, "busy") for site in ("c", "a", "b")))
    assert paused(database, AT) == ["a", "b", "c"]


CHANGES = [
    TierChange(AT + 1, "example.org", "en.example.org", "http", 0.125, better=False),
    TierChange(AT + 2, "example.org", "de.example.org", "browser", 0.5, better=True),
    TierChange(AT + 3, "example.com", "example.com", "http", 1.0, better=True),
]


def test_changes_are_found_by_domain_and_by_site_in_order_of_time(database: Database) -> None:
    write(database, *reversed(CHANGES))
    write(database, *reversed(CHANGES))  # again: no effect
    with database.read() as connection:
        assert find_changes(connection) == CHANGES
        assert find_changes(connection, domain="de.example.org") == [CHANGES[1]]
        assert find_changes(connection, registered_domain="example.org") == CHANGES[:2]
        assert find_changes(connection, domain="example.org") == []
