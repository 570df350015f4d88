"""What things cost, in plain GETs, and what may be spent on exploring."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.learning.model.choice import EXPLORE, Costs
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

BAN, PAGE = 10.0, 200.0
"""Default costs of a ban, and of a page that no tier gets, in plain GETs."""
_SETTING = "WIKICRAWLER_TIER_COSTS"
_EXPLORE = "WIKICRAWLER_EXPLORE"
_MOST = 0.5


def costs_of(settings: BaseSettings) -> Costs:
    """What ``WIKICRAWLER_TIER_COSTS`` and ``WIKICRAWLER_EXPLORE`` say, else the defaults.

    :raises ConfigError: they are no dict (or JSON of one) of numbers above 0, and no share
    """
    registry = TierRegistry.from_settings(settings)
    defaults = {name: tier.cost for name, tier in registry.classes.items()}
    defaults |= {"ban": BAN, "page": PAGE}
    costs = {**defaults, **_read(settings.get(_SETTING), defaults)}
    ban, page = costs.pop("ban"), costs.pop("page")
    share = _share(settings.get(_EXPLORE, EXPLORE))
    return Costs(costs, ban, page, share, registry.probe)


def _share(value: object) -> float:
    try:
        share = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        share = -1.0
    if not 0 <= share <= _MOST:
        raise ConfigError(
            f"{_EXPLORE} is {value!r}: the share of a page's cost that may go into trying other "
            f"tiers is right, 0 to {_MOST}"
        )
    return share


def _read(value: object, defaults: Mapping[str, float]) -> dict[str, float]:
    right = f"right would be some of {json.dumps(defaults)}"
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
    return {key: _cost(key, cost, defaults, right) for key, cost in items()}


def _cost(key: object, cost: object, known: Mapping[str, float], right: str) -> float:
    if key not in known:
        raise ConfigError(f"{_SETTING} has the key {key!r}; {right}")
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not 0 < cost < inf:
        raise ConfigError(f"{_SETTING}[{key!r}] is {cost!r}: a number above 0 is right; {right}")
    return float(cost)
