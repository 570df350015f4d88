"""Alerts about watched sources and paid services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.slices import asked_number, asked_text, slices
from wikicrawler.store.tables import alerts

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection


class AlertRow(NamedTuple):
    """An alert. The columns of ``alerts`` describe the fields."""

    id: int
    event: str
    subject: str
    severity: str
    message: str
    url: str | None
    first_seen: float
    last_seen: float
    times: int
    notified_at: float
    resolved_at: float | None
    resolution: str | None


_COLUMNS = [alerts.c[name] for name in AlertRow._fields]
_IS_OPEN = alerts.c.resolved_at.is_(None)


def raise_alert(
    connection: Connection,
    event: str,
    subject: str,
    *,
    severity: str,
    message: str,
    url: str | None,
    now: float,
) -> AlertRow:
    """Open an alert, or note that the open one of this event and subject was seen again.

    It is one statement, so processes that do it at the same time open one alert. A new alert was
    seen once.
    """
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(alerts).values(
        **_new(event, subject, severity=severity, message=message, url=url, now=now)
    )
    statement = statement.on_conflict_do_update(
        index_elements=[alerts.c.event, alerts.c.subject],
        index_where=text("resolved_at IS NULL"),
        set_={
            **{name: statement.excluded[name] for name in ("severity", "message", "url")},
            "last_seen": now,
            "times": alerts.c.times + 1,
        },
    )
    return AlertRow(*connection.execute(statement.returning(*_COLUMNS)).one())


def add_notice(
    connection: Connection,
    event: str,
    subject: str,
    *,
    severity: str,
    message: str,
    url: str | None,
    now: float,
) -> AlertRow:
    """Add an alert about something that is over: it is never open."""
    values = _new(event, subject, severity=severity, message=message, url=url, now=now)
    statement = insert(alerts).values(**values, resolved_at=now)
    return AlertRow(*connection.execute(statement.returning(*_COLUMNS)).one())


def _new(event: str, subject: str, *, now: float, **facts: Any) -> dict[str, Any]:
    seen = {"first_seen": now, "last_seen": now, "notified_at": now}
    return {"event": event, "subject": subject, **facts, **seen, "times": 1}


def resolve_alerts(
    connection: Connection,
    subject: str,
    events: Collection[str],
    *,
    now: float,
    why: str,
    seen_before: float | None = None,
) -> list[AlertRow]:
    """Resolve the open alerts of *subject* about *events*; return them, the oldest first.

    :param seen_before: only those that were not seen since then
    """
    mine = (alerts.c.subject == subject) & alerts.c.event.in_(list(events)) & _IS_OPEN
    if seen_before is not None:
        mine &= alerts.c.last_seen < seen_before
    statement = update(alerts).where(mine).values(resolved_at=now, resolution=why)
    rows = connection.execute(statement.returning(*_COLUMNS))
    return sorted(AlertRow(*row) for row in rows)


def resolve_alert(connection: Connection, number: int, *, now: float, why: str) -> bool:
    """Resolve the alert *number*; return False if there is no such open alert."""
    statement = update(alerts).where((alerts.c.id == number) & _IS_OPEN)
    statement = statement.values(resolved_at=now, resolution=why).returning(alerts.c.id)
    return connection.execute(statement).first() is not None


def note_reminder(connection: Connection, number: int, *, since: float, now: float) -> bool:
    """Note that a reminder of the open alert *number* is queued; return False if the last message
    was queued after *since*, by another process, too."""
    mine = (alerts.c.id == number) & _IS_OPEN & (alerts.c.notified_at <= since)
    statement = update(alerts).where(mine).values(notified_at=now).returning(alerts.c.id)
    return connection.execute(statement).first() is not None


def find_alerts(
    connection: Connection,
    *,
    only_open: bool = False,
    only_resolved: bool = False,
    severity: str = "",
    subject: str = "",
    event: str = "",
    before: int | None = None,
    limit: int = 1000,
) -> list[AlertRow]:
    """Return alerts, the last first. What is empty or False does not restrict them.

    :param before: only alerts with a lower id
    """
    query = select(*_COLUMNS).order_by(alerts.c.id.desc()).limit(limit)
    if only_open:
        query = query.where(_IS_OPEN)
    if only_resolved:
        query = query.where(~_IS_OPEN)
    if before is not None:
        query = query.where(alerts.c.id < asked_number(before))
    for name, value in {"severity": severity, "subject": subject, "event": event}.items():
        if value:
            query = query.where(alerts.c[name] == asked_text(value))
    return [AlertRow(*row) for row in connection.execute(query).all()]


def resolved_since(connection: Connection, subjects: Collection[str]) -> dict[str, float]:
    """Return when the last alert of each of *subjects* was resolved that was no mere notice."""
    found: dict[str, float] = {}
    for some in slices(subjects):
        query = select(alerts.c.subject, func.max(alerts.c.resolved_at)).where(
            alerts.c.subject.in_(some), alerts.c.resolution.is_not(None)
        )
        rows = connection.execute(query.group_by(alerts.c.subject)).all()
        found.update({row[0]: row[1] for row in rows})
    return found


def last_alerts(connection: Connection, event: str) -> dict[str, AlertRow]:
    """Return the last alert about *event* of each subject, open or not."""
    newest = select(func.max(alerts.c.id)).where(alerts.c.event == event).group_by(alerts.c.subject)
    rows = connection.execute(select(*_COLUMNS).where(alerts.c.id.in_(newest)))
    return {row.subject: AlertRow(*row) for row in rows}


def count_open(connection: Connection) -> dict[str, int]:
    """Return the number of open alerts by severity."""
    query = select(alerts.c.severity, func.count()).where(_IS_OPEN).group_by(alerts.c.severity)
    return {row[0]: row[1] for row in connection.execute(query)}
