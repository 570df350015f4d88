"""Searches that no index answers alone, and all that a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.audit.samples import DAY, operation, outcome, write
from wikicrawler.audit import searching
from wikicrawler.audit.control import Control, record_controls
from wikicrawler.audit.searching import exported, search_log
from wikicrawler.store.audit_search import Search

if TYPE_CHECKING:
    from wikicrawler.store.database import Database


@pytest.fixture
def steered(database: Database) -> Database:
    """A log with operations, and with controls of two people in turn."""
    write(database, operation(1), operation(2), outcome(3, of=1))
    for number in range(40):
        control = Control("source.pause", f"s{number}", {"reason": ""})
        with database.write() as connection:
            by = "ann" if number % 4 else "bob"
            record_controls(connection, [control], by=by, via="command", at=DAY)
    return database


def test_what_a_person_did_is_found_page_by_page(steered: Database) -> None:
    found: list[str] = []
    before = None
    while True:
        page = search_log(steered, Search(), by="bob", before=before, limit=3)
        found += [record.fields["subject"] for record in page.records]
        before = page.next
        if before is None:
            break
    assert found == [f"s{number}" for number in range(36, -1, -4)]


def test_the_beginning_of_a_name_is_enough(steered: Database) -> None:
    assert len(search_log(steered, Search(), by="a").records) == 30
    assert search_log(steered, Search(), by="nn").records == ()


def test_people_have_no_requests(steered: Database) -> None:
    found = search_log(steered, Search(kind="request"), by="ann")
    assert (found.records, found.next) == ((), None)


def test_a_page_looks_at_a_limited_number_of_controls(
    steered: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "_AT_ONCE", 5)
    monkeypatch.setattr(searching, "MAX_LOOKED_AT", 10)
    first = search_log(steered, Search(), by="nobody")
    assert (first.records, first.looked_at) == ((), 10)
    assert first.next is not None
    assert search_log(steered, Search(), by="nobody", before=first.next).next != first.next


def test_all_that_a_search_finds_is_exported(
    steered: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "_AT_ONCE", 7)
    found = list(exported(steered, Search()))
    assert sorted(one.record.sequence for one in found) == list(range(1, 44))
    outcomes = {one.record.sequence: one.outcome for one in found if one.outcome}
    assert list(outcomes) == [1]
    assert len(list(exported(steered, Search(), by="bob"))) == 10
