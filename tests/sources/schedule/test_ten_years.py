"""Ten years of each frequency: the number of visits, and one in each window.

The expected days are those of dateutil's recurrence rules.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import DAILY, MONTHLY, WEEKLY, rrule

from tests.sources.schedule.clock import BY_DAY, BY_NIGHT, local, rule, utc, visits
from wikicrawler.sources.schedule.timing import Timing

if TYPE_CHECKING:
    from collections.abc import Hashable

RULES = {
    "daily": (DAILY, 1),
    "weekly": (WEEKLY, 1),
    "biweekly": (WEEKLY, 2),
    "monthly": (MONTHLY, 1),
}
VISITS = {"daily": 3653, "weekly": 522, "biweekly": 261, "monthly": 120}
"""Windows from 2020-01-01 to 2030-01-01 that begin in these years, rounded up."""
ZONES = [
    "America/New_York",
    "Australia/Lord_Howe",  # changes by half an hour
    "America/Santiago",  # south of the equator
    "Africa/Cairo",  # changes at midnight
    "Asia/Kathmandu",  # +05:45, no changes
    "Africa/Casablanca",  # changes around Ramadan
    "Europe/Dublin",
    "Pacific/Chatham",  # +12:45
    "America/Havana",  # changes at midnight
    "Antarctica/Troll",  # changes by two hours
]
START, END = "2020-01-01T00:00", "2030-01-01T00:00"


def window_of(frequency: str, day: date) -> Hashable:
    if frequency == "daily":
        return day
    if frequency == "weekly":
        return day.isocalendar()[:2]
    if frequency == "biweekly":
        return (day - date(2019, 12, 30)).days // 14 if day >= date(2019, 12, 30) else -1
    return day.year, day.month


@pytest.mark.parametrize("url", [BY_DAY, BY_NIGHT])
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("frequency", RULES)
def test_visits_recur_on_the_days_that_dateutil_expects(
    frequency: str, zone: str, url: str
) -> None:
    place = ZoneInfo(zone)
    timing = Timing(time_zone=zone)
    start, end = local(START, zone), local(END, zone)
    found = list(visits(rule(frequency, url=url, timing=timing), start, end))
    days = [moment.astimezone(place).date() for moment in found]
    kind, interval = RULES[frequency]
    # The first visit is at once, or in the first night.
    first = datetime.combine(days[1], time())
    expected = rrule(kind, interval=interval, dtstart=first, until=datetime(2029, 12, 31))
    assert days[1:] == [moment.date() for moment in expected]
    assert abs(len(found) - VISITS[frequency]) <= 1
    assert max(Counter(window_of(frequency, day) for day in days).values()) == 1
    if url == BY_NIGHT:
        assert {moment.astimezone(place).hour for moment in found} <= {2, 3, 4, 5}


@pytest.mark.parametrize("url", [BY_DAY, BY_NIGHT])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("frequency", RULES)
def test_late_visits_neither_miss_a_window_nor_shift_the_others(
    frequency: str, seed: int, url: str
) -> None:
    """Up to 55 minutes: less than the quarter that is left free of the off-peak hours."""
    random = Random(seed)  # noqa: S311 - not for secrets
    late = [timedelta(minutes=random.randrange(55)) for _ in range(5_000)]
    of = rule(frequency, id=f"s{seed}", url=url)
    start, end = local(START), local(END)
    punctual = list(visits(of, start, end))
    delayed = list(visits(of, start, end, lateness=late))
    assert len(delayed) == len(punctual)
    pairs = zip(punctual[1:], delayed[1:], strict=True)
    assert all(timedelta() <= after - before < timedelta(hours=1) for before, after in pairs)


@pytest.mark.parametrize(
    ("start", "end", "hosts"), [(22, 4, ("gov",)), (23, 0, ("gov",)), (20, 19, ("gov",))]
)
@pytest.mark.parametrize("frequency", RULES)
def test_off_peak_hours_may_span_midnight(
    frequency: str, start: int, end: int, hosts: tuple[str, ...]
) -> None:
    timing = Timing(off_peak_start=start, off_peak_end=end, off_peak_hosts=hosts)
    of = rule(frequency, timing=timing)
    found = list(visits(of, local(START), local(END)))
    place = ZoneInfo(timing.time_zone)
    hours = {moment.astimezone(place).hour for moment in found}
    assert hours <= {hour % 24 for hour in range(start, end + 24)}
    nights = [(moment.astimezone(place) - timedelta(hours=start)).date() for moment in found]
    assert max(Counter(window_of(frequency, night) for night in nights).values()) == 1
    assert abs(len(found) - VISITS[frequency]) <= 1


def test_each_iso_week_has_a_visit_also_week_53() -> None:
    found = list(visits(rule("weekly"), utc("2015-01-01"), utc("2033-01-10")))
    weeks = [
        moment.astimezone(ZoneInfo("America/New_York")).date().isocalendar() for moment in found
    ]
    long_years = {week.year for week in weeks if week.week == 53}
    assert long_years == {2015, 2020, 2026, 2032}
    assert len({week[:2] for week in weeks}) == len(weeks)
    assert all((after - before).days in (6, 7) for before, after in pairwise(found[1:]))


def test_two_week_blocks_go_on_over_years_with_53_weeks() -> None:
    found = list(visits(rule("biweekly"), utc("2015-01-01"), utc("2033-01-10")))
    days = [moment.astimezone(ZoneInfo("America/New_York")).date() for moment in found]
    assert {(after - before).days for before, after in pairwise(days[1:])} == {14}


def test_a_month_has_a_visit_whatever_its_length() -> None:
    """Whatever day of the month a source was visited on before."""
    for number in range(60):
        of = rule("monthly", id=f"s{number}", url=BY_DAY)
        found = list(visits(of, local("2023-12-31T12:00"), local("2025-01-01T00:00")))
        months = [moment.astimezone(ZoneInfo("America/New_York")).month for moment in found]
        assert months == [12, *range(1, 13)]


def test_a_leap_day_is_a_day() -> None:
    found = list(
        visits(rule("daily", url=BY_DAY), local("2024-02-27T00:00"), local("2024-03-02T00:00"))
    )
    days = [moment.astimezone(ZoneInfo("America/New_York")).day for moment in found]
    assert days == [27, 28, 29, 1]
