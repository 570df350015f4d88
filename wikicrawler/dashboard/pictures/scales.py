"""Numbers and times of pictures: how they are written, and where they stand on an axis."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

Moment = datetime | float
"""A time, or seconds since 1970. A time without a zone is one in UTC."""
_TWO_DAYS = timedelta(days=2).total_seconds()
_FIRST, _LAST = -62135596800.0, 253402300799.0
"""Seconds since 1970 of the years 1 to 9999."""


_STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8)


def plain(value: float, unit: str = "") -> str:
    """Return *value* without an exponent and with at most 4 decimals, followed by its *unit*.

    >>> plain(1234.5678), plain(0.25, "s"), plain(3.0)
    ('1235', '0.25 s', '3')
    """
    decimals = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 4
    text = f"{value:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text == "-0":
        text = "0"
    return f"{text} {unit}" if unit else text


def percent(amount: float, total: float) -> Markup:
    return Markup("{} %").format(plain(round(100 * amount / total, 1)))


def seconds(moment: Moment) -> float:
    """Return *moment* as seconds since 1970, within the years that can be written."""
    if isinstance(moment, datetime):
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        moment = aware.timestamp()
    return min(max(float(moment), _FIRST), _LAST)


def at(stamp: float) -> datetime:
    """Return the time in UTC at *stamp* seconds since 1970."""
    return datetime.fromtimestamp(stamp, UTC)


def time_of(stamp: float) -> Markup:
    """Return the time at *stamp* as an element that the page may show in the viewer's zone."""
    when = at(stamp)
    return Markup('<time datetime="{}">{}</time>').format(
        when.strftime("%Y-%m-%dT%H:%M:%SZ"), when.strftime("%Y-%m-%d %H:%M:%S UTC")
    )


def day_of(day: date) -> Markup:
    return Markup("<time>{}</time>").format(day.isoformat())


def time_labels(first: float, last: float) -> list[tuple[float, str]]:
    """Return the times to write below an axis from *first* to *last*: both ends and the middle."""
    clock = "%m-%d %H:%M" if last - first < _TWO_DAYS else "%Y-%m-%d"
    stamps = [first, (first + last) / 2, last] if last > first else [first]
    return [(stamp, at(stamp).strftime(clock)) for stamp in stamps]


def top(values: Sequence[float]) -> float:
    """Return a round number that is not below any of *values*; 1 if all are 0.

    >>> top([0, 37]), top([0.3]), top([0])
    (40.0, 0.3, 1.0)
    """
    highest = max(values, default=0.0)
    if highest <= 0:
        return 1.0
    power = 10.0 ** floor(log10(highest))
    steps = (step * power for step in _STEPS)
    return next((step for step in steps if highest <= step), power * 10)


def finite(value: float | None) -> bool:
    return value is not None and isfinite(value)


def coordinate(value: float) -> str:
    """Return a coordinate with one decimal, which is finer than a pixel."""
    return f"{value:.1f}".removesuffix(".0")
