"""Tier ``firecrawl``: the page as Firecrawl returns it, after its scripts have run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.resolver import refusal_for_browser
from wikicrawler.tiers.firecrawl.client import FirecrawlClient
from wikicrawler.tiers.firecrawl.config import FirecrawlConfig
from wikicrawler.tiers.firecrawl.handler import META, FirecrawlFingerprinter, FirecrawlHandler
from wikicrawler.tiers.service.paid import PaidTier

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class FirecrawlTier(PaidTier):
    """Tier that has Firecrawl fetch pages. It asks for the page's HTML, which is judged and
    converted as that of the other tiers."""

    name = "firecrawl"
    # A credit costs about $0.03 in the smallest plan: more than a browser of one's own by far.
    cost = 40.0
    meta_key = META
    handler = FirecrawlHandler
    fingerprinter = FirecrawlFingerprinter

    @classmethod
    def missing(cls, settings: BaseSettings) -> str:
        if FirecrawlConfig.from_settings(settings) is not None:
            return ""
        return "no Firecrawl is configured (FIRECRAWL_API_KEY, FIRECRAWL_API_URL)"

    async def map_urls(self, url: str, limit: int) -> list[str] | None:
        """Return Firecrawl's map, unless it must not resolve the host of *url* for us."""
        assert self._crawler is not None  # noqa: S101 - made by from_crawler()
        if await refusal_for_browser(policy_of(self._crawler), url):
            return None
        client = self.client
        assert isinstance(client, FirecrawlClient)  # noqa: S101 - its handler's
        return await client.map(url, limit)
