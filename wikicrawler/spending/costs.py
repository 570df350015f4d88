"""What a month costs: credits, tokens and money, by day, engine, model and source.

Credits by service are those of the ledger, which is exact. By day and by source they are those of
the audit log, so there are none of crawls without one (``WIKICRAWLER_AUDIT``).
"""

from __future__ import annotations

from calendar import monthrange
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from wikicrawler.spending.limits import read_limits
from wikicrawler.spending.months import end_of, forecast, month_of
from wikicrawler.store.audit_days import (
    Spent,
    credits_of_days,
    spent_by_engine,
    spent_by_source,
)
from wikicrawler.store.model_usage import ModelUsage, usage_of
from wikicrawler.store.spending import list_spending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scrapy.settings import BaseSettings

    from wikicrawler.store.database import Database
    from wikicrawler.store.spending import Spending

MAX_SOURCES = 100
"""Sources and sites that are listed, those with the highest costs."""
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class ServiceCost:
    """The credits of a service in the month."""

    service: str
    """Name of the tier."""
    credits: float
    requests: int
    limit: float | None
    """The operator's limit as it is now; None: there is none, or the month is over."""
    forecast: float
    """Credits at the end of the month, at the pace since the first request of the month; for a
    month that is over what was used."""

    @property
    def share(self) -> float | None:
        """Share of the limit that is used."""
        return self.credits / self.limit if self.limit else None


@dataclass(frozen=True, slots=True)
class DayCost:
    """A day of the month."""

    day: date
    """In UTC."""
    credits: float
    tokens: int
    cost: float
    """US dollars of the calls of models whose price is known."""
    by_engine: tuple[tuple[str, float], ...]
    """Engines with their credits."""


@dataclass(frozen=True, slots=True)
class ModelCost:
    """The calls of a model, or those for the pages of a site."""

    name: str
    requests: int
    cached: int
    """Answers of the own cache, which cost nothing."""
    prompt_tokens: int
    completion_tokens: int
    cost: float
    """US dollars of the calls whose price is known."""
    unpriced: int
    """Number of calls whose price is not known."""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class MonthCosts:
    """The costs of a month."""

    month: str
    """Like ``2026-08``, in UTC."""
    months: tuple[str, ...]
    """Months with recorded costs, and this one; the last first."""
    services: tuple[ServiceCost, ...]
    days: tuple[DayCost, ...]
    """All days of the month, also those to come."""
    engines: tuple[Spent, ...]
    sources: tuple[Spent, ...]
    """At most :data:`MAX_SOURCES`, the most credits first; the empty name: of no watched source."""
    models: tuple[ModelCost, ...]
    sites: tuple[ModelCost, ...]
    """The calls of models by the sites of the pages, at most :data:`MAX_SOURCES`."""
    total: ModelCost
    """All calls of models."""
    cost_forecast: float
    """US dollars at the end of the month: what was used, and for each day to come the mean of the
    days from the first one with a call to today; for a month that is over what was used."""
    tokens_forecast: int
    """Of all models, in the same way."""


def month_costs(
    settings: BaseSettings, database: Database, now: float, month: str = ""
) -> MonthCosts:
    """Return the costs of *month*.

    :param now: seconds since the epoch
    :param month: like ``2026-08``; empty: the month of *now*
    :raises ValueError: *month* is none
    :raises ConfigError: a limit is wrong
    :raises StoreError: the database is unavailable
    """
    this = month_of(now)
    month = month or this
    if not is_month(month):
        raise ValueError(f"{month[:20]!r} is not a month (like {this})")
    limits = read_limits(settings) if month == this else {}
    spent: list[Spending] = []
    usage: list[ModelUsage] = []
    engines: list[Spent] = []
    sources: list[Spent] = []
    credits_by_day: list[tuple[str, str, float]] = []
    if database.has_tables():
        with database.read() as connection:
            spent, usage = list_spending(connection), usage_of(connection, month)
            engines = spent_by_engine(connection, month)
            sources = spent_by_source(connection, month, MAX_SOURCES)
            credits_by_day = credits_of_days(connection, month)
    services = [_service(one, limits, now) for one in spent if one.month == month]
    used = {one.service for one in services}
    services += [
        ServiceCost(name, 0.0, 0, limits[name], 0.0) for name in limits if name not in used
    ]
    total = _summed("", usage)
    days = _days(month, credits_by_day, usage)
    factor = _factor(month, days, now)
    return MonthCosts(
        month=month,
        months=tuple(sorted({month, this, *(one.month for one in spent)}, reverse=True)),
        services=tuple(sorted(services, key=lambda one: one.service)),
        days=days,
        engines=tuple(engines),
        sources=tuple(sources),
        models=_by(usage, lambda one: one.model),
        sites=_by(usage, lambda one: one.site),
        total=total,
        cost_forecast=total.cost * factor,
        tokens_forecast=round(total.tokens * factor),
    )


def is_month(text: str) -> bool:
    """Return whether *text* is a month like ``2026-08``."""
    try:
        return len(text) == len("2026-08") and bool(date.fromisoformat(f"{text}-01"))
    except ValueError:
        return False


def _service(one: Spending, limits: Mapping[str, float], now: float) -> ServiceCost:
    expected = forecast(one.credits, one.month, one.first_at, now)
    return ServiceCost(one.service, one.credits, one.requests, limits.get(one.service), expected)


def _summed(name: str, usage: Iterable[ModelUsage]) -> ModelCost:
    sums: list[float] = [0] * 6
    for one in usage:
        for place, number in enumerate(one[3:]):
            sums[place] += number
    requests, cached, prompt, completion, cost, unpriced = sums
    counts = (int(requests), int(cached), int(prompt), int(completion))
    return ModelCost(name, *counts, float(cost), int(unpriced))


def _by(usage: Iterable[ModelUsage], key: Callable[[ModelUsage], str]) -> tuple[ModelCost, ...]:
    groups: dict[str, list[ModelUsage]] = defaultdict(list)
    for one in usage:
        groups[key(one)].append(one)
    found = [_summed(name, some) for name, some in groups.items()]
    return tuple(sorted(found, key=lambda one: (-one.cost, -one.tokens, one.name))[:MAX_SOURCES])


def _days(
    month: str, used: Iterable[tuple[str, str, float]], usage: Iterable[ModelUsage]
) -> tuple[DayCost, ...]:
    engines: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for day, engine, number in used:
        engines[day].append((engine, number))
    models: dict[str, list[ModelUsage]] = defaultdict(list)
    for one in usage:
        models[one.day].append(one)
    first = date.fromisoformat(f"{month}-01")
    found = []
    for number in range(1, monthrange(first.year, first.month)[1] + 1):
        at = first.replace(day=number)
        total = _summed("", models[at.isoformat()])
        by_engine = tuple(engines[at.isoformat()])
        spent = sum(credit for _, credit in by_engine)
        found.append(DayCost(at, spent, total.tokens, total.cost, by_engine))
    return tuple(found)


def _factor(month: str, days: Iterable[DayCost], now: float) -> float:
    """Return by how much the usage of models grows until the end of the month at the pace so far,
    which is taken over at least a day."""
    begun = [one.day for one in days if one.tokens or one.cost]
    end = end_of(month)
    if not begun or now >= end:
        return 1.0
    length = len(list(days))
    start = end - (length - begun[0].day + 1) * _DAY
    return 1.0 + (end - now) / max(now - start, _DAY)
