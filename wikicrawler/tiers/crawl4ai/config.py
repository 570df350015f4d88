"""The settings of crawl4ai's server, read once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from typing import Self

    from scrapy.settings import BaseSettings

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
    timeout: float = options.CRAWL4AI_TIMEOUT.default
    concurrency: int = options.CRAWL4AI_CONCURRENCY.default
    retry_delays: tuple[float, ...] = options.CRAWL4AI_RETRY_DELAYS.default
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
        url = options.CRAWL4AI_URL.read(settings)
        if not url:
            return None
        return cls(
            url=_server_url(url),
            token=_token(options.CRAWL4AI_API_TOKEN.read(settings)),
            timeout=options.CRAWL4AI_TIMEOUT.read(settings),
            concurrency=options.CRAWL4AI_CONCURRENCY.read(settings),
            retry_delays=options.CRAWL4AI_RETRY_DELAYS.read(settings),
            user_agent=str(settings.get("USER_AGENT") or ""),
            max_size=settings.getint("DOWNLOAD_MAXSIZE"),
        )

    @property
    def page_timeout(self) -> float:
        """Seconds that a page's loading may take: 25 of a deadline of 40."""
        return min(_LONGEST_LOADING, max(self.timeout - _MARGIN, self.timeout * 0.6))


def _server_url(text: str) -> str:
    try:
        url = parse_url(text)
    except ValueError as error:
        raise ConfigError(f"{options.CRAWL4AI_URL.name} {quoted(redact(text))} {error}") from None
    if "?" in url:
        raise ConfigError(
            f"{options.CRAWL4AI_URL.name} {quoted(url)} has a query (the server's address "
            "alone, like http://127.0.0.1:11235)"
        )
    return url.rstrip("/")


def _token(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise ConfigError(
            f"{options.CRAWL4AI_API_TOKEN.name} holds characters that no HTTP header can carry"
        )
    return text
