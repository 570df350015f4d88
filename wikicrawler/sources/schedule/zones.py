"""Local times and the moments at which they occur.

When clocks go forward, some local times do not exist; when they go back, some occur twice.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_SECOND = timedelta(seconds=1)
_STEP = timedelta(hours=6)
"""No zone has changed its offset twice within this time."""


@cache
def zone_names() -> AbstractSet[str]:
    """Return the names of the known time zones."""
    # Cached because it reads hundreds of files.
    return frozenset(available_timezones())


@cache
def zone_named(name: str) -> ZoneInfo:
    """Return the time zone *name*.

    :raises ValueError: it is unknown
    """
    if name not in zone_names():  # a name could also be a path
        raise ValueError(f"the time zone {name[:60]!r} is unknown (like America/New_York)")
    return ZoneInfo(name)


def check_moment(moment: datetime) -> datetime:
    """Return *moment* in UTC.

    :raises ValueError: it has no time zone
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone (pass an aware datetime in UTC)")
    return moment.astimezone(UTC)


def local_time(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the local time of *moment* in *zone*, as a naive datetime."""
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)


def offset_at(moment: datetime, zone: ZoneInfo) -> timedelta:
    """Return the offset of *zone* from UTC at *moment*."""
    offset = moment.astimezone(zone).utcoffset()
    return offset if offset is not None else timedelta()


def moment_of(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment in UTC at which clocks in *zone* show the naive datetime *local*.

    If they show it twice, that is the first time. If they never show it, it is the moment at which
    they jump over it.
    """
    moment = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if local_time(moment, zone) == local:
        return moment
    earlier = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return first_change(earlier, moment, zone) or moment


def first_change(after: datetime, until: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the first moment after *after*, up to *until*, at which the offset of *zone* from UTC
    is another than before; None if there is none."""
    offset = offset_at(after, zone)
    while after < until:
        end = min(after + _STEP, until)
        if offset_at(end, zone) != offset:
            return _bisect(after, end, zone)
        after = end
    return None


def _bisect(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment of the change of offset between *before* and *after*, to the second."""
    offset = offset_at(before, zone)
    before = before.replace(microsecond=0)
    while after - before > _SECOND:
        middle = before + timedelta(seconds=(after - before) // _SECOND // 2)
        if offset_at(middle, zone) == offset:
            before = middle
        else:
            after = middle
    return before + _SECOND
