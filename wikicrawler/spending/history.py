"""The months with costs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.store.model_usage import usage_by_month
from wikicrawler.store.spending import list_spending

if TYPE_CHECKING:
    from wikicrawler.store.database import Database


@dataclass(frozen=True, slots=True)
class MonthLine:
    """A month with costs."""

    month: str
    """Like ``2026-08``, in UTC."""
    services: tuple[tuple[str, float], ...]
    """Services with their credits, by name."""
    tokens: int
    cost: float
    """US dollars of the calls of models whose price is known."""

    @property
    def credits(self) -> float:
        return sum(used for _, used in self.services)


def months_with_costs(database: Database) -> tuple[MonthLine, ...]:
    """Return the months with costs, the last first.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return ()
    with database.read() as connection:
        spent, used = list_spending(connection), usage_by_month(connection)
    services: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for one in spent:
        services[one.month].append((one.service, one.credits))
    models = {month: (tokens, cost) for month, tokens, cost in used}
    return tuple(
        MonthLine(month, tuple(sorted(services[month])), *models.get(month, (0, 0.0)))
        for month in sorted({*services, *models}, reverse=True)
    )
