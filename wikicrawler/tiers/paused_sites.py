"""Downloader middleware that asks nothing of a paused site, robots.txt included."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.unplanned_pages import is_page_request

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request


class PausedSites:
    """Downloader middleware: delay or skip a page whose site is paused, before its robots.txt is
    fetched.

    It belongs before RobotsTxtMiddleware (100). :class:`~wikicrawler.tiers.middleware
    .TierMiddleware` has the pauses, and checks them again when the page's turn comes.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not options.TIERS_ENABLED.read(crawler.settings):
            raise NotConfigured
        return cls(crawler)

    @cached_property
    def _tiers(self) -> TierMiddleware | None:
        return self._crawler.get_downloader_middleware(TierMiddleware)

    def process_request(self, request: Request) -> Awaitable[Request | None] | None:
        tiers = self._tiers
        if tiers is None or tiers.unplanned.holds_none or not is_page_request(request):
            return None
        return tiers.unplanned.hold_back(request)
