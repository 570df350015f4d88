"""The events that raise alerts, and how severe they are."""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class AlertEvent(StrEnum):
    """What an alert is about."""

    BLOCKED = "blocked"  # the url of a source answers with 403 or a captcha
    MOVED = "moved"  # the url of a source answers with 404 or 410
    PAUSED = "paused"  # five scheduled visits in a row failed
    CHANGED = "changed"  # a visit found new, modified or deleted documents
    NO_CHANGE = "no_change"  # visits have found no change for 30 days
    CREDITS = "credits"  # 80 % of the credits of a paid service are used


class Severity(StrEnum):
    """How severe an alert is."""

    HIGH = "high"
    WARNING = "warning"
    INFO = "info"


SEVERITIES = {
    AlertEvent.BLOCKED: Severity.HIGH,
    AlertEvent.MOVED: Severity.HIGH,
    AlertEvent.PAUSED: Severity.HIGH,
    AlertEvent.CHANGED: Severity.INFO,
    AlertEvent.NO_CHANGE: Severity.WARNING,
    AlertEvent.CREDITS: Severity.WARNING,
}
"""Default severities."""
SENT = frozenset({AlertEvent.BLOCKED, AlertEvent.MOVED, AlertEvent.PAUSED, AlertEvent.CREDITS})
"""Events of which a channel without a filter gets messages."""
LEVELS = {
    Severity.HIGH: logging.ERROR,
    Severity.WARNING: logging.WARNING,
    Severity.INFO: logging.INFO,
}
"""Levels in the log."""
_OFF = "off"


def read_severities(settings: BaseSettings) -> dict[AlertEvent, Severity]:
    """Return the severities of the events that raise alerts.

    :raises ConfigError: ``WIKICRAWLER_ALERT_SEVERITIES`` is wrong
    """
    found: dict[AlertEvent, Severity] = dict(SEVERITIES)
    for key, value in options.ALERT_SEVERITIES.read(settings).items():
        event = next((event for event in AlertEvent if event == key), None)
        if event is None:
            raise _wrong(f"has the key {quoted(str(key), 40)}: no such event", AlertEvent)
        if value == _OFF:
            found.pop(event, None)
            continue
        severity = next((severity for severity in Severity if severity == value), None)
        if severity is None:
            raise _wrong(f"[{event.value!r}] is {quoted(str(value), 40)}", (*Severity, _OFF))
        found[event] = severity
    return found


def _wrong(what: str, known: type[AlertEvent] | tuple[str, ...]) -> ConfigError:
    name = options.ALERT_SEVERITIES.name
    space = "" if what.startswith("[") else " "
    return ConfigError(
        f"{name}{space}{what} (expected {', '.join(known)}); {options.ALERT_SEVERITIES.right}"
    )
