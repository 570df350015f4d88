"""The configuration of a scraper: environment, then file, then arguments.

===================================== ===========================================================
Source                                Form
===================================== ===========================================================
``WIKICRAWLER_FIELDS_<NAME>``         a variable for each setting: ``WIKICRAWLER_FIELDS_MAX_PAGES``;
                                      an empty one is not set
file                                  YAML or JSON, a mapping of the settings' names
arguments                             None stands for not given
===================================== ===========================================================

A later source wins. If none has ``api_keys``, they are those in the usual variable of the model's
provider (``OPENAI_API_KEY`` …), several separated by commas.
"""

from __future__ import annotations

import os
from math import isfinite
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from wikicrawler.fields.definitions.files import plain, read_document
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import ScraperConfig
from wikicrawler.fields.providers import (
    PROVIDERS,
    Endpoint,
    checked_base_url,
    endpoint_of,
    key_variable_of,
)
from wikicrawler.text.safe import one_line
from wikicrawler.text.yaml import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

__all__ = ["PREFIX", "PROVIDERS", "SETTINGS", "Endpoint", "endpoint_of", "load_config"]

PREFIX = "WIKICRAWLER_FIELDS_"
SETTINGS = tuple(ScraperConfig.model_fields)
_OF_SPIDERS = frozenset({"config", "cache", "prices", "content"})
"""Variables that are read with the settings of Scrapy."""
MAX_KEY = 1_000
"""Characters of an API key."""

_Given = tuple[str, str, Any]
"""Where a value stands, the name of its setting, and the value."""


def load_config(
    file: str | PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
    **overrides: Any,
) -> ScraperConfig:
    """Return the configuration.

    :param file: a YAML or JSON file
    :param environ: the environment, by default the process's
    :param overrides: settings by name
    :raises ConfigError: a source is invalid. The message has all faults, each with its variable,
        line or argument, and never a value of ``api_keys``
    """
    environ = os.environ if environ is None else environ
    faults: list[str] = []
    given = [
        *_from_environment(environ, faults),
        *(() if file is None else _from_file(file, faults)),
        *_from_arguments(overrides, faults),
    ]
    config = ScraperConfig()
    for place, name, value in given:
        _set(config, name, value, place, faults)
    if not config.api_keys and (variable := key_variable_of(config)):
        _set(config, "api_keys", environ.get(variable, ""), variable, faults)
    if faults:
        raise ConfigError("\n".join(faults))
    return config


def _from_environment(environ: Mapping[str, str], faults: list[str]) -> Iterator[_Given]:
    for variable in sorted(environ):
        if not variable.startswith(PREFIX):
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name in _OF_SPIDERS:
            continue
        if name not in SETTINGS:
            faults.append(f"{one_line(variable, 80)}: unknown setting ({_suggest(name)})")
        elif environ[variable].strip():
            yield variable, name, environ[variable].strip()


def _from_file(path: str | PathLike[str], faults: list[str]) -> list[_Given]:
    given: list[_Given] = []
    try:
        root, problems = read_document(path, "the configuration")
    except ConfigError as error:
        faults.append(error.message)
        return given
    if root is not None and not root.is_empty():
        if root.is_mapping():
            for key, value in root.items("a mapping"):
                name, place = key.node.value, f"{problems.name}:{value.line}: {key.key}"
                if name in SETTINGS:
                    given.append((place, name, plain(value)))
                else:
                    key.wrong(f"unknown setting ({_suggest(name)})")
        else:
            root.wrong("is not a mapping (like max_pages: 20)")
    faults += [f"{problems.name}:{line}: {text}" for line, text in sorted(problems.found)]
    return given


def _from_arguments(overrides: Mapping[str, Any], faults: list[str]) -> Iterator[_Given]:
    for name, value in overrides.items():
        if name not in SETTINGS:
            faults.append(f"{one_line(name, 80)}: unknown setting ({_suggest(name)})")
        else:
            yield name, name, value


def _suggest(name: str) -> str:
    return suggest(name.lower(), SETTINGS)


def _set(config: ScraperConfig, name: str, value: Any, place: str, faults: list[str]) -> None:
    """Set a setting of *config*, or add what is wrong with *value*, without showing it."""
    if value is None:
        return
    try:
        setattr(config, name, _read(name, value))
        if isinstance(number := getattr(config, name), float) and not isfinite(number):
            raise ConfigError("is not a finite number")
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        faults.append(f"{place}: {'; '.join(one_line(one['msg'], 200) for one in found)}")
    except ConfigError as error:
        faults.append(f"{place}: {error.message.removeprefix(f'{name}: ')}")


def _read(name: str, value: Any) -> Any:
    if name == "api_keys":
        return _keys(value)
    if name == "base_url" and isinstance(value, str):
        return checked_base_url(value)
    if isinstance(value, bool) and ScraperConfig.model_fields[name].annotation is not bool:
        raise ConfigError("is true or false, and must not be")
    return value


def _keys(value: Any) -> tuple[str, ...]:
    """Return the keys in *value*: a list, or a text with commas."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)) or not all(isinstance(one, str) for one in parts):
        raise ConfigError("is not a list of texts, or a text with commas")
    keys = tuple(dict.fromkeys(one.strip() for one in parts if one.strip()))
    for number, key in enumerate(keys, 1):
        if not (key.isascii() and key.isprintable() and " " not in key) or len(key) > MAX_KEY:
            raise ConfigError(f"key {number} has characters that no key has, or too many")
    return keys
