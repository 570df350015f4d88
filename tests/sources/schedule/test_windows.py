"""Days whose clocks change around midnight."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.sources.schedule.clock import utc
from wikicrawler.sources.schedule.timing import Timing
from wikicrawler.sources.schedule.windows import Days


@pytest.mark.parametrize(
    ("zone", "change", "day"),
    [
        ("America/St_Johns", "2010-11-07T02:31", "2010-11-07"),  # 00:01 becomes 23:01
        ("America/Havana", "2026-11-01T05:00", "2026-11-01"),  # 01:00 becomes 00:00
        ("Africa/Cairo", "2026-04-23T22:00", "2026-04-24"),  # 00:00 becomes 01:00
    ],
)
def test_a_day_that_has_begun_does_not_begin_again(zone: str, change: str, day: str) -> None:
    days = Days(Timing(time_zone=zone), by_night=False)
    minutes = [utc(change) + timedelta(minutes=number) for number in range(-180, 180)]
    found = [days.day_of(moment) for moment in minutes]
    assert found == sorted(found)
    first = date.fromisoformat(day)
    assert set(found) == {first - timedelta(days=1), first}
    assert (
        minutes[found.index(first)] == days.day(first).start == days.day(first - timedelta(1)).end
    )
