"""Alerts that no visit raises: time has passed, or a process was killed before it could."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.sources.alerts.book import DAY, Problem
from wikicrawler.sources.alerts.events import AlertEvent
from wikicrawler.sources.schedule.state import MAX_FAILURES
from wikicrawler.spending.ledger import WARN_SHARE
from wikicrawler.spending.months import month_of
from wikicrawler.spending.report import report
from wikicrawler.store.alerts import find_alerts, last_alerts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.agenda.agenda import Entry
    from wikicrawler.sources.alerts.book import AlertBook, Notice
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.store.alerts import AlertRow
    from wikicrawler.store.source_states import SourceState


def check_sources(
    book: AlertBook, entries: Iterable[Entry], now: float, patience: float
) -> list[Notice]:
    """Report the sources that did not change for long, and those that are paused without an alert.
    What has an open alert is not reported again.

    :param patience: seconds without a change after which a source raises an alert
    :raises StoreError: the database is unavailable
    """
    entries = list(entries)
    if not any(entry.state.last_started for entry in entries):
        return []  # nothing was ever visited
    with book.database.read() as connection:
        pauses = last_alerts(connection, AlertEvent.PAUSED)
        waits = last_alerts(connection, AlertEvent.NO_CHANGE)
    notices: list[Notice] = []
    for entry in entries:
        source, state = entry.source, entry.state
        pause, wait = pauses.get(source.id), waits.get(source.id)
        began = state.last_started or 0.0
        if state.consecutive_failures >= MAX_FAILURES:
            if pause is None or pause.last_seen < began:
                notices += book.report(paused(source, state), began=began)
        elif state.paused_at is None and (wait is None or wait.resolved_at is not None):
            problem = unchanged(source, state, wait, now, patience)
            notices += book.report(problem) if problem else []
    return notices


def check_credits(book: AlertBook, settings: BaseSettings, now: float) -> list[Notice]:
    """Resolve the alerts about credits of earlier months, and those of services whose limit was
    raised.

    :raises ConfigError: a limit is wrong
    :raises StoreError: the database is unavailable
    """
    if not book.database.has_tables():
        return []
    with book.database.read() as connection:
        alerts = find_alerts(connection, only_open=True, event=AlertEvent.CREDITS)
    if not alerts:
        return []
    month = month_of(now)
    reports = {
        one.service: one for one in report(settings, book.database, now) if one.month == month
    }
    notices: list[Notice] = []
    for alert in alerts:
        why = ""
        found = reports.get(alert.subject)
        if month_of(alert.first_seen) != month:
            why = "a new month has begun"
        elif found is None or found.limit is None or found.credits < WARN_SHARE * found.limit:
            why = "the limit was changed"
        if why:
            notices += book.resolve(alert.subject, [AlertEvent.CREDITS], why)
    return notices


def paused(source: Source, state: SourceState, error: str = "") -> Problem:
    """Return the problem of a source that failed too often."""
    message = (
        f"{state.consecutive_failures} scheduled visits in a row failed"
        f"{f', the last one with {error}' if error else ''}; "
        f"scrapy sources resume {source.id} visits it again"
    )
    return Problem(AlertEvent.PAUSED, source.id, message, source.url)


def unchanged(
    source: Source, state: SourceState, last: AlertRow | None, now: float, patience: float
) -> Problem | None:
    """Return the problem of a source that did not change for long; None if it has not.

    Only a source counts that was visited since it changed. After an alert that was resolved the
    time starts anew.

    :param last: the last such alert of the source
    """
    changed = state.last_changed if state.last_changed is not None else state.since
    since = max(changed, last.resolved_at) if last is not None and last.resolved_at else changed
    if (state.last_success or 0.0) <= changed or now - since < patience:
        return None
    days = int((now - changed) / DAY)
    return Problem(
        AlertEvent.NO_CHANGE, source.id, f"no change was found for {days} days", source.url
    )
