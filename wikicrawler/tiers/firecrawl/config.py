"""Settings of the connection to Firecrawl."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.tiers.service.connection import read_address, read_token

if TYPE_CHECKING:
    from typing import Self

    from scrapy.settings import BaseSettings

CLOUD = "https://api.firecrawl.dev"
_MARGIN = 15.0
"""Seconds that we wait longer than the time that Firecrawl has for a page."""
_AUTO_SECONDS = 120.0
"""Time that servers take for a page with automatic proxies, if less is asked for."""
_ENHANCED_PRICE = 5.0
_PATHS = ("/v0", "/v1", "/v2")


@dataclass(frozen=True, slots=True)
class FirecrawlConfig:
    """Settings of the connection to Firecrawl. ``docs/engines.md`` describes them."""

    url: str
    """URL without the version of the API and without a trailing slash."""
    key: str = field(default="", repr=False)
    timeout: float = options.FIRECRAWL_TIMEOUT.default
    concurrency: int = options.FIRECRAWL_CONCURRENCY.default
    proxy: str = options.FIRECRAWL_PROXY.default

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self | None:
        """Read the configuration; None if there is neither an address nor a key.

        :raises ConfigError: a value is wrong
        """
        url = options.FIRECRAWL_API_URL.read(settings)
        key = options.FIRECRAWL_API_KEY.read(settings)
        if not url and not key:
            return None
        source = options.FIRECRAWL_API_URL.source(settings)
        address = read_address(url or CLOUD, source, CLOUD)
        if address.endswith(_PATHS[:-1]):
            raise ConfigError(
                f"{source} names another version of the API: version 2 is used (give only the "
                f"server's address, like {CLOUD})"
            )
        return cls(
            url=address.removesuffix(_PATHS[-1]),
            key=read_token(key, options.FIRECRAWL_API_KEY.source(settings)),
            timeout=options.FIRECRAWL_TIMEOUT.read(settings),
            concurrency=options.FIRECRAWL_CONCURRENCY.read(settings),
            proxy=options.FIRECRAWL_PROXY.read(settings),
        )

    @property
    def deadline(self) -> float:
        """Seconds until we stop waiting for a response."""
        least = 0.0 if self.proxy == "basic" else _AUTO_SECONDS
        return max(self.timeout, least) + _MARGIN

    @property
    def price(self) -> float:
        """Maximum number of credits of a page."""
        return 1.0 if self.proxy == "basic" else _ENHANCED_PRICE
