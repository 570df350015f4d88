"""What failed, by its cause."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.audit.samples import DAY, operation, write
from tests.sources.overview.test_listing import HOSTILE, visited
from wikicrawler.sources.alerts.events import Severity
from wikicrawler.sources.overview import error_rows as module
from wikicrawler.sources.overview.error_rows import ErrorsAsked, exported
from wikicrawler.sources.overview.errors import errors
from wikicrawler.store.alerts import raise_alert, resolve_alert
from wikicrawler.store.audit_chain import KeptResponse
from wikicrawler.store.source_states import SourceState, save_states

if TYPE_CHECKING:
    from wikicrawler.store.database import Database

NOW = (DAY + timedelta(hours=3)).timestamp()


@pytest.fixture
def failures(database: Database) -> Database:
    """Five failed fetches, a good one, and a failed visit."""
    kept = KeptResponse([("Server", "x")], b"no", 2)
    write(
        database,
        operation(1, status=503, url="https://a.example.org/1", source="a", response=kept),
        operation(2, status=503, url="https://b.example.org/2", source="b", engine="browser"),
        operation(3, status=403, url="https://other.com/", source="a"),
        operation(4, status=None, error="DownloadTimeoutError: 30 s", source=None),
        operation(5, status=200),
        operation(
            6,
            status=None,
            error=f"Odd: {HOSTILE[1]}",
            source=HOSTILE[1],
            url=f"https://h.com/{HOSTILE[1]}",
        ),
    )
    visited(database, "b", DAY.timestamp() + 30, error="blocked: HTTP 403")
    return database


def test_failures_are_grouped_by_cause_status_and_site(
    failures: Database, reader: Database
) -> None:
    found = errors(reader, ErrorsAsked(), now=NOW)
    groups = {(one.cause, one.status, one.site): one for one in found.groups}
    busy = groups["unavailable", 503, "example.org"]
    assert (busy.count, busy.unresolved, busy.sources) == (2, 2, (("b", 1), ("a", 1)))
    assert busy.first < busy.last
    assert groups["forbidden", 403, "other.com"].severity is Severity.HIGH
    assert groups["timeout", None, "example.org"].count == 1
    assert groups["blocked", 403, ""].example.kind == "visit"
    assert (found.matching, found.days[0].failures, found.is_cut) == (6, 5, False)
    assert found.responses == {1}


def test_a_later_success_or_a_resolved_alert_resolves_a_failure(
    failures: Database, reader: Database
) -> None:
    with failures.write() as connection:
        save_states(connection, [SourceState("a", 0.0, NOW, NOW)])
        facts = {"severity": "high", "message": "", "url": None}
        alert = raise_alert(connection, "blocked", "b", now=NOW - 60, **facts)
        resolve_alert(connection, alert.id, now=NOW, why="by an operator")
    open_ones = errors(reader, ErrorsAsked(resolved=False), now=NOW).rows
    assert {row.source for row in open_ones} == {None, HOSTILE[1]}
    assert errors(reader, ErrorsAsked(resolved=True), now=NOW).matching == 4


def test_each_filter_narrows(failures: Database, reader: Database) -> None:
    def count(**asked: object) -> int:
        return errors(reader, ErrorsAsked(**asked), now=NOW).matching  # type: ignore[arg-type]

    assert count(source="a") == 2
    assert count(engine="browser") == 1
    assert count(status=503) == 2
    assert count(severity=Severity.HIGH) == 2
    assert count(cause="timeout") == 1
    assert count(site="other.com") == 1
    assert count(last=DAY.date() - timedelta(days=1)) == 0
    assert count(source=HOSTILE[1]) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_filters_match_nothing_else(failures: Database, text: str) -> None:
    asked = ErrorsAsked(source=f"{text}.", engine=text, cause=text, site=text, status=10**30)
    assert errors(failures, asked, now=NOW).matching == 0


def test_an_export_has_all_rows_in_small_transactions(
    failures: Database, reader: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_EXPORTED_AT_ONCE", 2)
    rows = list(exported(reader, ErrorsAsked(), NOW))
    assert [row.kind for row in rows] == ["visit", *["fetch"] * 5]
    assert set(rows) == set(errors(reader, ErrorsAsked(), now=NOW).rows)


def test_an_empty_log_has_no_failures(reader: Database) -> None:
    found = errors(reader, ErrorsAsked(first=date(2026, 1, 1)), now=NOW)
    assert (found.matching, found.groups, found.pages) == (0, (), 1)
    assert list(exported(reader, ErrorsAsked(), NOW)) == []
