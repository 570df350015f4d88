"""The middlewares by which a crawl's scope acts on requests of any spider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.scope.crawl_scope import CrawlScope
from wikicrawler.scope.link_guard import GUARDED, LinkLeftOut
from wikicrawler.scope.links import WikiLinks
from wikicrawler.scope.page_requests import DEPTH, depth_of, is_page
from wikicrawler.scope.traps import LeftOut, family_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response


class ClosedFamilies:
    """Downloader middleware: drops a request with the meta key ``guarded_link`` whose family of
    URLs was closed (rule ``nothing_new``) while it waited in the queue.

    It belongs before RobotsTxtMiddleware (100).
    """

    def __init__(self, scope: CrawlScope) -> None:
        self._scope = scope

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        scope = crawler.get_extension(CrawlScope)
        if scope is None:
            raise NotConfigured("the extension wikicrawler.scope.CrawlScope is missing")
        return cls(scope)

    def process_request(self, request: Request) -> None:
        guarded = request.meta.pop(GUARDED, False)  # once: redirects and tiers copy the meta
        if guarded and self._scope.guard.is_closed(request.url):
            raise LinkLeftOut(str(LeftOut.NOTHING_NEW))


class ScopedLinks:
    """Spider middleware: applies the trap rules and the budgets of sites to the links that a spider
    yields, where ``WIKICRAWLER_SCOPE_LINKS`` is true.

    It drops a GET request from a callback if a trap rule refuses its URL, if its site has no place
    left, or if another URL of the same page was requested (another session's number). A request
    with ``dont_filter`` passes as it is. A page that is skipped keeps its place. Not for a spider
    that declares ``crawl_bounds``, which has all this and more by its own requests. It belongs next
    to the spider (950).
    """

    def __init__(self, scope: CrawlScope) -> None:
        self._scope = scope

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        scope = crawler.get_extension(CrawlScope)
        switched_on = options.SCOPE_LINKS.read(crawler.settings)
        if scope is None or not switched_on or hasattr(crawler.spider, "crawl_bounds"):
            raise NotConfigured
        return cls(scope)

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for one in start:
            if isinstance(one, Request) and _is_link(one):
                self._scope.requests.mark(one, 0, guarded=False)  # goes out whatever it says
            yield one

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        depth, leads_on, of_wiki = depth_of(response), False, WikiLinks(response)
        if response.request is not None and is_page(response.request):
            self._scope.check_new(response, response.url)
        async for one in result:
            if isinstance(one, Request) and _is_link(one) and not one.dont_filter:
                guarded = one.url not in of_wiki
                if not self._scope.requests.mark(one, depth + 1, guarded=guarded):
                    continue
                leads_on = leads_on or family_of(one.url) is None
            yield one
        self._scope.guard.judge_page(response, depth, leads_on=leads_on)


def _is_link(request: Request) -> bool:
    return (
        request.method == "GET"
        and DEPTH not in request.meta
        and request.url.startswith(("http://", "https://"))
    )
