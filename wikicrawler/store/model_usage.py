"""Tokens and money of language models, by day, model and site."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from wikicrawler.store.rows import insert_rows
from wikicrawler.store.tables import model_usage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

_KEY = ("day", "model", "site")
_COUNTS = ("requests", "cached", "prompt_tokens", "completion_tokens", "cost", "unpriced")


class ModelUsage(NamedTuple):
    """The calls of a model on a day for the pages of a site. The columns of ``model_usage``
    describe the fields."""

    day: str
    model: str
    site: str
    requests: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0


_COLUMNS = [model_usage.c[name] for name in ModelUsage._fields]
_ADD = f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET " + ", ".join(
    f"{name} = model_usage.{name} + excluded.{name}" for name in _COUNTS
)


def add_usage(connection: Connection, used: Iterable[ModelUsage]) -> None:
    """Add *used*, at most one of each key, to what is stored."""
    # In order: else two crawls could wait for each other's rows.
    insert_rows(connection, model_usage, [tuple(one) for one in sorted(used)], _ADD)


def usage_of(connection: Connection, month: str) -> list[ModelUsage]:
    """Return the usage in *month*, like ``2026-08``, in the order of days, models and sites."""
    day = model_usage.c.day
    query = (
        select(*_COLUMNS).where(day.between(f"{month}-01", f"{month}-31")).order_by(*_COLUMNS[:3])
    )
    return [ModelUsage(*row) for row in connection.execute(query).all()]
