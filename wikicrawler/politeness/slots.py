"""Which download slot a request is charged to."""

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
"""Scrapy's meta key: the slot a request waits in."""
THROTTLE_SLOT = "throttle_slot"
"""Meta key (str): charge the request to this slot instead of the one of its URL."""
_ASSIGNED = "_assigned_slot"  # what we wrote into SLOT, to tell it from what a spider wrote


class SiteSlotMiddleware:
    """Charges every request to the download slot of its site, so that a site has one budget.

    The slot is, the first that is there of: a ``download_slot`` that the spider has set; the meta
    key ``throttle_slot``; :meth:`Config.budget_of` of the URL. It is found anew for each request,
    because redirects and retries copy the meta of the request they come from.

    It belongs at 950, after Scrapy's last (HttpCache, 900), so that it sees whatever goes to the
    downloader, requests for robots.txt too. It assigns the slot also when a request is scheduled:
    Scrapy's priority queue takes turns between slots and must count by the same names.

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
        else:  # a URL without a host (data:): none of ours, and no stale name either
            meta.pop(SLOT, None)
            meta.pop(_ASSIGNED, None)
