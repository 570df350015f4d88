"""The exceptions of field extraction.

::

    Exception
    └── ScraperError                  has a message and details
        ├── FetchError                a page could not be fetched
        ├── ExtractionError           the model returned no usable answer
        ├── ConfigError               a setting, an argument or a definition is invalid
        └── AllKeysExhaustedError     every API key was refused or is limited

:class:`ConfigError` is a :class:`wikicrawler.errors.ConfigError`, too.
"""

from __future__ import annotations

from typing import Any

from wikicrawler import errors


class ScraperError(Exception):
    """Base class.

    :param message: what went wrong, for a person
    :param details: facts for a program: ``url``, ``status``, ``reason`` … Never an API key
    """

    def __init__(self, message: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})


class FetchError(ScraperError):
    """A page could not be fetched."""


class ExtractionError(ScraperError):
    """The model returned no usable answer."""


class ConfigError(ScraperError, errors.ConfigError):
    """A setting, an argument or a definition is invalid."""


class AllKeysExhaustedError(ScraperError):
    """Every API key was refused or is limited."""
