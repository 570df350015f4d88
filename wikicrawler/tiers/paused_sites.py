"""Downloader middleware that asks nothing of a paused site, robots.txt included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.unplanned_pages import is_page_request

if TYPE_CHECKING:
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

    async def process_request(self, request: Request) -> Request | None:
        if not is_page_request(request):
            return None
        tiers = self._crawler.get_downloader_middleware(TierMiddleware)
        return await tiers.unplanned.hold_back(request) if tiers is not None else None
