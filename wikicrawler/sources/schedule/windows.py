"""Windows: the days, weeks, two-week blocks and months in which a source is visited once.

Weeks are those of ISO 8601 and begin on Monday. Two-week blocks go on over the ends of years,
whether a year has 52 or 53 weeks.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.schedule.zones import local_time, moment_of, zone_named

if TYPE_CHECKING:
    from wikicrawler.sources.schedule.timing import Timing

_DAY = timedelta(days=1)


class Window(IntEnum):
    """A kind of window, from the shortest to the longest."""

    DAY = 1
    WEEK = 2
    TWO_WEEKS = 3
    MONTH = 4
    TWO_MONTHS = 5

    def number_of(self, day: date) -> int:
        """Return the number of the window that contains *day*; numbers are consecutive."""
        match self:
            case Window.DAY:
                return day.toordinal()
            case Window.WEEK:
                return (day.toordinal() - 1) // 7  # 0001-01-01 was a Monday
            case Window.TWO_WEEKS:
                return (day.toordinal() - 1) // 14
            case Window.MONTH:
                return day.year * 12 + day.month - 1
        return (day.year * 12 + day.month - 1) // 2

    def first_day(self, number: int) -> date:
        """Return the first day of the window with *number*."""
        match self:
            case Window.DAY:
                return date.fromordinal(number)
            case Window.WEEK:
                return date.fromordinal(number * 7 + 1)
            case Window.TWO_WEEKS:
                return date.fromordinal(number * 14 + 1)
            case Window.MONTH:
                return date(number // 12, number % 12 + 1, 1)
        return date(number // 6, number % 6 * 2 + 1, 1)

    @property
    def days(self) -> int:
        """Number of days that each window of this kind has at least."""
        return {1: 1, 2: 7, 3: 14, 4: 28, 5: 59}[self]


class Span(NamedTuple):
    """A time from *start* to before *end*."""

    start: datetime
    end: datetime

    def at(self, numerator: int, denominator: int) -> datetime:
        """Return the moment at a fraction of the span, in whole seconds."""
        seconds = (self.end - self.start) // timedelta(seconds=1)
        return self.start + timedelta(seconds=seconds * numerator // denominator)


class Days:
    """The days of the schedule: those of the calendar in the operator's time zone.

    If the off-peak hours span midnight, a day begins with them instead, so that a night is in one
    day.
    """

    def __init__(self, timing: Timing, *, by_night: bool) -> None:
        """Remember the timing.

        :param by_night: the days are those of a source that is visited in the off-peak hours
        """
        self._timing = timing
        self._zone = zone_named(timing.time_zone)
        self._first_hour = timing.off_peak_start if by_night and timing.spans_midnight else 0

    def day_of(self, moment: datetime) -> date:
        """Return the day that contains *moment*."""
        day = (local_time(moment, self._zone) - timedelta(hours=self._first_hour)).date()
        # Clocks that go back may show the end of the day before again: it has begun all the same.
        while moment >= self._at(day + _DAY, self._first_hour):
            day += _DAY
        return day

    def day(self, day: date) -> Span:
        """Return the span of *day*, which has 23 or 25 hours if clocks change."""
        return Span(self._at(day, self._first_hour), self._at(day + _DAY, self._first_hour))

    def night(self, day: date) -> Span:
        """Return the off-peak hours that begin on *day*."""
        timing = self._timing
        start = self._at(day, timing.off_peak_start)
        end = self._at(day + _DAY if timing.spans_midnight else day, timing.off_peak_end)
        if end <= start:  # the clocks jump over all of these hours
            end = start + timedelta(hours=(timing.off_peak_end - timing.off_peak_start) % 24)
        return Span(start, end)

    def _at(self, day: date, hour: int) -> datetime:
        return moment_of(datetime.combine(day, time(hour)), self._zone).astimezone(UTC)
