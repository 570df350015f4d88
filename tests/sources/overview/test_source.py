"""One source: its visits, documents and days, a page at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.sources.overview.test_listing import DAY, NOW, visited
from wikicrawler.sources.overview.source import calendar, documents, runs
from wikicrawler.store.source_pages import PageState, save_page

if TYPE_CHECKING:
    from wikicrawler.store.database import Database


def test_pages_of_visits_follow_each_other(database: Database, reader: Database) -> None:
    for number in range(5):
        visited(database, "s0", NOW - number * 60)
    visited(database, "s1", NOW - 9)
    first = runs(reader, "s0", limit=2)
    second = runs(reader, "s0", first.next, limit=2)
    third = runs(reader, "s0", second.next, limit=2)
    found = [one.started for page in (first, second, third) for one in page.visits]
    assert found == [NOW - number * 60 for number in range(5)]
    assert third.next is None
    assert runs(reader, "s0\0", (NOW, "\ud800")).visits == ()


def test_pages_of_documents_follow_each_other(database: Database, reader: Database) -> None:
    with database.write() as connection:
        for name in ("a", "b%", "b_c", "bx"):
            facts = (True, None, None, "1", "http", None, None, None, 0, None, None, 0, NOW, NOW)
            save_page(connection, PageState("s0", f"https://a.org/{name}", *facts, None))
    first = documents(reader, "s0", limit=3)
    rest = documents(reader, "s0", after=first.next or "", limit=3)
    assert len({one.url for one in (*first.pages, *rest.pages)}) == 4
    assert (first.counts.known, rest.next) == (4, None)
    (only,) = documents(reader, "s0", prefix="https://a.org/b%").pages
    assert only.url.endswith("b%")


def test_a_calendar_has_each_day(database: Database, reader: Database) -> None:
    visited(database, "s0", NOW - DAY, new=2)
    visited(database, "s0", NOW - DAY + 60, error="timeout")
    days = calendar(reader, "s0", datetime.fromtimestamp(NOW, UTC).date(), days=3)
    assert [(one.visits, one.failed, one.changes) for one in days] == [
        (0, 0, 0),
        (2, 1, 2),
        (0, 0, 0),
    ]
