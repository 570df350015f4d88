"""Messages about alerts on their way to channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import insert, select, text, update

from wikicrawler.store.tables import alert_deliveries

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from sqlalchemy import Connection

_AT_ONCE = 1000
"""Maximum number of messages that are claimed at once."""
_LOCK = 0x77696B6E  # of PostgreSQL's advisory locks; another than those of other modules


class Delivery(NamedTuple):
    """A message for a channel. The columns of ``alert_deliveries`` describe the fields."""

    id: int
    alert: int
    kind: str
    channel: str
    at: float
    severity: str
    title: str
    body: str
    attempts: int = 0
    error: str | None = None
    delivered_at: float | None = None
    owner: str | None = None
    leased_until: float | None = None


_COLUMNS = [alert_deliveries.c[name] for name in Delivery._fields]
_WAITS = alert_deliveries.c.delivered_at.is_(None)


def add_deliveries(
    connection: Connection,
    alert: int,
    kind: str,
    channels: Iterable[str],
    *,
    severity: str,
    title: str,
    body: str,
    now: float,
) -> None:
    """Queue a message for each of *channels*."""
    for channel in channels:
        connection.execute(
            insert(alert_deliveries).values(
                alert=alert,
                kind=kind,
                channel=channel,
                at=now,
                severity=severity,
                title=title,
                body=body,
                attempts=0,
            )
        )


def channels_of(connection: Connection, alerts: Collection[int]) -> list[str]:
    """Return the channels that have messages about *alerts*, sorted."""
    mine = alert_deliveries.c.alert.in_(list(alerts))
    query = select(alert_deliveries.c.channel).where(mine).distinct()
    return sorted(connection.scalars(query))


def claim_deliveries(
    connection: Connection,
    channels: Collection[str],
    *,
    owner: str,
    is_gone: Callable[[str], bool],
    now: float,
    until: float,
    oldest: float,
    again: bool,
) -> list[Delivery]:
    """Claim the messages that wait for *channels*; return them in the order of their queue.

    :param owner: process that delivers them
    :param is_gone: tells whether another process has ended: its claims are free
    :param until: when the claims become free by themselves
    :param oldest: messages that were queued earlier are left out
    :param again: also messages whose delivery has failed. Without it a channel with such a message
        gets nothing, because the order would be lost
    """
    if connection.dialect.name != "sqlite":  # whose writers exclude each other
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    query = select(*_COLUMNS).where(
        _WAITS, alert_deliveries.c.channel.in_(list(channels)), alert_deliveries.c.at >= oldest
    )
    query = query.order_by(alert_deliveries.c.id).limit(_AT_ONCE)
    waiting = [Delivery(*row) for row in connection.execute(query)]
    # Another process delivers to a channel in the order of the queue; nobody overtakes it.
    busy = {
        one.channel
        for one in waiting
        if one.owner not in {None, owner}
        and (one.leased_until or 0.0) > now
        and not is_gone(str(one.owner))
    }
    if not again:
        busy |= {one.channel for one in waiting if one.attempts}
    claimed = [one for one in waiting if one.channel not in busy]
    mine = alert_deliveries.c.id.in_([one.id for one in claimed])
    connection.execute(update(alert_deliveries).where(mine).values(owner=owner, leased_until=until))
    return claimed


def note_delivered(connection: Connection, number: int, now: float) -> None:
    """Store that the message *number* was delivered."""
    mine = alert_deliveries.c.id == number
    statement = update(alert_deliveries).where(mine)
    connection.execute(
        statement.values(delivered_at=now, error=None, owner=None, leased_until=None)
    )


def note_failed(connection: Connection, number: int, error: str) -> None:
    """Store that the message *number* could not be delivered: it waits."""
    mine = alert_deliveries.c.id == number
    attempts = alert_deliveries.c.attempts + 1
    statement = update(alert_deliveries).where(mine)
    connection.execute(
        statement.values(attempts=attempts, error=error, owner=None, leased_until=None)
    )


def release_deliveries(connection: Connection, numbers: Collection[int]) -> None:
    """Give up the claims of the messages *numbers*."""
    mine = alert_deliveries.c.id.in_(list(numbers))
    connection.execute(update(alert_deliveries).where(mine).values(owner=None, leased_until=None))


def deliveries_of(connection: Connection, alerts: Collection[int]) -> dict[int, list[Delivery]]:
    """Return the messages about *alerts* by alert, the first queued first."""
    found: dict[int, list[Delivery]] = {number: [] for number in alerts}
    mine = alert_deliveries.c.alert.in_(list(alerts))
    query = select(*_COLUMNS).where(mine).order_by(alert_deliveries.c.id)
    for row in connection.execute(query):
        found[row.alert].append(Delivery(*row))
    return found
