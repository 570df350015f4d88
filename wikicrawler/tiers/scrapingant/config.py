"""Settings of the connection to ScrapingAnt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.tiers.service.connection import read_address, read_token

if TYPE_CHECKING:
    from typing import Self

    from scrapy.settings import BaseSettings

CLOUD = "https://api.scrapingant.com"
_MARGIN = 15.0
"""Seconds that we wait longer than the time that ScrapingAnt has for a page."""
_PRICES = {
    ("datacenter", False): 1.0,
    ("datacenter", True): 10.0,
    ("residential", False): 25.0,
    ("residential", True): 125.0,
}
"""Credits of a page, by proxy and whether a browser is used."""


@dataclass(frozen=True, slots=True)
class ScrapingAntConfig:
    """Settings of the connection to ScrapingAnt. ``docs/engines.md`` describes them."""

    url: str
    """URL without the version of the API and without a trailing slash."""
    key: str = field(default="", repr=False)
    timeout: float = options.SCRAPINGANT_TIMEOUT.default
    concurrency: int = options.SCRAPINGANT_CONCURRENCY.default
    endpoint: str = options.SCRAPINGANT_ENDPOINT.default
    browser: bool = options.SCRAPINGANT_BROWSER.default
    proxy: str = options.SCRAPINGANT_PROXY.default

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self | None:
        """Read the configuration; None if there is no key.

        :raises ConfigError: a value is wrong
        """
        key = options.SCRAPINGANT_API_KEY.read(settings)
        if not key:
            return None
        url = options.SCRAPINGANT_API_URL.read(settings) or CLOUD
        address = read_address(url, options.SCRAPINGANT_API_URL.source(settings), CLOUD)
        return cls(
            url=address.removesuffix("/v2"),
            key=read_token(key, options.SCRAPINGANT_API_KEY.source(settings)),
            timeout=options.SCRAPINGANT_TIMEOUT.read(settings),
            concurrency=options.SCRAPINGANT_CONCURRENCY.read(settings),
            endpoint=options.SCRAPINGANT_ENDPOINT.read(settings),
            browser=options.SCRAPINGANT_BROWSER.read(settings),
            proxy=options.SCRAPINGANT_PROXY.read(settings),
        )

    @property
    def deadline(self) -> float:
        """Seconds until we stop waiting for a response."""
        return self.timeout + _MARGIN

    @property
    def price(self) -> float:
        """Number of credits of a page."""
        return _PRICES[self.proxy, self.browser]
