"""What the end of a visit means for the alerts of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.sources.alerts.book import Problem
from wikicrawler.sources.alerts.checks import paused, unchanged
from wikicrawler.sources.alerts.events import AlertEvent
from wikicrawler.sources.schedule.retry import VisitError
from wikicrawler.sources.schedule.state import MAX_FAILURES
from wikicrawler.sources.visits.visit import CHANGES
from wikicrawler.store.alerts import last_alerts

if TYPE_CHECKING:
    from wikicrawler.sources.alerts.book import AlertBook, Notice
    from wikicrawler.sources.visits.visit import SourceVisit
    from wikicrawler.store.source_states import SourceState

_BLOCKED = frozenset({VisitError.FORBIDDEN, VisitError.CAPTCHA})
_OF_FAILURES = (AlertEvent.BLOCKED, AlertEvent.MOVED, AlertEvent.PAUSED)


def report_visit(
    book: AlertBook, visit: SourceVisit, state: SourceState, *, scheduled: bool, patience: float
) -> list[Notice]:
    """Report and resolve what *visit* shows.

    :param state: of the source, after the visit
    :param patience: seconds without a change after which the source raises an alert
    :raises StoreError: the database is unavailable
    """
    source = visit.source
    notices: list[Notice] = []

    def report(event: AlertEvent, message: str) -> None:
        notices.extend(book.report(Problem(event, source.id, message, source.url)))

    if visit.is_gone or visit.error_kind is VisitError.MISSING:
        why = visit.error or "it was there before"
        report(AlertEvent.MOVED, f"the url of the source is not there: {why}")
    elif visit.error_kind in _BLOCKED:
        report(AlertEvent.BLOCKED, f"the url of the source cannot be fetched: {visit.error}")
    if visit.error and state.consecutive_failures >= MAX_FAILURES:
        is_new = scheduled and state.consecutive_failures == MAX_FAILURES
        began = visit.started if is_new else None
        notices += book.report(paused(source, state, visit.error), began=began)
    if not (visit.error or visit.is_gone):
        notices += book.resolve(source.id, _OF_FAILURES, "the source works again")
    changes = visit.changes()
    if changes.total():
        notices += book.resolve(source.id, [AlertEvent.NO_CHANGE], "the source has changed")
        if visit.is_known:  # the first visit has nothing to compare with
            shown = ", ".join(f"{changes[kind]} {kind}" for kind in CHANGES)
            report(AlertEvent.CHANGED, f"documents: {shown}")
        return notices
    if visit.error or visit.is_gone:
        return notices
    with book.database.read() as connection:
        last = last_alerts(connection, AlertEvent.NO_CHANGE).get(source.id)
    if problem := unchanged(source, state, last, visit.started, patience):
        notices += book.report(problem)
    return notices
