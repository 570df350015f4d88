"""The configuration of field extraction in a Scrapy project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured
from scrapy.utils.project import data_path

from wikicrawler import options
from wikicrawler.fields.cache import AnswerCache
from wikicrawler.fields.config import SETTINGS, load_config
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.litellm_extra import PREFIX, price_by_litellm
from wikicrawler.fields.llm.prices import price_of
from wikicrawler.fields.providers import endpoint_of, key_variable_of

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from wikicrawler.fields.llm.prices import Price
    from wikicrawler.fields.models import ScraperConfig

_OPTIONS = {name: getattr(options, f"FIELDS_{name.upper()}") for name in SETTINGS}


def config_of(
    settings: BaseSettings,
    file: str | Path | None = None,
    *,
    needs_key: bool = True,
    **overrides: Any,
) -> ScraperConfig:
    """Return the configuration: environment, then file, then the settings of Scrapy, then
    *overrides*.

    :param file: a YAML or JSON file; by default that of ``WIKICRAWLER_FIELDS_CONFIG``
    :param needs_key: whether the model is going to be asked
    :raises ConfigError: a source is invalid, the model cannot be asked, or a key is missing
    """
    file = file or options.FIELDS_CONFIG.read(settings)
    given = {
        name: option.read(settings) or None if option.unset else option.read(settings)
        for name, option in _OPTIONS.items()
        if settings.get(option.name) is not None
    }
    given |= {name: value for name, value in overrides.items() if value is not None}
    config = load_config(file, **given)
    endpoint = endpoint_of(config)
    if needs_key and endpoint.needs_key:
        _check_key(config)
    _check_price(config, settings)
    return config


def cache_of(settings: BaseSettings) -> AnswerCache | None:
    """Return the cache of the model's answers, or None if there is to be none."""
    folder = options.FIELDS_CACHE.read(settings)
    if not folder:
        return None
    try:
        return AnswerCache(data_path(folder, createdir=False))
    except NotConfigured:  # a project without scrapy.cfg, as on Scrapyd
        return AnswerCache(Path(".scrapy", folder))


def price_in(settings: BaseSettings, config: ScraperConfig) -> Price | None:
    """Return the price of the model; None if it is unknown."""
    own = options.FIELDS_PRICES.read(settings)
    if not endpoint_of(config).by_litellm:
        return price_of(config.model, own)
    model = config.model.removeprefix(PREFIX)
    price = price_of(config.model, own) or price_of(model, own)
    if price is None and (found := price_by_litellm(model)) is not None:
        price = price_of(model, {model: found})
    return price


def _check_price(config: ScraperConfig, settings: BaseSettings) -> None:
    """:raises ConfigError: the cost is limited, and the price is unknown."""
    if config.max_cost is not None and price_in(settings, config) is None:
        raise ConfigError(
            f"max_cost: the price of {config.model} is unknown; set {options.FIELDS_PRICES.name}"
            f" (like {options.FIELDS_PRICES.like}), or limit max_tokens instead"
        )


def _check_key(config: ScraperConfig) -> None:
    """:raises ConfigError: there is no key, which the model's server needs."""
    if config.api_keys:
        return
    raise ConfigError(
        f"no API key for the model {config.model}: set the environment variable"
        f" {key_variable_of(config)}, or {options.FIELDS_BASE_URL.name} for a server of your own"
        " (like http://localhost:8000/v1)"
    )
