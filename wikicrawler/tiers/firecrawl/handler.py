"""Scrapy download handler that fetches pages through Firecrawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler import options
from wikicrawler.tiers.firecrawl.client import FirecrawlClient
from wikicrawler.tiers.firecrawl.config import FirecrawlConfig
from wikicrawler.tiers.service.client import ServiceRefusedError
from wikicrawler.tiers.service.fingerprint import ServiceFingerprinter
from wikicrawler.tiers.service.handler import Address
from wikicrawler.tiers.service.paid import PaidHandler

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy import Request
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.spending.ledger import CreditLedger

META = "firecrawl"
"""Request meta key: True for a page that Firecrawl fetches."""


class FirecrawlHandler(PaidHandler):
    """Download handler that fetches requests with a true meta ``firecrawl`` through Firecrawl, and
    other requests with the handlers of ``FIRECRAWL_FALLBACK_HANDLERS``.

    The request's headers (but those in the meta ``page_headers``), cookies and body are ignored,
    and its method must be GET. The meta ``wait_for_selector`` names an element that the page has.
    """

    meta_key = META
    fallback = options.FIRECRAWL_FALLBACK_HANDLERS

    @classmethod
    def address(cls, settings: BaseSettings) -> Address | None:
        config = FirecrawlConfig.from_settings(settings)
        return Address(config.url, options.FIRECRAWL_API_URL.name) if config is not None else None

    @classmethod
    def make_client(
        cls,
        settings: BaseSettings,
        send: Callable[[Request], Awaitable[Response]],
        ledger: CreditLedger,
        **parts: Any,
    ) -> FirecrawlClient:
        config = FirecrawlConfig.from_settings(settings)
        if config is None:
            raise ServiceRefusedError("no Firecrawl is configured", is_permanent=True)
        return FirecrawlClient(config, send, ledger, **parts)


class FirecrawlFingerprinter(ServiceFingerprinter):
    """Request fingerprinter that keeps pages of Firecrawl apart in Scrapy's HTTP cache."""

    meta_key = META
    fallback = options.FIRECRAWL_FALLBACK_FINGERPRINTER
