"""Requests that the scheduler drops because their page was requested before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.scope.page_requests import is_page
from wikicrawler.signals import page_redirected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.utils.request import RequestFingerprinterProtocol


class DroppedRequests:
    """Handles the signal ``request_dropped`` of *crawler* for pages.

    The page was requested as another request that was redirected, under another spelling, or before
    the crawl was killed. *report* is called with the URL that redirected, why its page is skipped
    and the request; *instead* returns the requests that take the place of the page.
    """

    def __init__(
        self,
        crawler: Crawler,
        *,
        report: Callable[[str, Failure, Request], None],
        instead: Callable[[Request], Iterable[Request]],
    ) -> None:
        self._crawler = crawler
        self._report = report
        self._instead = instead
        self._freed: list[Request] = []  # whose places are to be given on

    def dropped(self, request: Request) -> None:
        """Report *request* if a redirect led to it, and give its place to a link that waits."""
        if not is_page(request):
            return
        engine, asked = self._crawler.engine, asked_url(request)
        if leads_back(request, self._crawler.request_fingerprinter):  # Scrapy limits how often
            engine.crawl(request.replace(dont_filter=True))
            return
        self._freed.append(request)
        if asked is not None:
            detail = f"it leads to {request.url}, which is asked for"
            self._report(asked, Failure(Reason.DUPLICATE, detail), request)
            self._crawler.signals.send_catch_log(page_redirected, url=asked, target=request.url)
        if len(self._freed) > 1:
            return  # called from below
        while self._freed:
            for instead in self._instead(self._freed[0]):
                engine.crawl(instead)
            self._freed.pop(0)


def asked_url(request: Request) -> str | None:
    """Return the URL whose redirect led to *request*; None where none did."""
    urls = request.meta.get("redirect_urls")
    return urls[0] if urls else None


def leads_back(request: Request, fingerprinter: RequestFingerprinterProtocol) -> bool:
    """Return True if *request* is a redirect of a URL to itself: with a cookie set, or under
    another spelling."""
    here = fingerprinter.fingerprint(request)
    return any(
        fingerprinter.fingerprint(request.replace(url=url)) == here
        for url in request.meta.get("redirect_urls", ())
    )
