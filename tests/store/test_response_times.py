"""Response times by the sums of the log."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.audit.samples import DAY, operation, write
from wikicrawler.store.audit_names import engines
from wikicrawler.store.audit_summaries import Question, response_times

if TYPE_CHECKING:
    from wikicrawler.store.database import Database


@pytest.fixture
def timed(database: Database) -> Database:
    write(
        database,
        operation(1, ms=10),
        operation(2, ms=10, source="b"),
        operation(3, ms=4000, engine="browser"),
        operation(4, ms=500, at=DAY + timedelta(days=40)),
    )
    return database


@pytest.mark.parametrize(
    ("first", "last", "only", "expected"),
    [
        (None, None, {}, [(10, 2), (500, 1), (4000, 1)]),
        (date(2026, 2, 1), date(2026, 2, 28), {}, [(10, 2), (4000, 1)]),
        (date(2026, 3, 1), None, {}, [(500, 1)]),
        (None, None, {"source": "b"}, [(10, 1)]),
        (None, None, {"engine": "browser"}, [(4000, 1)]),
        (date(2030, 1, 1), None, {}, []),
    ],
)
def test_times_are_counted(
    timed: Database,
    first: date | None,
    last: date | None,
    only: dict[str, str],
    expected: list[tuple[int, int]],
) -> None:
    with timed.read() as connection:
        found = response_times(connection, Question("source", first, last, **only))
    assert [count for _, count in found] == [count for _, count in expected]
    for (shown, _), (exact, _) in zip(found, expected, strict=True):
        assert shown == pytest.approx(exact, rel=0.05)


def test_a_log_without_operations_has_none(database: Database) -> None:
    with database.read() as connection:
        assert response_times(connection, Question("day")) == []
        assert engines(connection) == []


def test_its_engines_are_known(timed: Database) -> None:
    with timed.read() as connection:
        assert engines(connection) == ["browser", "http"]
