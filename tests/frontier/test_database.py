"""The database of a crawl."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from wikicrawler.errors import StateError
from wikicrawler.frontier.database import MAX_CHANGES, Store, Waiting

if TYPE_CHECKING:
    from pathlib import Path


def test_requests_are_there_until_they_are_done(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    first = store.add("a.org", 0, "page", b"1")
    second = store.add("a.org", 0, None, b"2")
    assert store.read("a.org", 0, 0, 10, newest_first=False) == [(first, b"1"), (second, b"2")]
    assert store.read("a.org", 0, second, 10, newest_first=True) == [(first, b"1")]
    store.done(first)
    assert store.waiting() == [Waiting("a.org", 0, 1)]


def test_requests_are_kept_until_their_moment(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    for until in (30.0, 10.0, 20.0, 10.0):
        store.keep(until, "a.org", 0, "page", b"%d" % until)
    assert (store.kept(), store.first_kept(), store.waiting()) == (4, 10.0, [])
    assert store.release(9.9, 10) == []
    assert [released.request for released in store.release(20.0, 2)] == [b"10", b"10"]
    assert [released.request for released in store.release(20.0, 2)] == [b"20"]
    assert store.sites("page") == [("a.org", 3), ("a.org", 1)]
    store.keep_until_at_most(25.0)
    assert (store.kept(), store.first_kept()) == (1, 25.0)


def test_a_released_request_comes_after_those_that_wait(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.keep(1.0, "a.org", -2, None, b"kept")
    first = store.add("a.org", -2, None, b"first")
    (released,) = store.release(2.0, 10)
    assert released[:2] == ("a.org", -2)
    rows = store.read("a.org", -2, 0, 10, newest_first=False)
    assert rows == [(first, b"first"), (released.number, b"kept")]


def test_what_is_not_committed_has_not_happened(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    kept = store.add("a.org", 0, None, b"kept")
    store.commit()
    store.done(kept)
    store.add("a.org", 0, None, b"lost")
    store.note("seeded", b"")
    assert store.see(b"fingerprint")
    store.close()
    again = Store.open(tmp_path)
    assert again.read("a.org", 0, 0, 10, newest_first=False) == [(kept, b"kept")]
    assert again.noted("seeded") == set()
    assert again.see(b"fingerprint")


def test_fingerprints_and_records_are_remembered_once(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    assert [store.see(b"1"), store.see(b"1"), store.see(b"2")] == [True, False, True]
    store.unsee(b"1")
    assert store.see(b"1")
    feed = store.add_feed("/pages.jsonl", 17)
    assert [store.write(feed, b"1"), store.write(feed, b"1"), store.write(feed + 1, b"1")] == [
        True,
        False,
        True,
    ]
    store.resize_feed(feed, 30)
    assert store.feed("/pages.jsonl") == (feed, 30)


def test_a_commit_is_due_after_many_changes(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    for number in range(MAX_CHANGES):
        assert not store.is_due
        store.see(number.to_bytes(4, "big"))
    assert store.is_due
    store.commit()
    assert not store.is_due


def test_a_database_of_the_version_before_is_taken_on(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    number = store.add("a.org", 0, None, b"1")
    store.commit()
    store.close()
    database = sqlite3.connect(tmp_path / "frontier.sqlite")
    database.execute("DROP TABLE kept")
    database.execute("PRAGMA user_version = 1")
    database.close()
    again = Store.open(tmp_path)
    assert again.read("a.org", 0, 0, 10, newest_first=False) == [(number, b"1")]
    assert again.kept() == 0


def test_a_database_of_another_version_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    database = sqlite3.connect(tmp_path / "frontier.sqlite")
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StateError, match="of another version"):
        Store.open(tmp_path)
