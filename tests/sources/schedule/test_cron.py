"""Cron expressions, against a clock that ticks each minute.

The model is Vixie cron's: it sees the clock each minute. A job that names times runs for each match
of the times that the clock has reached for the first time; another job runs when the clock shows a
match. Whether a local time matches is croniter's answer.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

import pytest
from croniter import croniter
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources.schedule.clock import cron_rule, local, utc
from wikicrawler.sources.schedule.cron import Cron, check_cron

MINUTE = timedelta(minutes=1)
NEW_YORK, LORD_HOWE = "America/New_York", "Australia/Lord_Howe"
CHANGES = {
    NEW_YORK: ["2026-03-08T07:00", "2026-11-01T06:00"],
    LORD_HOWE: ["2026-04-04T15:00", "2026-10-03T15:30"],
    "America/Santiago": ["2026-04-05T03:00", "2026-09-06T04:00"],
    "Africa/Cairo": ["2026-04-23T22:00", "2026-10-29T21:00"],
    "Antarctica/Troll": ["2026-03-29T01:00", "2026-10-25T01:00"],
    "Pacific/Chatham": ["2026-04-04T14:00", "2026-09-26T14:00"],
    "Asia/Kathmandu": ["2026-04-04T14:00"],
}
"""Moments in UTC at which clocks change."""
EXPRESSIONS = [
    "30 2 * * *",
    "30 1 * * *",
    "0 2 * * *",
    "0 3 * * *",
    "0,30 1-3 * * *",
    "*/15 * * * *",
    "30 * * * *",
    "0 */2 * * *",
    "*/20 1-2 * * *",
    "15 0 * * *",
    "59 23 * * *",
    "0 0 * * *",
    "45 1,2 * * SUN",
    "10 2 8 3 *",
    "10 1 1 11 *",
    "0 2 1-7 * SUN",
    "0 2 */2 * SUN",
    "7 0-23/3 * * 6,7",
    "0 0-23 * * *",
    "1-59/2 2 * * *",
]


def runs(expression: str, zone: str, start: datetime, end: datetime) -> list[datetime]:
    """Return the minutes after *start*, up to *end*, at which Vixie cron runs a job."""
    place = ZoneInfo(zone)
    minute, hour = expression.split()[:2]
    names_times = not minute.startswith("*") and not hour.startswith("*")
    first = start.replace(tzinfo=None) - timedelta(days=3)
    last = end.replace(tzinfo=None) + timedelta(days=3)
    each = croniter(expression, first, implement_cron_bug=True, ret_type=datetime)
    matches = set(takewhile(lambda match: match < last, each))
    shown = start.astimezone(place).replace(tzinfo=None)
    reached = shown
    if names_times:  # what the clock has shown in the days before counts as reached
        before = (start - MINUTE * number for number in range(48 * 60))
        reached = max(moment.astimezone(place).replace(tzinfo=None) for moment in before)
    found = []
    moment = start
    while moment < end:
        moment += MINUTE
        shown = moment.astimezone(place).replace(tzinfo=None)
        if not names_times:
            is_run = shown in matches
        else:
            passed = max((shown - reached) // MINUTE, 0)
            is_run = any(shown - MINUTE * back in matches for back in range(passed))
            reached = max(reached, shown)
        if is_run:
            found.append(moment)
    return found


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("zone", CHANGES)
def test_slots_are_those_of_vixie_cron_when_clocks_change(expression: str, zone: str) -> None:
    for change in map(utc, CHANGES[zone]):
        start, end = change - timedelta(hours=30), change + timedelta(hours=30)
        cron = Cron(expression, zone)
        found = list(takewhile(lambda slot: slot <= end, cron.slots(start)))  # noqa: B023
        assert found == runs(expression, zone, start, end)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("zone", [NEW_YORK, LORD_HOWE, "Africa/Cairo"])
def test_the_next_slot_is_the_same_from_each_minute_before_it(expression: str, zone: str) -> None:
    for change in map(utc, CHANGES[zone]):
        start, end = change - timedelta(hours=4), change + timedelta(hours=4)
        cron = Cron(expression, zone)
        slots = runs(expression, zone, start, end)
        moment = start
        while moment < end:
            expected = next((slot for slot in slots if slot > moment), None)
            found = cron.next_slot(moment)
            assert found == expected or (expected is None and found > end)
            moment += MINUTE


FIELDS = st.tuples(
    st.sampled_from(["0", "30", "*/15", "*", "5-50/9", "59", "0,45", "*/7"]),
    st.sampled_from(["0", "1", "2", "3", "*", "*/2", "1-3", "23", "2,14", "0-23/5"]),
    st.sampled_from(["*", "1", "*/2", "8", "25-31", "L"]),
    st.sampled_from(["*", "*/3", "3,4,9,10,11"]),
    st.sampled_from(["*", "SUN", "1-5", "*/2", "7", "0,3"]),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(fields=FIELDS, zone=st.sampled_from(list(CHANGES)), change=st.integers(0, 1))
def test_any_expression_has_the_slots_of_vixie_cron(
    fields: tuple[str, ...], zone: str, change: int
) -> None:
    expression = " ".join(fields)
    if "L" in expression.split()[2] and not expression.endswith("*"):
        return  # croniter has another rule for L beside a day of the week
    middle = utc(CHANGES[zone][change % len(CHANGES[zone])])
    start, end = middle - timedelta(hours=27), middle + timedelta(hours=27)
    found = list(takewhile(lambda slot: slot <= end, Cron(expression, zone).slots(start)))
    assert found == runs(expression, zone, start, end)


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("2026-03-07T12:00", ["2026-03-08T03:00-04:00", "2026-03-09T02:30-04:00"]),
        ("2026-10-31T12:00", ["2026-11-01T02:30-05:00", "2026-11-02T02:30-05:00"]),
    ],
)
def test_a_time_that_clocks_jump_over_occurs_when_they_jump(
    start: str, expected: list[str]
) -> None:
    slots = Cron("30 2 * * *", NEW_YORK).slots(local(start))
    assert list(islice(slots, 2)) == list(map(utc, expected))


def test_a_time_that_clocks_show_twice_occurs_once() -> None:
    cron = Cron("45 1 * * *", NEW_YORK)
    assert cron.next_slot(utc("2026-11-01T05:00")) == utc("2026-11-01T01:45-04:00")
    # Also from between the two.
    assert cron.next_slot(utc("2026-11-01T06:10")) == utc("2026-11-02T01:45-05:00")


def test_a_29th_of_february_may_be_eight_years_away() -> None:
    for expression in ("0 2 29 2 *", "*/5 * 29 2 *"):
        slot = Cron(expression, "UTC").next_slot(utc("2096-03-01"))
        assert slot.date().isoformat() == "2104-02-29"


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("60 * * * *", "an invalid minute (0 to 59)"),
        ("* 24 * * *", "an invalid hour (0 to 23)"),
        ("* * 0 * *", "an invalid day of the month (1 to 31"),
        ("* * 31 2,4 *", "an invalid day of the month (1 to 31, and one that its months have)"),
        ("* * * 13 *", "an invalid month (1 to 12 or JAN to DEC)"),
        ("* * * * 8", "an invalid day of the week (0 to 7 or SUN to SAT; 0 and 7 are Sunday)"),
        ("*/0 * * * *", "an invalid minute"),
        ("5-1 * * * *", "an invalid minute"),
        ("1,,2 * * * *", "an invalid minute"),
        ("1.5 * * * *", "an invalid minute"),
        ("-1 * * * *", "an invalid minute"),
        ("* * * * * *", "is not a cron expression of five fields (like 30 2 * * 1-5)"),
        ("@daily", "is not a cron expression of five fields"),
        ("", "is not a cron expression of five fields"),
        ("0 0 1 1 " + "1," * 100, "has 208 characters (at most 100)"),
    ],
)
def test_an_invalid_expression_is_named_with_what_would_be_right(
    expression: str, words: str
) -> None:
    with pytest.raises(ValueError, match=r"is not|invalid|has") as error:
        check_cron(expression)
    assert words in str(error.value)


@settings(max_examples=500, derandomize=True)
@given(st.lists(st.text("0123456789*/,-LWSUNMOJ#", max_size=12), min_size=5, max_size=5))
def test_any_text_is_valid_or_a_value_error(fields: list[str]) -> None:
    expression = " ".join(fields)
    try:
        check_cron(expression)
    except ValueError:
        return
    slot = Cron(expression, NEW_YORK).next_slot(datetime(2026, 1, 1, tzinfo=UTC))
    assert slot > datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "/etc/localtime"])
def test_an_unknown_time_zone_is_a_value_error(zone: str) -> None:
    with pytest.raises(ValueError, match="is unknown"):
        cron_rule("0 2 * * *", zone)
