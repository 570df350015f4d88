"""Keeps a rendered page and a plain one apart in Scrapy's HTTP cache."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import build_from_crawler, load_object

from wikicrawler import options
from wikicrawler.tiers.crawl4ai.handler import META, STEALTH_META

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.utils.request import RequestFingerprinterProtocol


class Crawl4AIFingerprinter:
    """Request fingerprinter: that of ``CRAWL4AI_FALLBACK_FINGERPRINTER`` (default: Scrapy's), and
    another one for the same request with a true meta ``crawl4ai``, by its parameters and whether
    meta ``crawl4ai_stealth`` is true.

    For ``REQUEST_FINGERPRINTER_CLASS``.
    """

    def __init__(self, ordinary: RequestFingerprinterProtocol) -> None:
        self._ordinary = ordinary

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made_by: Any = load_object(options.CRAWL4AI_FALLBACK_FINGERPRINTER.read(crawler.settings))
        return cls(build_from_crawler(made_by, crawler))

    def fingerprint(self, request: Request) -> bytes:
        plain = self._ordinary.fingerprint(request)
        wanted = request.meta.get(META)
        if not wanted:
            return plain
        parameters = json.dumps(wanted, sort_keys=True, default=repr).encode()
        stealth = b"stealth" if request.meta.get(STEALTH_META) else b""
        data = plain + b"crawl4ai" + parameters + stealth
        return hashlib.sha1(data, usedforsecurity=False).digest()
