"""The database of a crawl."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from wikicrawler.errors import StateError
from wikicrawler.frontier.protocol import Unreadable
from wikicrawler.frontier.sqlite.database import MAX_CHANGES, CrawlDatabase
from wikicrawler.frontier.sqlite.loss import refuse_loss
from wikicrawler.frontier.sqlite.rows import Queued

if TYPE_CHECKING:
    from pathlib import Path


def test_requests_are_there_until_they_are_done(tmp_path: Path) -> None:
    database = CrawlDatabase.open(tmp_path)
    first = database.add("a.org", 0, "page", b"1")
    second = database.add("a.org", 0, None, b"2")
    assert database.read("a.org", 0, 0, 10, newest_first=False) == [(first, b"1"), (second, b"2")]
    assert database.read("a.org", 0, second, 10, newest_first=True) == [(first, b"1")]
    database.done(first)
    assert database.queued() == [Queued("a.org", 0, 1)]


def test_requests_are_delayed_until_their_moment(tmp_path: Path) -> None:
    database = CrawlDatabase.open(tmp_path)
    for until in (30.0, 10.0, 20.0, 10.0):
        database.delay(until, "a.org", 0, "page", b"%d" % until)
    assert (database.delayed(), database.first_moment(), database.queued()) == (4, 10.0, [])
    assert database.release(9.9, 10) == []
    assert [released.request for released in database.release(20.0, 2)] == [b"10", b"10"]
    assert [released.request for released in database.release(20.0, 2)] == [b"20"]
    assert database.sites("page") == [("a.org", 3), ("a.org", 1)]
    database.delay_until_at_most(25.0)
    assert (database.delayed(), database.first_moment()) == (1, 25.0)


def test_a_released_request_comes_after_those_that_wait(tmp_path: Path) -> None:
    database = CrawlDatabase.open(tmp_path)
    database.delay(1.0, "a.org", -2, None, b"delayed")
    first = database.add("a.org", -2, None, b"first")
    (released,) = database.release(2.0, 10)
    assert released[:2] == ("a.org", -2)
    rows = database.read("a.org", -2, 0, 10, newest_first=False)
    assert rows == [(first, b"first"), (released.number, b"delayed")]


def test_what_is_not_committed_has_not_happened(tmp_path: Path) -> None:
    database = CrawlDatabase.open(tmp_path)
    kept = database.add("a.org", 0, None, b"kept")
    database.commit()
    database.done(kept)
    database.add("a.org", 0, None, b"lost")
    database.note("seeded", b"")
    assert database.see(b"fingerprint")
    database.close()
    again = CrawlDatabase.open(tmp_path)
    assert again.read("a.org", 0, 0, 10, newest_first=False) == [(kept, b"kept")]
    assert again.noted("seeded") == set()
    assert again.see(b"fingerprint")


def test_fingerprints_and_records_are_remembered_once(tmp_path: Path) -> None:
    database = CrawlDatabase.open(tmp_path)
    assert [database.see(b"1"), database.see(b"1"), database.see(b"2")] == [True, False, True]
    database.unsee(b"1")
    assert database.see(b"1")
    feed = database.add_feed("/pages.jsonl", 17)
    assert [
        database.write(feed, b"1"),
        database.write(feed, b"1"),
        database.write(feed + 1, b"1"),
    ] == [
        True,
        False,
        True,
    ]
    database.resize_feed(feed, 30)
    assert database.feed("/pages.jsonl") == (feed, 30)


def test_a_commit_is_due_after_many_changes(tmp_path: Path) -> None:
    database = CrawlDatabase.open(tmp_path)
    for number in range(MAX_CHANGES):
        assert not database.is_due
        database.see(number.to_bytes(4, "big"))
    assert database.is_due
    database.commit()
    assert not database.is_due


def test_a_database_of_another_version_is_refused(tmp_path: Path) -> None:
    CrawlDatabase.open(tmp_path).close()
    file = sqlite3.connect(tmp_path / "frontier.sqlite")
    file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(StateError, match="of another version"):
        CrawlDatabase.open(tmp_path)


def test_a_request_that_was_changed_is_known_by_the_url_beside_it(tmp_path: Path) -> None:
    database = CrawlDatabase.open(tmp_path)
    url = "https://a.org/ä".encode()
    number = database.add("a.org", 0, None, b'{"url": "https://a.org/1"}', url=url)
    database.delay(1.0, "a.org", 0, None, b"delayed", url=b"https://a.org/2")
    database.commit()
    database._connection.execute("UPDATE kept SET request = x'00'")
    database._connection.execute("UPDATE requests SET request = x'7b7d'")
    again = [(number, Unreadable("https://a.org/ä"))]
    assert database.read("a.org", 0, 0, 10, newest_first=False) == again
    (released,) = database.release(2.0, 10)
    assert released.request == Unreadable("https://a.org/2")
    rows = database.read("a.org", 0, number, 10, newest_first=False)
    assert rows == [(released.number, Unreadable("https://a.org/2"))]  # also after a restart


CHANGES = [
    "DELETE FROM requests WHERE id = 1",
    "UPDATE requests SET id = 9 WHERE id = 1",
    "UPDATE kept SET site = 'b.org'",
    "UPDATE seen SET fingerprint = x'0102' WHERE fingerprint = x'01'",
    "INSERT INTO seen VALUES (x'09')",
    "UPDATE seen SET fingerprint = CAST(fingerprint AS TEXT)",
    "UPDATE facts SET value = x'09'",
    "UPDATE facts SET name = 'seedz'",
    "UPDATE feeds SET size = 6",
    "UPDATE feeds SET path = 'other.jsonl'",
    "DELETE FROM written",
    "UPDATE about SET value = '[]' WHERE name = 'sums'",
    "DELETE FROM about WHERE name = 'sums'",
]


@pytest.mark.parametrize("change", CHANGES)
def test_rows_that_were_changed_are_noticed(tmp_path: Path, change: str) -> None:
    database = CrawlDatabase.open(tmp_path)
    for text in (b"1", b"2"):
        database.add("a.org", 0, None, text)
        database.see(b"\0" + text)
    database.see(b"\1")
    database.delay(1.0, "a.org", 0, None, b"3")
    database.note("seeds", b"4")
    database.write(database.add_feed("pages.jsonl", 5), b"key")
    database.commit()
    database.close()
    refuse_loss(tmp_path)
    file = sqlite3.connect(tmp_path / "frontier.sqlite", isolation_level=None)
    file.execute(change)
    file.close()
    with pytest.raises(StateError, match=r"the rows of the table .* are not those that were commi"):
        refuse_loss(tmp_path)
