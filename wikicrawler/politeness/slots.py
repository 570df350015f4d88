"""Assignment of requests to download slots, one slot for each site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.config import Config

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

SLOT = "download_slot"
"""Scrapy's meta key for the slot of a request."""
THROTTLE_SLOT = "throttle_slot"
"""Meta key (str): charge the request to this slot instead of the one of its URL."""
_ASSIGNED = "_assigned_slot"  # the slot we assigned; another value in SLOT is the spider's own


class SiteSlotMiddleware:
    """Downloader middleware that charges each request to the slot of its site, so that a site has
    one budget.

    The slot is the first of these that is set: ``download_slot``, set by the spider; the meta key
    ``throttle_slot``; :meth:`Config.budget_of` of the URL. It is determined for each request anew,
    because redirects and retries copy the meta of the original request.

    Place it at 950, after Scrapy's last middleware (HttpCache, 900), so that it sees every request
    to the downloader, including those for robots.txt. It also assigns the slot when a request is
    scheduled, because Scrapy's priority queue alternates between slots by the same names.

    Setting: ``DOMAIN_THROTTLE_ENABLED``.
    """

    def __init__(self, config: Config) -> None:
        self._config = config

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not options.DOMAIN_THROTTLE_ENABLED.read(crawler.settings):
            raise NotConfigured
        middleware = cls(Config.from_settings(crawler.settings))
        crawler.signals.connect(middleware._request_scheduled, signals.request_scheduled)
        return middleware

    def process_request(self, request: Request) -> None:
        self._assign(request)

    def _request_scheduled(self, request: Request) -> None:
        self._assign(request)

    def _assign(self, request: Request) -> None:
        meta = request.meta
        present = meta.get(SLOT)
        if present is not None and present != meta.get(_ASSIGNED):
            meta.pop(_ASSIGNED, None)
            return
        slot = meta.get(THROTTLE_SLOT) or self._config.budget_of(request.url)
        if slot:
            meta[SLOT] = meta[_ASSIGNED] = slot
        else:  # a URL without a host (data:) has no slot; remove a copied one
            meta.pop(SLOT, None)
            meta.pop(_ASSIGNED, None)
