"""Settings of the connection to crawl4ai."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.tiers.service.connection import read_address, read_token

if TYPE_CHECKING:
    from typing import Self

    from scrapy.settings import BaseSettings

_MARGIN = 15.0
"""Seconds of the deadline reserved for crawl4ai's work besides loading the page."""
_MAX_PAGE_TIMEOUT = 60.0
"""Seconds; the maximum that servers since 0.9 accept."""


@dataclass(frozen=True, slots=True)
class Crawl4AIConfig:
    """Settings of the connection to crawl4ai. ``docs/settings.md`` describes them."""

    url: str
    """URL without a trailing slash."""
    token: str = field(default="", repr=False)
    timeout: float = options.CRAWL4AI_TIMEOUT.default
    concurrency: int = options.CRAWL4AI_CONCURRENCY.default
    retry_delays: tuple[float, ...] = options.CRAWL4AI_RETRY_DELAYS.default
    renderings: int = options.CRAWL4AI_RENDERINGS.default
    user_agent: str = ""
    max_size: int = 0
    """Maximum size of a page in bytes; 0: no limit."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self | None:
        """Read the configuration; None if no server is configured.

        ``CRAWL4AI_URL`` and ``CRAWL4AI_API_TOKEN`` are settings or environment variables. An empty
        setting overrides the variable.

        :raises ConfigError: a value is wrong
        """
        url = options.CRAWL4AI_URL.read(settings)
        if not url:
            return None
        return cls(
            url=read_address(url, options.CRAWL4AI_URL.source(settings)),
            token=read_token(
                options.CRAWL4AI_API_TOKEN.read(settings),
                options.CRAWL4AI_API_TOKEN.source(settings),
            ),
            timeout=options.CRAWL4AI_TIMEOUT.read(settings),
            concurrency=options.CRAWL4AI_CONCURRENCY.read(settings),
            retry_delays=options.CRAWL4AI_RETRY_DELAYS.read(settings),
            renderings=options.CRAWL4AI_RENDERINGS.read(settings),
            user_agent=str(settings.get("USER_AGENT") or ""),
            max_size=settings.getint("DOWNLOAD_MAXSIZE"),
        )

    @property
    def page_timeout(self) -> float:
        """Maximum loading time of a page in seconds: 25 for a deadline of 40."""
        return min(_MAX_PAGE_TIMEOUT, max(self.timeout - _MARGIN, self.timeout * 0.6))
