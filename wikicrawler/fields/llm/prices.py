"""What models cost, in US dollars a token.

The prices are those of a file with its date and source; an operator's own take precedence. They are
list prices: without discounts, and without the higher ones of prompts above 100,000 tokens.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.fields.errors import ConfigError
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.fields.models import Usage

_FILE = "data/model_prices.json"
_KEYS = {"input", "output", "cache_read", "context"}


class Price(NamedTuple):
    """US dollars a token."""

    input: float
    output: float
    cache_read: float | None = None
    """Of prompt tokens that the provider had in its cache; None: that of others."""


class _Entry(NamedTuple):
    price: Price
    context: int | None


def price_of(model: str, own: Mapping[str, Any] | None = None) -> Price | None:
    """Return the price of *model*, named like ``openai/gpt-4o-mini`` or ``gpt-4o-mini``.

    None is an unknown price, not 0.

    :param own: prices of the operator by the same names: ``{"input": 1e-6, "output": 2e-6}``, with
        ``cache_read`` and ``context`` optional
    :raises ConfigError: the operator's price of the model is not valid
    """
    entry = _entry_of(model, own)
    return entry.price if entry else None


def context_of(model: str, own: Mapping[str, Any] | None = None) -> int | None:
    """Return how many tokens a prompt of *model* may have; None if it is unknown.

    :raises ConfigError: the operator's price of the model is not valid
    """
    entry = _entry_of(model, own)
    return entry.context if entry else None


def cost_of(usage: Usage, price: Price | None) -> float | None:
    """Return what *usage* costs in US dollars; None if the price is unknown."""
    if price is None:
        return None
    read = price.input if price.cache_read is None else price.cache_read
    cached = min(usage.cached_tokens, usage.prompt_tokens)
    fresh = usage.prompt_tokens - cached
    return fresh * price.input + cached * read + usage.completion_tokens * price.output


def with_cost(usage: Usage, price: Price | None) -> Usage:
    """Return *usage* with its cost."""
    return usage.model_copy(update={"cost": cost_of(usage, price)})


def _entry_of(model: str, own: Mapping[str, Any] | None) -> _Entry | None:
    for name in (model, model.rpartition("/")[2]):
        if own and name in own:
            return _parse(own[name], name)
    return _known().get(model)


@cache
def _known() -> dict[str, _Entry]:
    """The prices of the file by full names, and by those without the provider."""
    data = json.loads(files("wikicrawler").joinpath(_FILE).read_bytes())
    found: dict[str, _Entry] = {}
    for name, entry in data["models"].items():
        found[name] = _parse(entry, name)
        _, _, bare = name.partition("/")
        if "/" not in bare:  # else it is a name of another provider: openai/gpt-oss-20b of groq
            found.setdefault(bare, found[name])
    return found


def _parse(data: Any, name: str) -> _Entry:
    if isinstance(data, Price):
        data = {key: value for key, value in data._asdict().items() if value is not None}
    what = f"the price of {quoted(name)}"
    if not isinstance(data, dict) or not {"input", "output"} <= data.keys() <= _KEYS:
        raise ConfigError(f"{what} is no mapping of input, output, cache_read and context")
    numbers = {key: _number(value, f"{what}: {key}") for key, value in data.items()}
    context = numbers.pop("context", None)
    return _Entry(Price(**numbers), None if context is None else int(context))


def _number(value: Any, what: str) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise ConfigError(f"{what} is {quoted(str(value), 40)}, not a number from 0")
    return number
