"""Separate fingerprints for rendered and plain pages, for Scrapy's HTTP cache."""

from __future__ import annotations

from wikicrawler import options
from wikicrawler.tiers.crawl4ai.handler import META, STEALTH_META
from wikicrawler.tiers.service.fingerprint import ServiceFingerprinter


class Crawl4AIFingerprinter(ServiceFingerprinter):
    """Request fingerprinter for ``REQUEST_FINGERPRINTER_CLASS``.

    It returns the fingerprint of ``CRAWL4AI_FALLBACK_FINGERPRINTER`` (default: Scrapy's). A request
    with a true meta ``crawl4ai`` gets another one, which depends on the parameters and on whether
    meta ``crawl4ai_stealth`` is true.
    """

    meta_key = META
    stealth_key = STEALTH_META
    fallback = options.CRAWL4AI_FALLBACK_FINGERPRINTER
