"""What things cost, in plain GETs, and what may be spent on exploring."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.learning.model.choice import Costs
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

BAN, PAGE = 10.0, 200.0
"""Default costs of a ban, and of a page that no tier gets, in plain GETs."""
_SETTING = options.TIER_COSTS.name


def costs_of(settings: BaseSettings) -> Costs:
    """What ``WIKICRAWLER_TIER_COSTS`` and ``WIKICRAWLER_EXPLORE`` say, else the defaults.

    :raises ConfigError: they are no dict (or JSON of one) of numbers above 0, and no share
    """
    registry = TierRegistry.from_settings(settings)
    defaults = {name: tier.cost for name, tier in registry.classes.items()}
    defaults |= {"ban": BAN, "page": PAGE}
    costs = {**defaults, **_read(settings, defaults)}
    ban, page = costs.pop("ban"), costs.pop("page")
    return Costs(costs, ban, page, options.EXPLORE.read(settings), registry.probe)


def _read(settings: BaseSettings, defaults: Mapping[str, float]) -> dict[str, float]:
    right = f"right would be some of {json.dumps(defaults)}"
    given = options.TIER_COSTS.read(settings)
    return {key: _cost(key, cost, defaults, right) for key, cost in given.items()}


def _cost(key: object, cost: object, known: Mapping[str, float], right: str) -> float:
    if key not in known:
        raise ConfigError(f"{_SETTING} has the key {key!r}; {right}")
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not 0 < cost < inf:
        raise ConfigError(f"{_SETTING}[{key!r}] is {cost!r}: a number above 0 is right; {right}")
    return float(cost)
