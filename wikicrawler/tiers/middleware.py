"""Downloader middleware that fetches each page through the cheapest tier that works."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scrapy.exceptions import NotConfigured
from scrapy.utils.reactor import is_asyncio_reactor_installed

from wikicrawler import options
from wikicrawler.scope import CrawlScope
from wikicrawler.tiers.dispatch.answers import TierAnswers, release
from wikicrawler.tiers.dispatch.parts import TierParts
from wikicrawler.tiers.dispatch.planning import PagePlanner
from wikicrawler.tiers.originals import UnimprovedError
from wikicrawler.tiers.progress import attempts_of
from wikicrawler.tiers.state import STATE, State
from wikicrawler.tiers.unplanned_pages import UnplannedPages, is_page_request

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.tiers.mediawiki.directory import WikiDirectory
    from wikicrawler.tiers.policy import TierPolicy
    from wikicrawler.tiers.registry import TierRegistry
    from wikicrawler.tiers.tier import Tier


class TierMiddleware:
    """Downloader middleware: send a page's request to the first tier of its plan, and to the next
    one when a tier fails.

    The callback gets one HtmlResponse at the page's own URL, whichever tier fetched it;
    ``docs/meta.md`` lists its meta keys. If every tier fails, the errback gets an HTTP error if the
    page itself has an error status (404), else
    :class:`~wikicrawler.tiers.failures.TiersExhausted`. Where requests are not strict
    (``WIKICRAWLER_TIERS_STRICT``, meta ``tiers_strict``), the spider gets what Scrapy would give
    it instead: the response, or the exception, of the page's own URL.

    Request meta: ``tiers`` is False to bypass the tiers, or a list of tier names that replaces the
    plan. A true ``crawl4ai`` sends the request to the browser only.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not options.TIERS_ENABLED.read(crawler.settings):
            raise NotConfigured
        if not is_asyncio_reactor_installed():
            raise NotConfigured("the tiers need Scrapy's default asyncio reactor (TWISTED_REACTOR)")
        self._parts = TierParts(crawler)
        self._planner = PagePlanner(self._parts)
        self._answers = TierAnswers(self._parts)
        if (scope := crawler.get_extension(CrawlScope)) is not None:
            scope.attempts_of = attempts_of

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @property
    def policy(self) -> TierPolicy:
        """The policy of this crawl."""
        return self._parts.policy

    @property
    def registry(self) -> TierRegistry:
        """The tiers of the project."""
        return self._parts.registry

    @property
    def tiers(self) -> Mapping[str, Tier]:
        """The usable tiers of this crawl, by name."""
        return self._parts.tiers

    @property
    def wikis(self) -> WikiDirectory:
        """The wikis of this crawl."""
        return self._parts.wikis

    @property
    def unplanned(self) -> UnplannedPages:
        """The handling of pages before a tier is chosen."""
        return self._parts.unplanned

    async def process_request(self, request: Request) -> Request | Response | None:
        if not is_page_request(request):
            return None
        try:
            return await self._planner.plan(request)
        except UnimprovedError as found:
            return _hand_over(request, found)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        state = cast("State | None", request.meta.get(STATE))
        if state is None or not is_page_request(request):  # it may be a copy with another method
            return response
        try:
            return await self._answers.read(request, response, state)
        except UnimprovedError as found:
            release(request)
            if isinstance(found.answer, Exception):
                raise found.answer from None
            return found.answer

    async def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        try:
            return await self._answers.handle_exception(request, exception)
        except UnimprovedError as found:
            if found.answer is not exception:
                return _hand_over(request, found)
            release(request)
            return None


def _hand_over(request: Request, found: UnimprovedError) -> Response:
    """Return the original answer instead of *request*, on its way to the other middlewares.

    :raises Exception: the answer is that exception
    """
    if isinstance(found.answer, Exception):
        raise found.answer from None
    # It has passed them before, as the answer to another request.
    release(request)
    request.meta["dont_retry"] = True
    return found.answer
