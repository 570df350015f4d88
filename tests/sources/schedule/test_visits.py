"""How visits change the state of a source."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.schedule.clock import BY_DAY, adaptive_rule, cron_rule, rule, utc
from wikicrawler.sources.schedule.due import next_due
from wikicrawler.sources.schedule.retry import VisitError
from wikicrawler.sources.schedule.state import State
from wikicrawler.sources.schedule.visits import Visit, finish, reactivate

AT = utc("2026-06-02T08:00")
HOUR = timedelta(hours=1)
WEEKLY = rule("weekly", url=BY_DAY)
GOOD = Visit(AT)
BAD = Visit(AT, VisitError.UNAVAILABLE)
TOO_MANY = Visit(AT, VisitError.RATE_LIMITED)


def after(*visits: Visit, of: object = WEEKLY, state: State | None = None) -> State:
    """Return the state after *visits*."""
    state = state or State()
    for visit in visits:
        state = finish(of, state, visit)  # type: ignore[arg-type]
    return state


def test_five_scheduled_failures_in_a_row_pause_a_source() -> None:
    assert not after(*[BAD] * 4).is_paused
    assert after(*[BAD] * 5).is_paused
    assert not after(*[BAD] * 4, GOOD, *[BAD] * 4).is_paused
    assert not reactivate(after(*[BAD] * 7)).is_paused


def test_failures_of_forced_visits_do_not_count() -> None:
    forced = replace(BAD, is_forced=True)
    assert not after(*[forced] * 20).is_paused
    assert after(*[BAD] * 4, forced, BAD).is_paused
    assert not after(*[BAD] * 4, replace(GOOD, is_forced=True), BAD).is_paused


def test_a_state_remembers_the_last_visit_success_and_change() -> None:
    state = after(Visit(AT, is_changed=True), Visit(AT + HOUR), Visit(AT + 2 * HOUR, BAD.error))
    assert (state.last_changed, state.last_success, state.last_started) == (
        AT,
        AT + HOUR,
        AT + 2 * HOUR,
    )


def test_a_failed_visit_is_repeated_in_the_next_window() -> None:
    assert next_due(WEEKLY, after(BAD)) == next_due(WEEKLY, after(GOOD))


def test_an_interval_halves_after_a_change_and_grows_by_half_without() -> None:
    of = adaptive_rule(24, 100)
    changed, same = replace(GOOD, is_changed=True), GOOD
    hours = []
    state = State()
    for visit in (same, same, same, same, same, changed, changed, changed, BAD):
        state = finish(of, state, visit)
        assert state.interval is not None
        hours.append(state.interval / HOUR)
    assert hours == [36, 54, 81, 100, 100, 50, 25, 24, 24]


def test_a_429_of_another_document_lowers_the_frequency_of_a_visit_that_succeeds() -> None:
    limited = Visit(AT, is_limited=True, retry_after=7200)
    state = after(limited)
    assert (state.reduced, state.successes, state.consecutive_failures) == (1, 0, 0)
    assert state.last_success == AT
    assert state.not_before == AT + 2 * HOUR
    assert after(limited, GOOD, GOOD, GOOD).reduced == 0
    assert after(limited, GOOD, GOOD, limited).reduced == 2
    assert after(Visit(AT, VisitError.TIMEOUT, is_limited=True)).reduced == 1


def test_the_frequency_is_lowered_by_a_step_after_429_and_recovers() -> None:
    assert after(BAD).reduced == 0
    assert after(TOO_MANY).reduced == 1
    assert after(TOO_MANY, GOOD, TOO_MANY).reduced == 2
    assert after(*[TOO_MANY] * 20).reduced == 3
    assert after(TOO_MANY, GOOD, GOOD).reduced == 1
    assert after(TOO_MANY, GOOD, GOOD, GOOD).reduced == 0
    assert after(TOO_MANY, GOOD, GOOD, BAD, GOOD, GOOD).reduced == 1
    assert after(TOO_MANY, TOO_MANY, *[GOOD] * 5).reduced == 1
    assert after(TOO_MANY, TOO_MANY, *[GOOD] * 6).reduced == 0


@pytest.mark.parametrize(
    ("of", "steps"),
    [
        (rule("daily"), 3),
        (rule("weekly"), 3),
        (rule("biweekly"), 2),
        (rule("monthly"), 1),
        (cron_rule("0 2 * * *"), 3),
        (adaptive_rule(24, 48), 3),
    ],
)
def test_each_step_has_an_effect(of: object, steps: int) -> None:
    assert after(*[TOO_MANY] * 10, of=of).reduced == steps


def test_retry_after_puts_off_the_next_visit_by_at_most_a_month() -> None:
    of = cron_rule("*/5 * * * *")
    asked = after(replace(TOO_MANY, retry_after=7200.0), of=of)
    assert next_due(of, asked) == AT + 2 * HOUR
    hostile = after(replace(TOO_MANY, retry_after=1e300), of=of)
    assert next_due(of, hostile) == AT + timedelta(days=31)
    for useless in (0.0, -5.0, float("nan"), 1.0):
        visit = replace(BAD, retry_after=useless)
        assert next_due(of, after(visit, of=of)) == AT + timedelta(minutes=5)
    assert after(replace(TOO_MANY, retry_after=7200.0), GOOD, of=of).not_before is None


@given(st.lists(st.sampled_from([GOOD, BAD, TOO_MANY]), max_size=60))
def test_a_state_stays_within_its_bounds(visits: list[Visit]) -> None:
    state = after(*visits)
    assert 0 <= state.reduced <= 3
    assert 0 <= state.successes < 3
    tail = 0
    for visit in reversed(visits):
        if visit is GOOD:
            break
        tail += 1
    assert state.consecutive_failures == tail
