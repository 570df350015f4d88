"""The optional library litellm: where it is, the providers that it knows, and their prices.

It is not imported here: that takes seconds, and is left to a process of its own.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikicrawler.fields.errors import ConfigError

PREFIX = "litellm/"
"""Before the name of a model: litellm asks it, whatever its provider is."""
INSTALL = "pip install 'wikicrawler[litellm]'"
_PRICES = "litellm/model_prices_and_context_window_backup.json"
_MODES = frozenset({"chat", "completion", "responses"})
_STOLEN = frozenset({"1.82.7", "1.82.8"})
"""Releases of somebody who had stolen the project's account, which send away all credentials."""


def find_litellm() -> Path | None:
    """Return the folder in which litellm is; None if it is not installed.

    :raises ConfigError: it is a release that must not be run
    """
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return None
    with suppress(PackageNotFoundError):
        if (found := version("litellm")) in _STOLEN:
            raise ConfigError(
                f"litellm {found} is a compromised release, which sends away credentials: remove "
                f"it, replace the keys that this machine has, and install another ({INSTALL})"
            )
    return Path(spec.origin).parents[1]


def litellm_folder() -> Path:
    """Return the folder in which litellm is.

    :raises ConfigError: it is not installed, or a release that must not be run
    """
    folder = find_litellm()
    if folder is None:
        raise ConfigError(f"needs litellm ({INSTALL})")
    return folder


def knows_provider(name: str) -> bool:
    """Return whether litellm is installed and has models of the provider *name*."""
    folder = find_litellm()
    return folder is not None and name in _providers(folder)


def price_by_litellm(model: str) -> dict[str, float] | None:
    """Return the price of *model*, as :func:`~wikicrawler.fields.llm.prices.price_of` takes it;
    None if litellm does not know it.

    :param model: with its provider: ``cohere/command-r``
    """
    folder = find_litellm()
    if folder is None:
        return None
    provider, _, name = model.partition("/")
    models = _models(folder)
    entry = models.get(model)
    if entry is None and (bare := models.get(name)) and bare.get("litellm_provider") == provider:
        entry = bare
    if entry is None:
        return None
    names = {
        "input": "input_cost_per_token",
        "output": "output_cost_per_token",
        "cache_read": "cache_read_input_token_cost",
    }
    found = {own: entry[its] for own, its in names.items() if _is_price(entry.get(its))}
    return found if {"input", "output"} <= found.keys() else None


def _is_price(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1


@cache
def _providers(folder: Path) -> frozenset[str]:
    found: set[str] = set()
    for name, entry in _models(folder).items():
        if entry.get("mode") in _MODES:
            prefix, slash, _ = name.partition("/")
            found |= {prefix} if slash else set()
            found.add(str(entry.get("litellm_provider")))
    return frozenset(found)


@cache
def _models(folder: Path) -> dict[str, dict[str, Any]]:
    """The models of litellm's own list; none if it cannot be read."""
    try:
        data = json.loads((folder / _PRICES).read_bytes())
    except (OSError, ValueError):
        return {}
    return {name: entry for name, entry in data.items() if isinstance(entry, dict)}
