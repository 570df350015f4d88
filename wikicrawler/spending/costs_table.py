"""The costs of a month as one table, for a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.spending.costs import ModelCost, MonthCosts

COLUMNS = (
    *("month", "kind", "name", "credits", "requests", "limit", "forecast"),
    *("cached", "prompt_tokens", "completion_tokens", "tokens", "usd", "unpriced"),
)
"""``kind`` is ``service``, ``engine``, ``source``, ``day``, ``model``, ``site`` or ``models``, the
sum of all models. A ``day`` has its date as ``name``; the forecast of ``models`` is of ``usd``."""


def cost_rows(costs: MonthCosts) -> Iterator[dict[str, Any]]:
    """Yield the rows of *costs*: values by :data:`COLUMNS`, without those that do not apply."""
    for row in _rows(costs):
        yield {"month": costs.month, **row}


def _rows(costs: MonthCosts) -> Iterator[dict[str, Any]]:
    for service in costs.services:
        yield {
            "kind": "service",
            "name": service.service,
            "credits": service.credits,
            "requests": service.requests,
            "limit": service.limit,
            "forecast": service.forecast,
        }
    for kind, found in (("engine", costs.engines), ("source", costs.sources)):
        for one in found:
            yield {
                "kind": kind,
                "name": one.name,
                "credits": one.credits,
                "requests": one.operations,
            }
    for day in costs.days:
        if day.credits or day.tokens or day.cost:
            yield {
                "kind": "day",
                "name": day.day.isoformat(),
                "credits": day.credits,
                "tokens": day.tokens,
                "usd": day.cost,
            }
    for model in costs.models:
        yield _model("model", model)
    for site in costs.sites:
        yield _model("site", site)
    yield {**_model("models", costs.total), "forecast": costs.cost_forecast}


def _model(kind: str, one: ModelCost) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": one.name,
        "requests": one.requests,
        "cached": one.cached,
        "prompt_tokens": one.prompt_tokens,
        "completion_tokens": one.completion_tokens,
        "tokens": one.tokens,
        "usd": one.cost,
        "unpriced": one.unpriced,
    }
