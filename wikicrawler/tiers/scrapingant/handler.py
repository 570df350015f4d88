"""Scrapy download handler that fetches pages through ScrapingAnt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler import options
from wikicrawler.tiers.scrapingant.client import ScrapingAntClient
from wikicrawler.tiers.scrapingant.config import ScrapingAntConfig
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

META = "scrapingant"
"""Request meta key: True for a page that ScrapingAnt fetches."""


class ScrapingAntHandler(PaidHandler):
    """Download handler that fetches requests with a true meta ``scrapingant`` through ScrapingAnt,
    and other requests with the handlers of ``SCRAPINGANT_FALLBACK_HANDLERS``.

    The request's headers (but those in the meta ``page_headers``), cookies and body are ignored,
    and its method must be GET. The meta ``wait_for_selector`` names an element that the page has.
    """

    meta_key = META
    fallback = options.SCRAPINGANT_FALLBACK_HANDLERS

    @classmethod
    def address(cls, settings: BaseSettings) -> Address | None:
        config = ScrapingAntConfig.from_settings(settings)
        return Address(config.url, options.SCRAPINGANT_API_URL.name) if config is not None else None

    @classmethod
    def make_client(
        cls,
        settings: BaseSettings,
        send: Callable[[Request], Awaitable[Response]],
        ledger: CreditLedger,
        **parts: Any,
    ) -> ScrapingAntClient:
        config = ScrapingAntConfig.from_settings(settings)
        if config is None:
            raise ServiceRefusedError("no ScrapingAnt is configured", is_permanent=True)
        return ScrapingAntClient(config, send, ledger, **parts)


class ScrapingAntFingerprinter(ServiceFingerprinter):
    """Request fingerprinter that keeps pages of ScrapingAnt apart in Scrapy's HTTP cache."""

    meta_key = META
    fallback = options.SCRAPINGANT_FALLBACK_FINGERPRINTER
