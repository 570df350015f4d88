"""The costs of a month as pictures."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from wikicrawler.dashboard.pictures import Series, timeline

if TYPE_CHECKING:
    from datetime import date

    from markupsafe import Markup

    from wikicrawler.spending.costs import DayCost, MonthCosts


def cost_pictures(costs: MonthCosts, today: date) -> list[Markup]:
    """Return credits, tokens and money by day, up to *today*; only what was used."""
    days = [one for one in costs.days if one.day <= today]
    engines = sorted({name for day in days for name, _ in day.by_engine})
    used = [
        Series(engine, [(_midnight(day), dict(day.by_engine).get(engine, 0.0)) for day in days])
        for engine in engines
    ]
    pictures = []
    if used:
        by_most = sorted(used, key=lambda one: -sum(number for _, number in one.points))
        pictures.append(timeline(by_most, key="credits", title="Credits by day and engine"))
    if costs.total.tokens:
        tokens = Series("tokens", [(_midnight(day), float(day.tokens)) for day in days])
        pictures.append(timeline([tokens], key="tokens", title="Tokens by day"))
    if costs.total.cost:
        money = Series("US dollars", [(_midnight(day), day.cost) for day in days])
        pictures.append(timeline([money], key="money", title="US dollars by day", unit="$"))
    return pictures


def _midnight(day: DayCost) -> datetime:
    return datetime.combine(day.day, time(), UTC)
