"""Alerts with their messages, a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikicrawler.sources.alerts.view import alert_page
from wikicrawler.store.alert_deliveries import add_deliveries
from wikicrawler.store.alerts import add_notice, raise_alert, resolve_alert
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000.0


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/db.sqlite"
    return request.getfixturevalue("postgres").empty_database()


def test_alerts_are_filtered_and_have_their_messages(url: str) -> None:
    database = Database(url)
    with database.write() as connection:
        for number in range(5):
            facts = {"severity": "high", "message": "<b>", "url": None, "now": NOW}
            alert = raise_alert(connection, "blocked", f"s{number}", **facts)
            if number % 2:
                resolve_alert(connection, alert.id, now=NOW, why="it works")
        message = {"severity": "high", "title": "t", "body": "b", "now": NOW}
        add_deliveries(connection, alert.id, "raised", ["mail"], **message)
        add_notice(connection, "changed", "s0", severity="info", message="", url=None, now=NOW)
    database.close()
    reader = Database(url, read_only=True)
    first = alert_page(reader, limit=2)
    assert [line.alert.event for line in first.lines] == ["changed", "blocked"]
    assert (first.lines[1].waiting, first.lines[1].is_open, first.open) == (1, True, {"high": 3})
    rest = alert_page(reader, before=first.next)
    assert [line.alert.subject for line in rest.lines] == ["s3", "s2", "s1", "s0"]
    assert len(alert_page(reader, state="open").lines) == 3
    assert len(alert_page(reader, state="resolved", event="blocked").lines) == 2
    assert len(alert_page(reader, subject="s0").lines) == 2
    for text in ("a\0b", "\ud800", "'; --"):
        assert alert_page(reader, subject=text, severity=text, event=text).lines == ()
    reader.close()


def test_a_database_without_tables_has_no_alerts(url: str) -> None:
    found = alert_page(Database(url, read_only=True))
    assert (found.lines, found.open, found.next) == ((), {}, None)
