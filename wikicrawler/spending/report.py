"""What paid services have charged, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.spending.limits import read_limits
from wikicrawler.spending.months import forecast, month_of
from wikicrawler.store.spending import list_spending

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from wikicrawler.store.database import Database


class MonthReport(NamedTuple):
    """A service's credits in a month."""

    month: str
    service: str
    requests: int
    credits: float
    limit: float | None
    """The limit as it is now; None for earlier months."""
    forecast: float | None
    """Credits at the end of the month, at the pace so far; None for earlier months."""


def report(settings: BaseSettings, database: Database, now: float) -> list[MonthReport]:
    """Return what was spent, the last month first; services with a limit are there this month.

    :raises ConfigError: a limit is wrong
    :raises StoreError: the database is unavailable
    """
    limits, month = read_limits(settings), month_of(now)
    found = []
    if database.has_tables():
        with database.read() as connection:
            found = list_spending(connection)
    unused = [name for name in limits if (name, month) not in {(s.service, s.month) for s in found}]
    reports = [MonthReport(month, name, 0, 0.0, limits[name], 0.0) for name in unused]
    for one in found:
        is_now = one.month == month
        expected = forecast(one.credits, month, one.first_at, now) if is_now else None
        limit = limits.get(one.service) if is_now else None
        reports.append(
            MonthReport(one.month, one.service, one.requests, one.credits, limit, expected)
        )
    return sorted(reports, key=lambda one: (one.month, one.service), reverse=True)
