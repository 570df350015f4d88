"""Questions to the audit log: what is found, and by which index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from tests.audit.samples import operation, write
from wikicrawler.store.audit_queries import Wanted, find
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

FILTERS: list[dict[str, Any]] = [
    {},
    {"status": 200},
    {"status": 503},
    {"source": "reg-x"},
    {"engine": "http"},
    {"source": "reg-x", "engine": "http", "status": 200},
]


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_sqlite_finds_failures_by_their_own_index(tmp_path: Path, filters: dict[str, Any]) -> None:
    database = Database(f"sqlite:///{tmp_path}/db.sqlite")
    asked: list[tuple[str, Any]] = []
    with database.read() as connection:
        event.listen(
            connection.engine,
            "before_cursor_execute",
            lambda _c, _cursor, statement, values, *_: asked.append((statement, values)),
        )
        list(find(connection, Wanted(failed=True, **filters), 100))
        statement, values = asked[0]
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
    database.close()
    assert [row for row in plan if "audit_failures" in row[-1]]


def test_failures_are_found_with_all_that_is_asked_for(database: Database) -> None:
    write(database, operation(1), operation(2, status=503), operation(3, status=404))
    with database.read() as connection:
        assert len(list(find(connection, Wanted(failed=True)))) == 2
        (found,) = find(connection, Wanted(failed=True, status=404))
        assert found.fields["number"] == 3
        assert not list(find(connection, Wanted(failed=True, status=200)))
        assert len(list(find(connection, Wanted(status=200)))) == 1
