"""The costs of a month as pictures."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from wikicrawler.dashboard.pictures import Series, timeline

if TYPE_CHECKING:
    from datetime import date

    from markupsafe import Markup

    from wikicrawler.spending.costs import DayCost, MonthCosts


def cost_pictures(costs: MonthCosts, today: date) -> list[tuple[str, Markup]]:
    """Return titles and pictures of credits, tokens and money by day, up to *today*; only of what
    was used."""
    days = [one for one in costs.days if one.day <= today]
    engines = sorted({name for day in days for name, _ in day.by_engine})
    credit = [
        Series(engine, [(_midnight(day), dict(day.by_engine).get(engine, 0.0)) for day in days])
        for engine in engines
    ]
    credit.sort(key=lambda one: -sum(number for _, number in one.points))
    tokens = [Series("tokens", [(_midnight(day), float(day.tokens)) for day in days])]
    money = [Series("US dollars", [(_midnight(day), day.cost) for day in days])]
    found = [
        ("Credits by engine", "credits", "", credit),
        ("Tokens", "tokens", "", tokens if costs.total.tokens else []),
        ("US dollars", "money", "$", money if costs.total.cost else []),
    ]
    return [
        (title, timeline(series, key=key, title=f"{title} by day", unit=unit))
        for title, key, unit, series in found
        if series
    ]


def _midnight(day: DayCost) -> datetime:
    return datetime.combine(day.day, time(), UTC)
