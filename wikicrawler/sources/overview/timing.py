"""When a source is visited, and why then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import time
from typing import TYPE_CHECKING

from wikicrawler.sources.agenda.agenda import schedule_state
from wikicrawler.sources.overview.status import is_visited, why_paused
from wikicrawler.sources.schedule.adaptive import current_interval
from wikicrawler.sources.schedule.due import next_due
from wikicrawler.sources.schedule.rule import Rule
from wikicrawler.sources.schedule.state import MAX_FAILURES
from wikicrawler.sources.schedule.windows import Window
from wikicrawler.store.source_states import SourceState, load_states

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.schedule.timing import Timing
    from wikicrawler.store.database import Database

_WINDOWS = {
    Window.DAY: "day",
    Window.WEEK: "week",
    Window.TWO_WEEKS: "two weeks",
    Window.MONTH: "month",
    Window.TWO_MONTHS: "two months",
}


@dataclass(frozen=True, slots=True)
class Timetable:
    """The schedule of a source, and what is known of it."""

    state: SourceState | None
    """None: it was never on the agenda."""
    due: datetime
    """When it is due by its frequency, in UTC; may be in the past."""
    reasons: tuple[str, ...]
    """Why it is visited when it is, as sentences. They may have words of operators."""


def timetable(
    database: Database, source: Source, timing: Timing, now: float | None = None
) -> Timetable:
    """Return the schedule of *source*.

    :param now: seconds since the epoch; None: the time
    :raises StoreError: the database is unavailable
    """
    at = time() if now is None else now
    state = None
    if database.has_tables():
        with database.read() as connection:
            state = load_states(connection).get(source.id)
    rule = Rule.of(source, timing)
    due = next_due(rule, schedule_state(state or SourceState(source.id, at)))
    return Timetable(state, due, tuple(_reasons(source, rule, state, due, at)))


def _reasons(
    source: Source, rule: Rule, state: SourceState | None, due: datetime, at: float
) -> Iterator[str]:
    if state is not None and is_visited(state, at):
        yield "A process visits it now."
    if not source.is_active:
        yield f"It is not visited: {why_paused(source, state)}."
    elif state is not None and state.paused_at is not None:
        yield (
            f"An operator paused it at {_at(state.paused_at)}: {state.pause_reason or 'no reason'}."
        )
    if state is not None and state.consecutive_failures >= MAX_FAILURES:
        yield (
            f"{state.consecutive_failures} scheduled visits failed in a row: it waits until an "
            "operator resumes it."
        )
    if state is None or state.last_started is None:
        yield _first(rule, due)
    else:
        yield _usual(rule, state, due)
    if rule.by_night:
        timing = rule.timing
        yield (
            f"Its host is visited in the off-peak hours only: from {timing.off_peak_start}:00 to "
            f"{timing.off_peak_end}:00, {timing.time_zone}."
        )
    if state is not None:
        yield from _exceptions(state, at)


def _first(rule: Rule, due: datetime) -> str:
    if rule.cron is not None:
        return f"It was never visited: the first time of its cron expression is {_moment(due)}."
    return "It was never visited: it is due at once."


def _usual(rule: Rule, state: SourceState, due: datetime) -> str:
    if rule.cron is not None:
        return f"The next time of its cron expression after the last visit is {_moment(due)}."
    if window := rule.window(state.reduced):
        return (
            f"It is visited once in each {_WINDOWS[window]}, at a moment of its own, so that "
            f"visits are spread: {_moment(due)}."
        )
    known = None if state.interval is None else timedelta(seconds=state.interval)
    interval = current_interval(rule, known) * 2**state.reduced
    hours = interval.total_seconds() / 3600
    return (
        f"Its interval follows its changes, and is {hours:,.4g} hours now: the next visit is due "
        f"{_moment(due)}."
    )


def _exceptions(state: SourceState, at: float) -> Iterator[str]:
    if state.reduced:
        yield (
            f"Its server limited the rate: it is visited less often, by {state.reduced} of 3 "
            f"steps, after {state.successes} successes since."
        )
    if state.not_before is not None and state.not_before > at:
        yield f"Its server asked for no request before {_at(state.not_before)}."
    if 0 < state.consecutive_failures < MAX_FAILURES:
        left = MAX_FAILURES - state.consecutive_failures
        yield (
            f"{state.consecutive_failures} scheduled visits failed in a row: after {left} more it "
            "is paused."
        )
    if state.override_at is not None:
        yield f"An operator has set a visit besides the schedule, once: {_at(state.override_at)}."


def _at(seconds: float) -> str:
    try:
        return _moment(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return "an unknown time"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
