"""Cron expressions of five fields.

The meaning is that of Vixie cron, as Debian and most other systems have it:

- If the day of the month or the day of the week begins with ``*``, a day must match both fields;
  otherwise it must match one of them.
- If neither the minute nor the hour begins with ``*``, the expression names times of the day. A
  time that clocks jump over occurs when they jump; a time that they show twice occurs once.
- Otherwise the expression names an interval. It follows the clocks: what they jump over does not
  occur, what they show twice occurs twice.

cronsim has these rules; croniter runs a job at 01:30 twice when clocks go back. cronsim is used for
the calendar only. With a time zone, version 2.8 yields times before its start during the second
pass of an hour, and skips 02:00 in Lord Howe, where clocks change by half an hour.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from cronsim import CronSim, CronSimError

from wikicrawler.sources.schedule.zones import (
    first_change,
    local_time,
    moment_of,
    offset_at,
    zone_named,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zoneinfo import ZoneInfo

MAX_LENGTH = 100
"""Maximum number of characters of an expression."""
_FIELDS = {
    "minute": ("minute", "0 to 59"),
    "hour": ("hour", "0 to 23"),
    "day-of-month": ("day of the month", "1 to 31, and one that its months have"),
    "month": ("month", "1 to 12 or JAN to DEC"),
    "day-of-week": ("day of the week", "0 to 7 or SUN to SAT; 0 and 7 are Sunday"),
}
_ANY_TIME = datetime(2000, 1, 1)
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class Cron:
    """A valid cron expression in a time zone."""

    expression: str
    time_zone: str

    def __post_init__(self) -> None:
        """Check the expression and the zone.

        :raises ValueError: one of them is invalid
        """
        check_cron(self.expression)
        zone_named(self.time_zone)

    @property
    def _zone(self) -> ZoneInfo:
        return zone_named(self.time_zone)

    @cached_property
    def names_times(self) -> bool:
        """Whether the expression names times of the day, not an interval."""
        minute, hour = self.expression.split()[:2]
        return not (minute.startswith("*") or hour.startswith("*"))

    def next_slot(self, after: datetime) -> datetime:
        """Return the first slot after the moment *after*, in UTC."""
        after = after.astimezone(UTC)
        return self._next_time(after) if self.names_times else self._next_of_interval(after)

    def slots(self, after: datetime) -> Iterator[datetime]:
        """Yield the slots after the moment *after*, in UTC."""
        while True:
            after = self.next_slot(after)
            yield after

    def _next_time(self, after: datetime) -> datetime:
        moment = after
        local = local_time(after, self._zone)
        while moment <= after:
            local = _next_match(self.expression, local)
            moment = moment_of(local, self._zone)
        return moment

    def _next_of_interval(self, after: datetime) -> datetime:
        start, offset = after, offset_at(after, self._zone)
        local = start.replace(tzinfo=None) + offset
        while True:
            found = (_next_match(self.expression, local) - offset).replace(tzinfo=UTC)
            start_of_offset = first_change(start, found, self._zone)
            if start_of_offset is None:
                return found
            # The clocks change before that: search again from there, with the new offset.
            start, offset = start_of_offset, offset_at(start_of_offset, self._zone)
            local = start.replace(tzinfo=None) + offset - _SECOND


def check_cron(expression: str) -> None:
    """Check a cron expression.

    :raises ValueError: it is invalid, or matches no day; the message says what would be right
    """
    if len(expression) > MAX_LENGTH:
        raise ValueError(f"has {len(expression):,} characters (at most {MAX_LENGTH})")
    if len(expression.split()) != 5:
        raise ValueError("is not a cron expression of five fields (like 30 2 * * 1-5)")
    try:
        _next_match(expression, _ANY_TIME)
    except CronSimError as error:
        name, right = _FIELDS.get(str(error).removeprefix("Bad "), ("expression", "five fields"))
        raise ValueError(f"has an invalid {name} ({right})") from None
    except StopIteration:
        raise ValueError("matches no day (like 30 2 * * 1-5)") from None


def _next_match(expression: str, local: datetime) -> datetime:
    """Return the first local time after *local* that *expression* matches."""
    return next(CronSim(expression, local))
