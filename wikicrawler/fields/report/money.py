"""What calls of models cost, by URL, field, model and key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.fields.models import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikicrawler.fields.budget import Sums

MAX_COSTS = 50
"""Lines of one table; the cheapest others are one line together."""
_KEY_NAME = re.compile(r"key [0-9]{1,6}|cache|none")


class Costs(NamedTuple):
    """What one group of calls cost."""

    by: str
    """``URL``, ``field``, ``model`` or ``key``."""
    lines: tuple[tuple[str, Usage], ...]
    """Names and usage, the dearest first."""


def costs_of(sums: Sums, limit: int = MAX_COSTS) -> list[Costs]:
    """Return the sums in tables of at most *limit* lines and one for all others.

    Keys have names like ``key 1``. Anything else is not shown: it might be the key itself.
    """
    keys: dict[str, Usage] = {}
    for name, usage in sums.by_key.items():
        safe = name if _KEY_NAME.fullmatch(name) else "another key"
        keys[safe] = keys.get(safe, Usage()) + usage
    tables = {"URL": sums.by_url, "field": sums.by_field, "model": sums.by_model, "key": keys}
    return [Costs(by, tuple(_lines(table, limit))) for by, table in tables.items() if table]


def format_cost(cost: float | None) -> str:
    """Return US dollars as a person reads them; ``unknown`` for None."""
    if cost is None:
        return "unknown"
    if cost == 0:
        return "$0"
    if cost < 1e-6:
        return "< $0.000001"
    if cost < 1 - 5e-7:  # else it is rounded to a whole dollar
        return f"${cost:.6f}".rstrip("0")
    return f"${cost:,.2f}"


def counted(number: int, noun: str) -> str:
    """Return ``1 page``, ``2 pages``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _lines(table: Mapping[str, Usage], limit: int) -> Iterable[tuple[str, Usage]]:
    ordered = sorted(table.items(), key=lambda item: (*_dearest(item[1]), item[0]))
    yield from ordered[:limit]
    others = ordered[limit:]
    if others:
        yield f"{len(others):,} others", sum((usage for _, usage in others), Usage())


def _dearest(usage: Usage) -> tuple[float, int]:
    return (-(usage.cost or 0.0), -(usage.prompt_tokens + usage.completion_tokens))
