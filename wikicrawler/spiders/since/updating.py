"""The known pages of a crawl, and the requests for those that may have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.scope.page_requests import LISTED
from wikicrawler.spiders.since.changes import Changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request

    from wikicrawler.feeds.known_pages import KnownPages
    from wikicrawler.spiders.since.spider import SinceSpider


class Updating:
    """Brings the *known* pages up to date, with requests of *spider*."""

    def __init__(self, spider: SinceSpider, known: KnownPages) -> None:
        self.spider = spider
        self.known = known
        self.changes = Changes(spider, known)

    def page(self, url: str) -> Iterator[Request]:
        """Yield the request for the page at *url*, unless it was requested before."""
        known = self.known.get(url)
        arguments = {
            "meta": {LISTED: True},  # links lead on from it, and it is no seed
            # A redirect to another known page is to be seen, and not dropped as its duplicate.
            "dont_filter": known is not None and not known.is_wiki,
        }
        request = self.spider.crawl_scope.requests.admitted(
            url, 0, self.spider.parse, self.spider.skipped, arguments, guarded=False
        )
        if request is not None:
            yield request
