"""What is due next."""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.dashboard.running.choices import categories
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.scheduler.outlook import outlook_of

if TYPE_CHECKING:
    from wikicrawler.dashboard.context import Dashboard
    from wikicrawler.dashboard.running.choices import Category
    from wikicrawler.store.manifests import Activation

_FRESH = 20.0
"""Seconds for which the answer is kept: for 5,000 sources it takes some tenths of a second."""


class WhatIsDue(NamedTuple):
    """What the scheduler would visit, and what an operator can choose."""

    due: int
    """Sources that are due and not visited now."""
    next_at: datetime | None
    next_id: str
    paused: list[tuple[str, str]]
    """Ids of paused sources, with the reasons. Foreign text."""
    visited: int
    """Sources that are visited now."""
    categories: list[Category]
    """What the sources can be chosen by."""


class _Looks:
    """The last answers, by database."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[str, tuple[float, Activation, WhatIsDue]] = {}
        self._changes = 0

    def find(self, key: str, activation: Activation) -> tuple[WhatIsDue | None, int]:
        """Return the answer, if it is fresh, and how often it was forgotten so far."""
        with self._lock:
            at, of, answer = self._known.get(key, (0.0, None, None))
            is_fresh = of == activation and monotonic() - at < _FRESH
            return (answer if is_fresh else None), self._changes

    def keep(self, key: str, activation: Activation, answer: WhatIsDue, changes: int) -> None:
        """Keep *answer*, unless a control has changed something since it was looked for."""
        with self._lock:
            if changes == self._changes:
                self._known[key] = monotonic(), activation, answer

    def forget(self) -> None:
        with self._lock:
            self._changes += 1
            self._known.clear()


_LOOKS = _Looks()


def what_is_due(dashboard: Dashboard) -> WhatIsDue | None:
    """Return what is due, by a look of the last seconds; None if no manifest is active.

    :raises ConfigError: the active manifest has faults by now
    :raises StoreError: the database is unavailable
    """
    found = dashboard.manifest()
    if found is None:
        return None
    activation, manifest = found
    key = str(dashboard.database)
    known, changes = _LOOKS.find(key, activation)
    if known is not None:
        return known
    now = datetime.now(UTC)
    entries = Agenda(dashboard.database, manifest.active, dashboard.timing).entries(now.timestamp())
    outlook = outlook_of(entries, now)
    answer = WhatIsDue(
        due=sum(
            1
            for one in entries
            if one.next_visit is not None and one.next_visit <= now and not one.is_claimed
        ),
        next_at=outlook.next_at,
        next_id=outlook.next_id,
        paused=[(one.source.id, one.state.pause_reason or "") for one in entries if one.is_paused],
        visited=sum(1 for one in entries if one.is_claimed),
        categories=categories(manifest.active),
    )
    _LOOKS.keep(key, activation, answer, changes)
    return answer


def forget_due() -> None:
    """Look again next time: a control has changed it."""
    _LOOKS.forget()
