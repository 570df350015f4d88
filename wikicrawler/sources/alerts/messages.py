"""The texts of messages about alerts: plain, and without anything that a reader would render."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.alerts.events import AlertEvent
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.store.alerts import AlertRow

_TITLES = {
    AlertEvent.BLOCKED: "is blocked",
    AlertEvent.MOVED: "may have moved",
    AlertEvent.PAUSED: "is paused",
    AlertEvent.CHANGED: "has changed",
    AlertEvent.NO_CHANGE: "has not changed for long",
    AlertEvent.CREDITS: "has used most of its credits",
}
_MARKUP = str.maketrans(dict.fromkeys("<>[]`*~|\\@", "·"))
"""What HTML, Markdown and chat services read as markup, links and mentions."""


class Message(NamedTuple):
    """A message."""

    title: str
    body: str


def raised(alert: AlertRow) -> Message:
    """Return the message about a new alert."""
    return Message(_title(alert), _body(alert))


def reminder(alert: AlertRow) -> Message:
    """Return the message about an alert that is still open."""
    times = f"Seen {alert.times} times, last {moment(alert.last_seen)}."
    return Message(f"Still open: {_title(alert)}", f"{_body(alert)}\n{times}")


def resolved(alerts: Sequence[AlertRow], why: str) -> Message:
    """Return the message about *alerts* of one subject that are resolved."""
    first = alerts[0]
    title = f"[resolved] {plain(first.subject, 100)}: {plain(why, 100)}"
    lines = [
        f"Resolved: {plain(one.event)} ({plain(one.severity)}), since {moment(one.first_seen)}, "
        f"seen {one.times} {'time' if one.times == 1 else 'times'}."
        for one in alerts
    ]
    return Message(title, "\n".join((*lines, *_url_of(first))))


def moment(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def plain(text: str, limit: int = 400) -> str:
    """Return *text* as one line that no reader of messages renders or makes a link of."""
    return one_line(text, limit).translate(_MARKUP).replace("://", ": //")


def _title(alert: AlertRow) -> str:
    subject = plain(alert.subject, 100)
    return f"[{alert.severity}] {subject} {_TITLES[AlertEvent(alert.event)]}"


def _body(alert: AlertRow) -> str:
    since = f"Event: {alert.event} ({alert.severity}), since {moment(alert.first_seen)}."
    return "\n".join((plain(alert.message), since, *_url_of(alert)))


def _url_of(alert: AlertRow) -> list[str]:
    # The operator's manifest has it, so it may be a link.
    return [f"URL: {one_line(alert.url)}"] if alert.url else []
