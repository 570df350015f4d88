"""Keeps alerts in the database. A problem that lasts is one alert, with one message."""

from __future__ import annotations

import logging
from time import time
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler import options
from wikicrawler.sources.alerts import messages
from wikicrawler.sources.alerts.channels import read_channels
from wikicrawler.sources.alerts.events import LEVELS, AlertEvent, Severity, read_severities
from wikicrawler.sources.alerts.writing import write
from wikicrawler.store.alert_deliveries import add_deliveries, channels_of
from wikicrawler.store.alerts import (
    add_notice,
    find_alerts,
    note_reminder,
    raise_alert,
    resolve_alerts,
)
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Self

    from scrapy.settings import BaseSettings
    from sqlalchemy import Connection

    from wikicrawler.sources.alerts.channels import Channel
    from wikicrawler.store.alerts import AlertRow

DAY = 86_400.0


class Notice(NamedTuple):
    """What became of alerts, for the log and the stats."""

    level: int
    text: str
    stat: str


class Problem(NamedTuple):
    """What an alert is about."""

    event: AlertEvent
    subject: str
    """The id of the source, or the name of the service."""
    message: str
    url: str | None = None
    """Of the source."""


class AlertBook:
    """The alerts in *database*. The methods block; call them in a thread.

    An alert and its messages are written in one transaction, so a process that is killed loses
    neither.

    :param severities: of the events that raise alerts
    :param reminder: seconds after which another message is sent about an open alert; 0: none is
    """

    def __init__(
        self,
        database: Database,
        channels: Sequence[Channel],
        severities: Mapping[AlertEvent, Severity],
        reminder: float = 0.0,
    ) -> None:
        self.database = database
        self.channels = channels
        self._severities = severities
        self._reminder = reminder

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """
        :raises ConfigError: a setting is wrong
        """
        return cls(
            Database.from_settings(settings),
            read_channels(settings),
            read_severities(settings),
            options.ALERT_REMINDER_DAYS.read(settings) * DAY,
        )

    def report(self, problem: Problem, *, began: float | None = None) -> list[Notice]:
        """Open an alert and queue its messages, or note that it was seen again.

        :param began: since when the problem exists. An open alert that was not seen since is about
            an earlier one, and is resolved without a message
        :raises StoreError: the database is unavailable
        """
        severity = self._severities.get(problem.event)
        if severity is None:
            return []
        alert = write(self.database, lambda c: self._report(c, problem, severity, began))
        verb = "raised" if alert.times == 1 else "repeated"
        text = f"Alert {alert.event} ({severity}): {alert.subject}: {alert.message}"
        if alert.times > 1:
            text += f" ({alert.times} times since {messages.moment(alert.first_seen)})"
        return [Notice(LEVELS[severity], text, f"alerts/{verb}_count/{alert.event}")]

    def resolve(self, subject: str, events: Collection[AlertEvent], why: str) -> list[Notice]:
        """Resolve the open alerts of *subject* about *events*, and queue one message to the
        channels that got theirs.

        :raises StoreError: the database is unavailable
        """
        found = write(self.database, lambda c: _resolve(c, subject, events, why))
        return [
            Notice(
                logging.INFO,
                f"Alert {alert.event} is resolved: {alert.subject}: {why}",
                f"alerts/resolved_count/{alert.event}",
            )
            for alert in found
        ]

    def remind(self) -> None:
        """Queue reminders of the alerts that are open for long.

        :raises StoreError: the database is unavailable
        """
        if not self._reminder:
            return

        def remind(connection: Connection) -> None:
            for alert in find_alerts(connection, only_open=True):
                self._remind(connection, alert, time())

        write(self.database, remind)

    def _report(
        self, connection: Connection, problem: Problem, severity: Severity, began: float | None
    ) -> AlertRow:
        now = time()
        if began is not None:
            resolve_alerts(
                connection,
                problem.subject,
                [problem.event],
                now=now,
                why="it happened again",
                seen_before=began,
            )
        alert = _save(connection, problem, severity, now)
        if alert.times == 1:
            names = [one.name for one in self.channels if one.accepts(problem.event, severity)]
            message = messages.raised(alert)
            _queue(connection, alert, "raised", names, message=message, now=now)
        else:
            self._remind(connection, alert, now)
        return alert

    def _remind(self, connection: Connection, alert: AlertRow, now: float) -> None:
        since = now - self._reminder
        if self._reminder and alert.notified_at <= since:
            names = channels_of(connection, [alert.id])
            if note_reminder(connection, alert.id, since=since, now=now):
                message = messages.reminder(alert)
                _queue(connection, alert, "reminder", names, message=message, now=now)


def _save(connection: Connection, problem: Problem, severity: Severity, now: float) -> AlertRow:
    save = add_notice if problem.event is AlertEvent.CHANGED else raise_alert
    return save(
        connection,
        problem.event.value,
        problem.subject,
        severity=severity.value,
        message=one_line(problem.message),
        url=problem.url,
        now=now,
    )


def _resolve(
    connection: Connection, subject: str, events: Collection[AlertEvent], why: str
) -> list[AlertRow]:
    now = time()
    found = resolve_alerts(connection, subject, events, now=now, why=why)
    if found:
        names = channels_of(connection, [alert.id for alert in found])
        message = messages.resolved(found, why)
        _queue(connection, found[-1], "resolved", names, message=message, now=now)
    return found


def _queue(
    connection: Connection,
    alert: AlertRow,
    kind: str,
    channels: Collection[str],
    *,
    message: messages.Message,
    now: float,
) -> None:
    add_deliveries(
        connection,
        alert.id,
        kind,
        channels,
        severity="info" if kind == "resolved" else alert.severity,
        title=message.title,
        body=message.body,
        now=now,
    )
