"""The end of the period that a filing is about."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wikicrawler.reports.providers.edgar.filings import Filing

_LATEST_FILING = timedelta(days=12 * 366)
_USUAL_DELAY = timedelta(days=75)
"""From the end of a year to its report."""
_SHORTEST_DELAY = timedelta(days=14)
_NAMED_DAY = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2}[01][0-9][0-3][0-9])(?![0-9])")


class Period(NamedTuple):
    end: date | None
    """None: nothing says it."""
    source: str
    """How the end is known, for a person."""
    is_sure: bool = True


def period_of(filing: Filing, year_end: tuple[int, int] | None) -> Period:
    """Return the end of the period of *filing*.

    It is the ``reportDate``, if that is before the day of filing; else the day in the name of the
    document (``aapl-20230930.htm``); else the last end of a fiscal year before the filing.

    :param year_end: month and day of the present end of the company's fiscal year
    """
    if filing.period and _is_plausible(filing.period, filing.filed):
        return Period(filing.period, f"the period ended {filing.period}")
    named = _named_day(filing.document)
    if named and _is_plausible(named, filing.filed):
        return Period(named, f"the document's name says {named}")
    if filing.filed is None:
        return Period(None, "neither the period nor the day of filing is known", is_sure=False)
    if year_end is None:
        guessed = filing.filed - _USUAL_DELAY
        return Period(guessed, f"no period is known; it was filed on {filing.filed}", is_sure=False)
    guessed = _last_anniversary(year_end, filing.filed - _SHORTEST_DELAY)
    return Period(
        guessed,
        f"no period is known; the last fiscal year before the filing ended near {guessed}",
        is_sure=False,
    )


def is_month_end(day: date) -> bool:
    """Return True for the last day of a month."""
    return day.day == calendar.monthrange(day.year, day.month)[1]


def days_apart_in_year(one: date, other: date) -> int:
    """Return the days between two days of the calendar, whatever their years."""
    gap = abs(one.timetuple().tm_yday - other.timetuple().tm_yday)
    return min(gap, 365 - gap)


def _is_plausible(end: date, filed: date | None) -> bool:
    return filed is None or end <= filed <= end + _LATEST_FILING


def _named_day(document: str) -> date | None:
    for found in _NAMED_DAY.findall(document):
        try:
            return date.fromisoformat(found)
        except ValueError:
            continue
    return None


def _last_anniversary(year_end: tuple[int, int], before: date) -> date:
    found = _in_year(year_end, before.year)
    return found if found <= before else _in_year(year_end, before.year - 1)


def _in_year(year_end: tuple[int, int], year: int) -> date:
    month, day = year_end
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))
