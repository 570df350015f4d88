"""What a scraper is given: its configuration and settings, and addresses of pages."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.fields.config import PREFIX, load_config
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import ScraperConfig, ScrapeResult
from wikicrawler.fields.providers import endpoint_of, key_variable_of
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.fields.models import FieldDefinition


def config_of(config: ScraperConfig | None, overrides: Mapping[str, Any]) -> ScraperConfig:
    """Return *config* with *overrides*; without one that of :func:`load_config`.

    :raises ConfigError: it is invalid, names no model that can be asked, or lacks a key
    """
    if config is None:
        config = load_config(**overrides)
    elif isinstance(config, ScraperConfig):
        # Of the environment only a key counts, where the configuration has none.
        keys = {name: one for name, one in os.environ.items() if not name.startswith(PREFIX)}
        config = load_config(environ=keys, **{**config.model_dump(), **overrides})
    else:
        raise ConfigError(
            f"config is a {type(config).__name__}, not a ScraperConfig (of load_config(), which "
            "reads files)"
        )
    if endpoint_of(config).needs_key and not config.api_keys:
        raise ConfigError(
            f"there is no API key for {quoted(config.model, 80)} (set the environment variable "
            f"{key_variable_of(config)}, or api_keys)"
        )
    return config


def settings_of(settings: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return Scrapy *settings* as JSON has them.

    :raises ConfigError: a name is no text, or a value none that JSON has
    """
    found = {}
    for name, value in (settings or {}).items():
        if not isinstance(name, str):
            raise ConfigError(f"settings: {quoted(repr(name), 80)} is not the name of a setting")
        try:
            found[name] = json.loads(json.dumps(value, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            raise ConfigError(
                f"settings: {one_line(name, 80)} is a {type(value).__name__} that JSON does not "
                "have (name a class by its path, like project.module.Class)"
            ) from None
    return found


def urls_of(urls: Iterable[str]) -> Iterator[str]:
    """Return an iterator over *urls*.

    :raises ConfigError: it is one text
    """
    if isinstance(urls, (str, bytes)) or not isinstance(urls, Iterable):
        raise ConfigError(f"urls is a {type(urls).__name__}, not a list of URLs")
    return iter(urls)


class Address(NamedTuple):
    """A URL that a scraper is given."""

    url: str
    """As it is requested, the same for equal pages: see
    :func:`~wikicrawler.urls.addresses.parse_url`. As it was given, without a login, if it is
    none."""
    fault: str = ""
    """Why it is no http(s) URL."""


def address_of(url: str) -> Address:
    """Return the address in *url*.

    :raises ConfigError: it is no text
    """
    if not isinstance(url, str):
        raise ConfigError(f"a URL is a {type(url).__name__}, not a text")
    try:
        return Address(parse_url(url.strip()))
    except ValueError as error:
        shown = redact(url.strip())
        return Address(shown, f"{quoted(shown, 200)} {error}")


def not_fetched(address: Address, fields: Sequence[FieldDefinition]) -> ScrapeResult:
    """Return the result of a page that was not even asked for."""
    data = dict.fromkeys((field.name for field in fields), None)
    return ScrapeResult(url=address.url, success=False, data=data, error=address.fault)
