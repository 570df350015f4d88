"""When a source is due."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wikicrawler.sources.schedule.adaptive import current_interval
from wikicrawler.sources.schedule.spread import spread
from wikicrawler.sources.schedule.state import BEGINNING, MAX_WAIT, State
from wikicrawler.sources.schedule.windows import Days
from wikicrawler.sources.schedule.zones import check_moment

if TYPE_CHECKING:
    from datetime import date, datetime

    from wikicrawler.sources.schedule.rule import Rule
    from wikicrawler.sources.schedule.windows import Window

_DAY = timedelta(days=1)
_SHARES = 1 << 32
# The last quarter is left free: a source that is visited late is still visited in its window.
_LAST_SHARE = _SHARES * 3 // 4


def next_due(rule: Rule, state: State) -> datetime:
    """Return when the source is due after what *state* says; that may be in the past.

    Missed times count once: this is the first one after the last visit.
    """
    if state.last_started is None:
        due = _first_due(rule, state)
    elif rule.cron is not None:
        due = state.last_started
        for _ in range(2**state.reduced):
            due = rule.cron.next_slot(due)
    elif window := rule.window(state.reduced):
        due = _due_after(rule, window, state.last_started)
    else:
        interval = current_interval(rule, state.interval) * 2**state.reduced
        due = state.last_started + interval
        if rule.by_night:
            due = _nearest_night(rule, due, state.last_started)
    return max(due, state.not_before) if state.not_before else due


def next_visit(rule: Rule, state: State, now: datetime) -> datetime | None:
    """Return when the source can be visited: *now* if it is due, else later; None if it is paused.

    A source that is visited in the off-peak hours only waits for them, and in them for its own
    moment.
    """
    now = check_moment(now)
    if state.is_paused:
        return None
    at = max(next_due(rule, _credible(state, now)), now)
    return _in_night(rule, at) if rule.by_night else at


def is_due(rule: Rule, state: State, now: datetime) -> bool:
    """Return whether the source is to be visited *now*."""
    at = next_visit(rule, state, now)
    return at is not None and at <= now


def _first_due(rule: Rule, state: State) -> datetime:
    if state.since is None:
        return BEGINNING
    return rule.cron.next_slot(state.since) if rule.cron else state.since


def _due_after(rule: Rule, window: Window, moment: datetime) -> datetime:
    """Return the source's moment in the window after that of *moment*."""
    days = Days(rule.timing, by_night=rule.by_night)
    first = window.first_day(window.number_of(days.day_of(moment)) + 1)
    day = first + _DAY * spread(rule.source_id, f"day {window}", window.days)
    return _own_moment(rule, days, day)


def _own_moment(rule: Rule, days: Days, day: date) -> datetime:
    """Return the source's moment on *day*."""
    span = days.night(day) if rule.by_night else days.day(day)
    return span.at(spread(rule.source_id, "time", _LAST_SHARE), _SHARES)


def _nearest_night(rule: Rule, due: datetime, last_started: datetime) -> datetime:
    """Return the source's moment in the night to which the moment *due* is moved.

    That is the first night that ends after *due*, so that a visit that started late in its night
    does not skip one; but not the night of the last visit.
    """
    days = Days(rule.timing, by_night=True)
    day = max(days.day_of(due) - _DAY, days.day_of(last_started) + _DAY)
    while days.night(day).end <= due:
        day += _DAY
    return _own_moment(rule, days, day)


def _in_night(rule: Rule, moment: datetime) -> datetime:
    """Return the first moment from *moment* on that is in a night, not before the source's own."""
    days = Days(rule.timing, by_night=True)
    day = days.day_of(moment)
    while days.night(day).end <= moment:
        day += _DAY
    return max(moment, _own_moment(rule, days, day))


def _credible(state: State, now: datetime) -> State:
    """Return *state* without moments that a wrong clock has set far in the future.

    Clocks go back by a second now and then, for which nothing must be visited twice; but a source
    that was visited in the year 2100 does not wait until then.
    """
    if state.last_started is not None and state.last_started > now + _DAY:
        state = replace(state, since=None, last_started=None)
    if state.since is not None and state.since > now + _DAY:
        state = replace(state, since=None)
    if state.not_before is not None and state.not_before > now + MAX_WAIT + _DAY:
        state = replace(state, not_before=None)
    return state
