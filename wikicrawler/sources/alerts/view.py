"""Alerts with the messages about them, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from wikicrawler.store.alert_deliveries import deliveries_of
from wikicrawler.store.alerts import count_open, find_alerts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.store.alert_deliveries import Delivery
    from wikicrawler.store.alerts import AlertRow
    from wikicrawler.store.database import Database

PAGE = 50
State = Literal["open", "resolved", "all"]


@dataclass(frozen=True, slots=True)
class AlertLine:
    """An alert with its messages, the first queued first."""

    alert: AlertRow
    deliveries: tuple[Delivery, ...]

    @property
    def is_open(self) -> bool:
        return self.alert.resolved_at is None

    @property
    def waiting(self) -> int:
        """Number of messages that were not delivered."""
        return sum(one.delivered_at is None for one in self.deliveries)


@dataclass(frozen=True, slots=True)
class AlertPage:
    """Alerts, the last first."""

    lines: tuple[AlertLine, ...] = ()
    next: int | None = None
    """Id of the last one, to ask for those before it; None: there are no more."""
    open: Mapping[str, int] = field(default_factory=dict)
    """Numbers of all open alerts by severity."""


def alert_page(
    database: Database,
    *,
    state: State = "all",
    severity: str = "",
    event: str = "",
    subject: str = "",
    before: int | None = None,
    limit: int = PAGE,
) -> AlertPage:
    """Return alerts.

    :param subject: id of a source, or name of a service
    :param before: :attr:`AlertPage.next` of the page before
    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return AlertPage()
    with database.read() as connection:
        found = find_alerts(
            connection,
            only_open=state == "open",
            only_resolved=state == "resolved",
            severity=severity,
            event=event,
            subject=subject,
            before=before,
            limit=limit + 1,
        )
        shown = found[:limit]
        sent = deliveries_of(connection, [alert.id for alert in shown])
        counts = count_open(connection)
    lines = tuple(AlertLine(alert, tuple(sent[alert.id])) for alert in shown)
    return AlertPage(lines, shown[-1].id if len(found) > limit else None, counts)
