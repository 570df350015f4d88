"""How a visit changes the state of a source."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wikicrawler.sources.schedule.adaptive import adapted
from wikicrawler.sources.schedule.retry import VisitError
from wikicrawler.sources.schedule.rule import Frequency
from wikicrawler.sources.schedule.state import MAX_REDUCED, MAX_WAIT, State
from wikicrawler.sources.schedule.windows import Window
from wikicrawler.sources.schedule.zones import check_moment

if TYPE_CHECKING:
    from datetime import datetime

    from wikicrawler.sources.schedule.rule import Rule

RECOVERY = 3
"""Number of successes in a row after which a lowered frequency is raised by one step."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit that has ended."""

    started: datetime
    error: VisitError | None = None
    """Why it failed, after all retries; None: it succeeded."""
    is_changed: bool = False
    """Whether the content differs from that of the visit before."""
    is_forced: bool = False
    """Whether a person has started it, not the schedule."""
    retry_after: float | None = None
    """Seconds that the server asked to wait at the end."""
    is_limited: bool = False
    """Whether any document was answered by HTTP 429 after all retries."""


def start(state: State, now: datetime) -> State:
    """Return the state when a visit starts; save it before the first request, so that a crash does
    not lead to a second visit in the same window."""
    return replace(state, last_started=check_moment(now))


def finish(rule: Rule, state: State, visit: Visit) -> State:
    """Return the state after *visit*."""
    state = start(state, visit.started)
    if visit.error is None:
        return _succeed(rule, state, visit)
    failures = state.consecutive_failures
    reduced = state.reduced
    if visit.is_limited or visit.error == VisitError.RATE_LIMITED:
        reduced = _lowered(rule, reduced)
    return replace(
        state,
        last_changed=state.last_started if visit.is_changed else state.last_changed,
        # A visit that a person has started says nothing about the schedule.
        consecutive_failures=failures if visit.is_forced else failures + 1,
        reduced=reduced,
        successes=0,
        not_before=_not_before(visit),
    )


def reactivate(state: State) -> State:
    """Return the state of a paused source after a person has looked at it."""
    return replace(state, consecutive_failures=0)


def _succeed(rule: Rule, state: State, visit: Visit) -> State:
    reduced = state.reduced
    successes = state.successes + 1 if reduced else 0
    if visit.is_limited:
        reduced, successes = _lowered(rule, reduced), 0
    elif successes >= RECOVERY:
        reduced, successes = reduced - 1, 0
    interval = state.interval
    if rule.frequency == Frequency.ADAPTIVE:
        interval = adapted(rule, interval, is_changed=visit.is_changed)
    return replace(
        state,
        last_success=state.last_started,
        last_changed=state.last_started if visit.is_changed else state.last_changed,
        interval=interval,
        consecutive_failures=0,
        reduced=reduced,
        successes=successes,
        not_before=_not_before(visit) if visit.is_limited else None,
    )


def _lowered(rule: Rule, reduced: int) -> int:
    """Return the next number of steps, which has an effect on *rule*."""
    highest = MAX_REDUCED
    if window := rule.window():
        highest = min(highest, max(Window) - window)
    return max(reduced, min(reduced + 1, highest))


def _not_before(visit: Visit) -> datetime | None:
    asked = visit.retry_after
    if asked is None or math.isnan(asked) or asked <= 0:
        return None
    seconds = min(asked, MAX_WAIT.total_seconds())
    return check_moment(visit.started) + timedelta(seconds=seconds)
