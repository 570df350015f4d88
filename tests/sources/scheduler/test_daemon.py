"""What the daemon does while nothing is due."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from wikicrawler.errors import StoreError
from wikicrawler.sources.scheduler import daemon as module
from wikicrawler.sources.scheduler.daemon import Daemon
from wikicrawler.sources.scheduler.outlook import Outlook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.sources.agenda.agenda import Entry


class NoCrawls:
    def __init__(self) -> None:
        self.count = 0

    def start(self) -> int:
        self.count += 1
        return 0

    def stop(self) -> None: ...

    kill = stop


class Alerts:
    """Counts how often alerts are looked after; *error* is raised."""

    def __init__(self, error: Exception | None = None) -> None:
        self.count = 0
        self.error = error

    def __call__(self, entries: Sequence[Entry]) -> None:
        self.count += 1
        if self.error is not None:
            raise self.error


def outlook(*, is_due: bool) -> Outlook:
    return Outlook(is_due=is_due, next_at=datetime(2100, 1, 1, tzinfo=UTC))


def test_alerts_are_looked_after_once_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    alerts = Alerts()
    daemon = Daemon(NoCrawls(), lambda: outlook(is_due=False), 60, alerts)
    daemon._wake()
    daemon._wake()
    assert alerts.count == 1
    now = module.ALERTS_SECONDS
    daemon._wake()
    assert alerts.count == 2


def test_while_sources_are_due_the_crawls_look_after_alerts() -> None:
    alerts, crawls = Alerts(), NoCrawls()
    Daemon(crawls, lambda: outlook(is_due=True), 60, alerts)._wake()
    assert (crawls.count, alerts.count) == (1, 0)


@pytest.mark.parametrize("error", [StoreError("locked"), ValueError("locked")])
def test_errors_are_logged(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    alerts = Alerts(error)
    daemon = Daemon(NoCrawls(), lambda: outlook(is_due=False), 60, alerts)
    daemon._wake()
    assert "Alerts cannot be stored or delivered" in caplog.text
    assert "locked" in caplog.text
    assert daemon.run_once() == 0
