"""What things cost, in plain GETs: the setting ``WIKICRAWLER_TIER_COSTS``."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.learning.choice import Costs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

DEFAULTS: Mapping[str, float] = {
    "mediawiki": 1.0,
    "http": 1.0,
    "browser": 12.0,
    "ban": 10.0,
    "page": 200.0,
}
_SETTING = "WIKICRAWLER_TIER_COSTS"


def costs_of(settings: BaseSettings) -> Costs:
    """The costs that are configured, those that are not by :data:`DEFAULTS`.

    :raises ConfigError: the setting is no dict (or JSON of one) of numbers above 0
    """
    costs = {**DEFAULTS, **_read(settings.get(_SETTING))}
    return Costs(tiers=costs, ban=costs.pop("ban"), page=costs.pop("page"))


def _read(value: object) -> dict[str, float]:
    right = f"right would be some of {json.dumps(dict(DEFAULTS))}"
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except ValueError as error:
            raise ConfigError(f"{_SETTING} is not JSON: {error}; {right}") from None
    if not value:
        return {}
    items = getattr(value, "items", None)
    if items is None:
        raise ConfigError(f"{_SETTING} is {value!r}; {right}")
    return {key: _cost(key, cost, right) for key, cost in items()}


def _cost(key: object, cost: object, right: str) -> float:
    if key not in DEFAULTS:
        raise ConfigError(f"{_SETTING} has the key {key!r}; {right}")
    is_number = isinstance(cost, (int, float)) and not isinstance(cost, bool)
    if not is_number or not (isfinite(cost) and cost > 0):  # type: ignore[arg-type]
        raise ConfigError(f"{_SETTING}[{key!r}] is {cost!r}: a number above 0 is right; {right}")
    return float(cost)  # type: ignore[arg-type]
