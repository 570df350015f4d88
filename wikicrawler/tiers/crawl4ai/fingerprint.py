"""Keep a rendered page and a plain one apart in Scrapy's HTTP cache."""

from __future__ import annotations

from wikicrawler import options
from wikicrawler.tiers.crawl4ai.handler import META, STEALTH_META
from wikicrawler.tiers.service.fingerprint import ServiceFingerprinter


class Crawl4AIFingerprinter(ServiceFingerprinter):
    """Request fingerprinter: that of ``CRAWL4AI_FALLBACK_FINGERPRINTER`` (default: Scrapy's), and
    another one for the same request with a true meta ``crawl4ai``, by its parameters and whether
    meta ``crawl4ai_stealth`` is true.

    For ``REQUEST_FINGERPRINTER_CLASS``.
    """

    meta_key = META
    stealth_key = STEALTH_META
    fallback = options.CRAWL4AI_FALLBACK_FINGERPRINTER
