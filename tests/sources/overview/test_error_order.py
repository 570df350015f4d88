"""Failures searched by their texts and sorted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.audit.samples import DAY, operation, write
from tests.databases import database, url
from wikicrawler.sources.overview.error_rows import ErrorsAsked, exported
from wikicrawler.sources.overview.errors import errors

if TYPE_CHECKING:
    from wikicrawler.store.database import Database

__all__ = ["database", "url"]
NOW = (DAY + timedelta(hours=3)).timestamp()


@pytest.fixture
def failures(database: Database) -> Database:
    """Four failed fetches: two that are alike, a severe one, and a later one."""
    write(
        database,
        operation(1, status=503, url="https://a.example.org/Tax", source="a"),
        operation(2, status=503, url="https://b.example.org/2", source="b"),
        operation(3, status=403, url="https://other.com/", source="a"),
        operation(4, status=None, error="DownloadTimeoutError: 30 s", source=None),
    )
    return database


def test_the_most_severe_come_first_then_the_latest(failures: Database) -> None:
    found = errors(failures, ErrorsAsked(), sort="severity", now=NOW)
    assert [row.sequence for row in found.rows] == [3, 4, 2, 1]
    assert [group.cause for group in found.groups] == ["forbidden", "timeout", "unavailable"]


def test_the_latest_or_the_most_come_first_if_wanted(failures: Database) -> None:
    last = errors(failures, ErrorsAsked(), sort="last", now=NOW)
    assert [row.sequence for row in last.rows] == [4, 3, 2, 1]
    assert [group.cause for group in last.groups] == ["timeout", "forbidden", "unavailable"]
    count = errors(failures, ErrorsAsked(), sort="count", now=NOW)
    assert count.groups[0].cause == "unavailable"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("tax", [1]), ("EXAMPLE.org", [4, 2, 1]), ("timeout", [4]), ("%", []), ("nothing", [])],
)
def test_texts_are_searched_in_urls_and_errors(
    failures: Database, text: str, expected: list[int]
) -> None:
    found = errors(failures, ErrorsAsked(text=text), sort="last", now=NOW)
    assert [row.sequence for row in found.rows] == expected
    assert found.matching == len(expected)
    assert [row.sequence for row in exported(failures, ErrorsAsked(text=text), NOW)] == expected


def test_groups_count_what_the_text_leaves(failures: Database) -> None:
    (group,) = errors(failures, ErrorsAsked(text="/tax"), now=NOW).groups
    assert (group.count, group.unresolved, group.sources) == (1, 1, (("a", 1),))
    assert (group.first, group.last, group.example.sequence) == (group.last, group.first, 1)


def test_pages_follow_the_order(failures: Database) -> None:
    asked = ErrorsAsked()
    pages = [
        [
            row.sequence
            for row in errors(failures, asked, sort="severity", page=n, size=3, now=NOW).rows
        ]
        for n in (1, 2, 9)
    ]
    assert pages == [[3, 4, 2], [1], [1]]
