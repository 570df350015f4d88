"""What the server did, by page, for the tool ``explain``."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.items import Attempt

MAX_URLS = 1000
MAX_EVENTS = 10
"""Of a URL; the oldest are dropped."""


@dataclass(frozen=True, slots=True)
class Event:
    """One request for a page."""

    at: str
    """When it ended, ISO 8601 in UTC."""
    outcome: str
    """``read``, ``cached`` (an earlier answer was used), ``failed`` or ``cancelled``."""
    tier: str = ""
    reason: str = ""
    """One of the reasons in docs/stats.md, for ``failed``."""
    detail: str = ""
    attempts: tuple[Attempt, ...] = ()
    seconds: float = 0.0
    """From the call to the page, the waiting for the site's turn included."""


class Journal:
    """The latest events of the latest URLs."""

    def __init__(self) -> None:
        self._events: OrderedDict[str, deque[Event]] = OrderedDict()

    def add(
        self,
        urls: Sequence[str],
        outcome: str,
        *,
        tier: str = "",
        reason: str = "",
        detail: str = "",
        attempts: tuple[Attempt, ...] = (),
        seconds: float = 0.0,
    ) -> None:
        """Record an event of the page that has these *urls*."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        event = Event(at, outcome, tier, reason, detail, attempts, round(seconds, 2))
        for url in dict.fromkeys(urls):
            events = self._events.setdefault(url, deque(maxlen=MAX_EVENTS))
            events.append(event)
            self._events.move_to_end(url)
        while len(self._events) > MAX_URLS:
            self._events.popitem(last=False)

    def of(self, url: str) -> tuple[Event, ...]:
        """Return the events of the page at *url*, the oldest first."""
        return tuple(self._events.get(url, ()))
