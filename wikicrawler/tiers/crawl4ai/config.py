"""The settings of crawl4ai's server, read once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from typing import Self

    from scrapy.settings import BaseSettings

_RETRY_DELAYS = (2.0, 5.0)
_MARGIN = 15.0
"""Seconds of the deadline that are left to crawl4ai for all that is not the page's loading."""
_LONGEST_LOADING = 60.0
"""Seconds; servers since 0.9 take no more."""


@dataclass(frozen=True, slots=True)
class Crawl4AIConfig:
    """Where the server is, and how it is used. ``docs/settings.md`` explains each."""

    url: str
    """Without a slash at its end."""
    token: str = field(default="", repr=False)
    timeout: float = 40.0
    concurrency: int = 4
    retry_delays: tuple[float, ...] = _RETRY_DELAYS
    user_agent: str = ""
    max_size: int = 0
    """Bytes of an answer that are read; 0 is no limit."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self | None:
        """What is configured; None where no server is.

        ``CRAWL4AI_URL`` and ``CRAWL4AI_API_TOKEN`` are settings, or else of the environment; an
        empty setting hides the environment's.

        :raises ConfigError: a value is wrong
        """
        url = _here_or_in_environment(settings, "CRAWL4AI_URL")
        if not url:
            return None
        return cls(
            url=_server_url(url),
            token=_token(_here_or_in_environment(settings, "CRAWL4AI_API_TOKEN")),
            timeout=_positive(settings, "CRAWL4AI_TIMEOUT", 40.0),
            concurrency=_whole(settings, "CRAWL4AI_CONCURRENCY", 4),
            retry_delays=_delays(settings),
            user_agent=str(settings.get("USER_AGENT") or ""),
            max_size=settings.getint("DOWNLOAD_MAXSIZE"),
        )

    @property
    def page_timeout(self) -> float:
        """Seconds that a page's loading may take: 25 of a deadline of 40."""
        return min(_LONGEST_LOADING, max(self.timeout - _MARGIN, self.timeout * 0.6))


def _here_or_in_environment(settings: BaseSettings, name: str) -> str:
    value = settings.get(name)
    return str(os.environ.get(name, "") if value is None else value).strip()


def _server_url(text: str) -> str:
    try:
        url = parse_url(text)
    except ValueError as error:
        raise ConfigError(f"CRAWL4AI_URL {quoted(redact(text))} {error}") from None
    if "?" in url:
        raise ConfigError(
            f"CRAWL4AI_URL {quoted(url)} has a query (the server's address alone, like "
            "http://127.0.0.1:11235)"
        )
    return url.rstrip("/")


def _token(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise ConfigError("CRAWL4AI_API_TOKEN holds characters that no HTTP header can carry")
    return text


def _positive(settings: BaseSettings, name: str, default: float) -> float:
    try:
        value = float(settings.get(name, default))
    except (TypeError, ValueError):
        value = 0.0
    if not (value > 0 and isfinite(value)):
        raise ConfigError(f"{name} is {settings.get(name)!r}: a number of seconds above 0 is right")
    return value


def _whole(settings: BaseSettings, name: str, default: int) -> int:
    value = settings.get(name, default)
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = 0
    if number < 1:
        raise ConfigError(f"{name} is {value!r}: a whole number, 1 or more, is right")
    return number


def _delays(settings: BaseSettings) -> tuple[float, ...]:
    value = settings.getlist("CRAWL4AI_RETRY_DELAYS", list(_RETRY_DELAYS))
    try:
        delays = tuple(float(seconds) for seconds in value if seconds != "")
    except (TypeError, ValueError):
        delays = (-1.0,)
    if not all(0 <= seconds <= 3600 for seconds in delays):
        raise ConfigError(
            f"CRAWL4AI_RETRY_DELAYS is {settings.get('CRAWL4AI_RETRY_DELAYS')!r}: a list of "
            "seconds, one for each retry, is right, like 2,5"
        )
    return delays
