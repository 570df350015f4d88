"""Search in the log: what is found, page by page, and by which index."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.audit.samples import DAY, operation, outcome, start, write
from wikicrawler.store import audit_search
from wikicrawler.store.audit_search import Search, search

if TYPE_CHECKING:
    from wikicrawler.store.database import Database

HOSTILE = ("'; DROP TABLE audit; --", "a\0b", "\ud800", "%", "\u202e")


@pytest.fixture
def log(database: Database) -> Database:
    """Records of which some have the same time."""
    write(
        database,
        start(1),
        *(
            operation(n, at=DAY + timedelta(seconds=n // 3), source=f"s{n % 2}")
            for n in range(2, 9)
        ),
        operation(9, status=503, engine="browser", url="https://b.org/x", source="s1"),
        outcome(10, 9, source="s1"),
    )
    return database


def found(database: Database, limit: int = 100, **wanted: Any) -> list[int]:
    """Return the sequences of all pages."""
    sequences: list[int] = []
    before = None
    while True:
        with database.read() as connection:
            page = search(connection, Search(**wanted), before=before, limit=limit)
        sequences += [one.sequence for one in page.records]
        if page.next is None:
            return sequences
        before = page.next


def test_pages_follow_each_other_without_gaps(log: Database) -> None:
    everything = found(log)
    assert sorted(everything) == list(range(1, 11))
    for limit in (1, 2, 3, 10):
        assert found(log, limit) == everything


def test_each_filter_narrows(log: Database) -> None:
    assert found(log, kind="start") == [1]
    assert found(log, kind="outcome") == [10]
    assert found(log, source="s1", kind="request") == [9, 7, 5, 3]
    assert found(log, status=503) == found(log, engine="browser") == found(log, failed=True) == [9]
    assert found(log, failed=True, source="s0") == []
    assert found(log, url="https://b.org/") == [9]
    assert found(log, last=DAY.date() - timedelta(days=1)) == []
    assert len(found(log, first=DAY.date(), last=DAY.date())) == 10


def test_a_search_for_a_url_looks_at_a_limited_number_of_records(
    log: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_search, "MAX_LOOKED_AT", 4)
    with log.read() as connection:
        page = search(connection, Search(url="https://nobody.org/"))
    assert (page.records, page.looked_at) == ([], 4)
    assert found(log, url="https://example.org/2") == [2]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_find_nothing(log: Database, text: str) -> None:
    for name in ("source", "kind", "engine", "url"):
        assert found(log, **{name: text}) == []
    assert found(log, status=10**30) == found(log, status=-(10**30)) == []
    with log.read() as connection:
        assert search(connection, Search(), before=10**30).records == []
