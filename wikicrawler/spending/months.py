"""Calendar months in UTC, and the forecast to the end of one."""

from __future__ import annotations

from datetime import UTC, datetime

_DAY = 86_400.0


def month_of(at: float) -> str:
    """Return the month of the time *at* (seconds since the epoch), like ``2026-08``."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m}"


def end_of(month: str) -> float:
    """Return the time at which *month* ends, in seconds since the epoch."""
    year, number = map(int, month.split("-"))
    following = (year + 1, 1) if number == 12 else (year, number + 1)
    return datetime(*following, 1, tzinfo=UTC).timestamp()


def forecast(used: float, month: str, since: float, now: float) -> float:
    """Return the credits that will have been used at the end of *month*, at the pace so far.

    :param used: credits used so far
    :param since: time of the month's first request; a pace is taken over at least a day
    """
    end = end_of(month)
    if now >= end:
        return used
    return used + used / max(now - since, _DAY) * (end - now)
