"""The operator's limits of credits, ``WIKICRAWLER_CREDITS``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.options.kinds import to_float
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.settings import BaseSettings


def read_limits(settings: BaseSettings) -> dict[str, float]:
    """Return the maximum number of credits in a month, by service.

    :raises ConfigError: a value is not a number of credits
    """
    return {_name(key): _limit(key, value) for key, value in options.CREDITS.read(settings).items()}


def check_limits(settings: BaseSettings, services: Collection[str]) -> None:
    """Check that the limits are for *services* that report credits.

    :raises ConfigError: one is not
    """
    for name in read_limits(settings):
        if name not in services:
            raise ConfigError(
                f"{options.CREDITS.name} has the key {quoted(name)}: no tier of that name reports "
                f"credits (expected some of {', '.join(services)})"
            )


def _name(key: object) -> str:
    if not isinstance(key, str):
        raise ConfigError(f"{options.CREDITS.name} has the key {key!r}; {options.CREDITS.right}")
    return key


def _limit(key: object, value: object) -> float:
    number = to_float(value) if isinstance(value, (int, float)) else -1.0
    if number < 0:
        raise ConfigError(
            f"{options.CREDITS.name}[{key!r}] is {quoted(str(value), 40)}: a number of credits, 0 "
            f"or more, is right; {options.CREDITS.right}"
        )
    return number
