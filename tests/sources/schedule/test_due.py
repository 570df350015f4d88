"""When a source is due, and when it can be visited."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources.schedule.clock import (
    BY_DAY,
    BY_NIGHT,
    NEW_YORK,
    adaptive_rule,
    cron_rule,
    local,
    rule,
    utc,
    visits,
)
from wikicrawler.sources.schedule.due import is_due, next_due, next_visit
from wikicrawler.sources.schedule.state import State
from wikicrawler.sources.schedule.timing import Timing
from wikicrawler.sources.schedule.visits import start
from wikicrawler.sources.schedule.windows import Window

if TYPE_CHECKING:
    from wikicrawler.sources.schedule.rule import Rule

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FREQUENCIES = ["daily", "weekly", "biweekly", "monthly"]
ALL = [
    *(rule(frequency, url=url) for frequency in FREQUENCIES for url in (BY_DAY, BY_NIGHT)),
    cron_rule("30 2 * * 1-5"),
    cron_rule("*/20 * * * *"),
    adaptive_rule(24, 720),
    adaptive_rule(24, 720, BY_NIGHT),
]


def window_of(of: Rule, moment: datetime) -> tuple[str, object]:
    """Return the window of the calendar in New York in which *moment* is."""
    day = moment.astimezone(NEW_YORK).date()
    return of.frequency, {
        "daily": day,
        "weekly": day.isocalendar()[:2],
        "biweekly": (day - date(1970, 1, 5)).days // 14,
        "monthly": (day.year, day.month),
    }[of.frequency]


@pytest.mark.parametrize("of", ALL)
def test_a_source_that_was_never_visited_is_due_at_once(of: Rule) -> None:
    night = local("2026-06-02T05:30")
    assert is_due(of, State(), night)
    noon = local("2026-06-02T12:00")
    assert is_due(of, State(), noon) == (not of.by_night)


def test_a_cron_source_waits_for_its_first_slot_after_it_was_added() -> None:
    added = State(since=local("2026-06-02T12:00"))
    assert next_due(cron_rule("30 2 * * 1-5"), added) == local("2026-06-03T02:30")
    assert next_due(rule("weekly", url=BY_DAY), added) == local("2026-06-02T12:00")


@pytest.mark.parametrize("of", ALL)
def test_missed_visits_are_caught_up_once(of: Rule) -> None:
    state = State(last_started=local("2024-01-15T02:30"))
    now = local("2026-06-02T05:30")  # a Tuesday
    assert is_due(of, state, now)
    again = next_due(of, start(state, now))
    assert again > now
    assert not is_due(of, start(state, now), now + timedelta(minutes=5))


@pytest.mark.parametrize("frequency", FREQUENCIES)
def test_a_forced_visit_counts_for_its_window(frequency: str) -> None:
    of = rule(frequency, url=BY_DAY)
    forced = local("2026-06-01T00:00")  # begins a day, a week and a month
    due = next_due(of, State(last_started=forced))
    assert window_of(of, due) != window_of(of, forced)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    of=st.sampled_from(ALL[:8]),
    polls=st.lists(
        st.tuples(st.integers(-23 * 60, 20 * 24 * 60), st.booleans()), min_size=2, max_size=60
    ),
)
def test_no_window_has_two_scheduled_visits(of: Rule, polls: list[tuple[int, bool]]) -> None:
    """Also if clocks go back by up to a day, and if somebody forces visits."""
    now, state = local("2023-10-20T00:00"), State()
    latest = now
    scheduled: list[object] = []
    for minutes, is_forced in polls:
        now = max(now + timedelta(minutes=minutes), latest - timedelta(hours=23))
        latest = max(latest, now)
        if is_due(of, state, now):
            assert state.last_started is None or now > state.last_started
            scheduled.append(window_of(of, now))
            state = start(state, now)
        elif is_forced:
            state = start(state, now)
    assert len(set(scheduled)) == len(scheduled)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    of=st.sampled_from(ALL),
    last=st.datetimes(datetime(2000, 1, 1), datetime(2060, 1, 1)),
    reduced=st.integers(0, 3),
)
def test_a_visit_is_followed_by_a_later_one(of: Rule, last: datetime, reduced: int) -> None:
    state = State(last_started=utc(last.isoformat()), reduced=reduced)
    assert state.last_started is not None
    due = next_due(of, state)
    assert due > state.last_started
    assert next_due(of, replace(state, last_started=due)) > due
    visit = next_visit(of, state, state.last_started)
    assert visit == due  # also in the off-peak hours


@pytest.mark.parametrize("of", ALL)
def test_clocks_that_go_back_do_not_make_a_source_due_twice(of: Rule) -> None:
    visited = State(last_started=local("2026-06-02T02:30"))
    for back in (timedelta(seconds=1), HOUR, 23 * HOUR):
        assert not is_due(of, visited, local("2026-06-02T02:30") - back)


@pytest.mark.parametrize("of", ALL)
def test_a_visit_in_the_far_future_does_not_stop_a_source(of: Rule) -> None:
    wrong = State(
        since=local("2100-01-01T00:00"),
        last_started=local("2100-01-01T00:00"),
        not_before=local("2100-01-01T00:00"),
    )
    assert is_due(of, wrong, local("2026-06-02T05:30"))


def test_a_paused_source_is_never_due() -> None:
    for of in ALL:
        assert next_visit(of, State(consecutive_failures=5), utc("2026-06-02")) is None
        assert not is_due(of, State(consecutive_failures=5), utc("2026-06-02"))
        assert is_due(of, State(consecutive_failures=4), local("2026-06-02T05:30"))


def test_moments_without_a_time_zone_are_refused() -> None:
    naive = datetime(2026, 6, 2)
    with pytest.raises(ValueError, match="has no time zone"):
        is_due(ALL[0], State(), naive)
    with pytest.raises(ValueError, match="has no time zone"):
        State(last_started=naive)


# --- Off-peak hours


@pytest.mark.parametrize("day", ["2026-03-08", "2026-11-01", "2026-06-02"])
def test_a_gov_source_is_visited_in_the_night_also_when_clocks_change(day: str) -> None:
    """On 2026-03-08 there is no 02:00 to 03:00 in New York."""
    found = []
    for number in range(300):
        of = rule("daily", id=f"s{number}")
        visit = next_visit(of, State(), local(f"{day}T00:00"))
        assert visit is not None
        found.append(visit.astimezone(NEW_YORK))
    assert {moment.date().isoformat() for moment in found} == {day}
    assert {moment.hour for moment in found} <= {2, 3, 4, 5}
    assert min(found) >= local(f"{day}T02:00")


def test_an_overdue_gov_source_waits_for_the_next_night() -> None:
    overdue = State(last_started=local("2026-01-05T03:00"))
    visit = next_visit(rule("weekly"), overdue, local("2026-06-02T12:00"))
    assert visit is not None
    assert local("2026-06-03T02:00") <= visit < local("2026-06-03T06:00")


def test_the_last_quarter_of_the_night_is_for_late_visits() -> None:
    for number in range(300):
        due = next_due(rule("daily", id=f"s{number}"), State(last_started=utc("2026-06-02")))
        assert due.astimezone(NEW_YORK).hour in (2, 3, 4)
    overdue = State(last_started=local("2026-06-01T03:00"))
    assert is_due(rule("daily"), overdue, local("2026-06-02T05:59"))
    assert not is_due(rule("daily"), overdue, local("2026-06-02T06:00"))


@pytest.mark.parametrize(("start_hour", "end_hour"), [(2, 3), (2, 6), (1, 2), (0, 2), (23, 3)])
@pytest.mark.parametrize("day", ["2026-03-08", "2026-11-01"])
def test_any_off_peak_hours_exist_on_each_day(start_hour: int, end_hour: int, day: str) -> None:
    """Also those that clocks jump over: then the same number of hours follows."""
    timing = Timing(off_peak_start=start_hour, off_peak_end=end_hour)
    of = rule("daily", timing=timing)
    first = datetime.fromisoformat(day) - 2 * DAY
    begin, end = (local((first + DAY * number).isoformat()) for number in (0, 5))
    found = list(visits(of, begin + 12 * HOUR, end + 12 * HOUR))
    assert len(found) == 5
    assert all(20 * HOUR < after - before < 28 * HOUR for before, after in pairwise(found))


def test_the_hosts_with_off_peak_hours_are_a_setting() -> None:
    timing = Timing(off_peak_hosts=("fanniemae.com",))
    assert rule("daily", url="https://selling-guide.fanniemae.com/", timing=timing).by_night
    assert rule("daily", url="https://fanniemae.com/", timing=timing).by_night
    assert not rule("daily", url="https://notfanniemae.com/", timing=timing).by_night
    assert not rule("daily", url="https://www.hud.gov/", timing=timing).by_night
    assert rule("daily", url="https://WWW.HUD.GOV:8080/").by_night
    assert not rule("daily", url="https://gov.example/").by_night


def test_a_cron_expression_stands_also_for_a_gov_host() -> None:
    assert not cron_rule("0 12 * * *").by_night
    found = next_due(cron_rule("0 12 * * *"), State(last_started=local("2026-06-02T13:00")))
    assert found == local("2026-06-03T12:00")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"time_zone": "EST5"}, "time zone 'EST5' is unknown"),
        ({"off_peak_start": 24}, "off_peak_start: 24 is not an hour"),
        ({"off_peak_end": -1}, "off_peak_end: -1 is not an hour"),
        ({"off_peak_end": 2}, "off_peak_end: 2 is off_peak_start too"),
        ({"off_peak_hosts": (".gov",)}, "'.gov' is not a host"),
        ({"off_peak_hosts": ("",)}, "'' is not a host"),
    ],
)
def test_invalid_timing_is_named(values: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Timing(**values)  # type: ignore[arg-type]


# --- Spread


@pytest.mark.parametrize(
    ("frequency", "url", "expected"),
    [
        ("daily", BY_DAY, "2026-06-02T07:16:17-04:00"),
        ("daily", BY_NIGHT, "2026-06-02T03:12:42-04:00"),
        ("monthly", BY_NIGHT, "2026-07-25T03:12:42-04:00"),
    ],
)
def test_the_moment_depends_on_the_id_alone(frequency: str, url: str, expected: str) -> None:
    """The first 16 digits of ``printf time:cfpb-reg-x | sha256sum`` are 0.404 of their maximum."""
    of = rule(frequency, id="cfpb-reg-x", url=url)
    assert next_due(of, State(last_started=local("2026-06-01T04:00"))) == utc(expected)


@pytest.mark.parametrize("url", [BY_DAY, BY_NIGHT])
def test_sources_are_spread_evenly(url: str) -> None:
    last = State(last_started=local("2026-06-01T04:00"))
    ids = [f"source-{number}" for number in range(2_000)]
    due = [next_due(rule("weekly", id=name, url=url), last).astimezone(NEW_YORK) for name in ids]
    per_day = [sum(moment.weekday() == day for moment in due) for day in range(7)]
    assert min(per_day) > 2_000 / 7 * 0.8
    hours = {moment.hour for moment in due}
    assert hours == ({2, 3, 4} if url == BY_NIGHT else set(range(18)))
    for hour in hours:
        assert sum(moment.hour == hour for moment in due) > 2_000 / len(hours) * 0.7


# --- Adaptive


def test_an_adaptive_source_is_due_an_interval_after_its_last_visit() -> None:
    state = State(last_started=utc("2026-06-02T10:00"), interval=36 * HOUR)
    assert next_due(adaptive_rule(24, 720), state) == utc("2026-06-03T22:00")
    assert next_due(adaptive_rule(48, 720), state) == utc("2026-06-04T10:00")
    assert next_due(adaptive_rule(1, 24), state) == utc("2026-06-03T10:00")
    assert next_due(adaptive_rule(6, 24), replace(state, interval=None)) == utc("2026-06-02T16:00")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(hours=st.integers(1, 800), late=st.lists(st.integers(0, 59), min_size=20, max_size=20))
def test_an_adaptive_source_by_night_keeps_its_interval_to_the_night(
    hours: int, late: list[int]
) -> None:
    of = adaptive_rule(hours, hours, BY_NIGHT)
    begin = local("2026-02-01T00:00")
    lateness = [timedelta(minutes=minutes) for minutes in late]
    found = list(islice(visits(of, begin, begin + 20 * 800 * HOUR, lateness=lateness), 20))
    for before, after in pairwise(found):
        assert after - before > max(hours - 5, 18) * HOUR
        assert after - before < (max(hours, 24) + 28) * HOUR
    nights = {moment.astimezone(NEW_YORK).date() for moment in found}
    assert len(nights) == len(found)


def test_a_daily_interval_by_night_does_not_skip_a_night() -> None:
    of = adaptive_rule(24, 24, BY_NIGHT)
    begin = local("2026-02-01T00:00")
    late = [timedelta(minutes=7)] * 400
    found = list(visits(of, begin, begin + 365 * DAY, lateness=late))
    assert len(found) == 365


# --- Lowered frequencies


@pytest.mark.parametrize(
    ("frequency", "reduced", "window"),
    [
        ("daily", 1, Window.WEEK),
        ("daily", 2, Window.TWO_WEEKS),
        ("daily", 3, Window.MONTH),
        ("weekly", 1, Window.TWO_WEEKS),
        ("biweekly", 1, Window.MONTH),
        ("monthly", 1, Window.TWO_MONTHS),
        ("monthly", 3, Window.TWO_MONTHS),
    ],
)
def test_a_lowered_frequency_has_longer_windows(
    frequency: str, reduced: int, window: Window
) -> None:
    of = rule(frequency)
    assert of.window(reduced) == window
    found = visits(of, local("2026-01-01T12:00"), local("2029-01-01T00:00"))
    first = next(found)
    state = State(last_started=first, reduced=reduced)
    due = [first]
    for _ in range(5):
        due.append(next_due(of, replace(state, last_started=due[-1])))
    lengths = [(after - before) / DAY for before, after in pairwise(due[1:])]
    low, high = {2: (6.9, 7.1), 3: (13.9, 14.1), 4: (27.9, 31.1), 5: (58.9, 62.1)}[window]
    assert all(low < length < high for length in lengths)


def test_a_lowered_cron_source_uses_every_second_slot() -> None:
    of = cron_rule("30 2 * * *")
    last = State(last_started=local("2026-06-02T02:30"), reduced=1)
    assert next_due(of, last) == local("2026-06-04T02:30")
    assert next_due(of, replace(last, reduced=3)) == local("2026-06-10T02:30")


def test_a_lowered_adaptive_source_has_twice_the_interval() -> None:
    last = State(last_started=utc("2026-06-02"), interval=36 * HOUR, reduced=1)
    assert next_due(adaptive_rule(24, 48), last) == utc("2026-06-05")
