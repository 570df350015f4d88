"""From the URL in a call to the page: the cache, the budget of the session, and the crawl."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError
from wikicrawler.mcp_server.failures import CallFailed, PageFailed
from wikicrawler.mcp_server.journal import Journal
from wikicrawler.mcp_server.page_cache import CachedPage, PageCache
from wikicrawler.mcp_server.paging import prepare
from wikicrawler.pages import Failure
from wikicrawler.scope import CrawlScope
from wikicrawler.spiders.field_links import followed_links
from wikicrawler.spiders.namespaces import WantedNamespaces
from wikicrawler.tiers import state as st
from wikicrawler.tiers.result import result_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.items import Content, CrawlResult
    from wikicrawler.mcp_server.fetching import PageRequests
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.result import PageResult

MAX_LINKS = 2000
"""Links of a page that are kept for a crawl."""


@dataclass(eq=False, slots=True)
class _Flight:
    """A page on its way, and how many calls wait for it."""

    task: asyncio.Task[CachedPage]
    waiting: int = 0


class PageReader:
    """Reads pages for the calls of a session.

    Calls that ask for the same page at once share one request.
    """

    def __init__(self, crawler: Crawler, requests: PageRequests) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._requests = requests
        self._pool = ConversionPool.for_crawler(crawler)
        self._places = asyncio.Semaphore(max(1, settings.getint("CONCURRENT_REQUESTS")))
        self._max_age = options.MCP_CACHE_SECONDS.read(settings)
        self._limit = options.MCP_SESSION_PAGES.read(settings)
        self._has_references = options.LINKS.read(settings) == "references"
        self._namespaces = WantedNamespaces("content")
        self._flights: dict[str, _Flight] = {}
        self.requested = 0
        """Pages and searches that were requested in this session."""
        self.cache = PageCache(options.MCP_CACHE_MB.read(settings) * 2**20)
        self.journal = Journal()

    async def read(self, url: str, *, depth: int = 0, fresh: bool = False) -> CachedPage:
        """Return the page at *url*: an earlier answer if there is one that is not too old.

        :param depth: number of links from the URL that the caller named
        :param fresh: request it in any case
        :raises PageFailed: it was not read
        :raises CallFailed: the budget of the session is used up
        """
        if not fresh and (cached := self.kept(url)) is not None:
            return cached
        flight = self._flights.get(url)
        if flight is None:
            flight = _Flight(asyncio.create_task(self._recorded(url, depth)))
            self._flights[url] = flight
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                if self._flights.get(url) is flight:
                    del self._flights[url]  # a later call begins anew
                flight.task.cancel()  # has no effect if it has ended

    def kept(self, url: str) -> CachedPage | None:
        """Return the page at *url* if it was read before, not too long ago."""
        cached = self.cache.latest(url, self._max_age)
        if cached is not None:
            self.journal.add([url, cached.url], "cached", tier=cached.tier)
        return cached

    def spend(self) -> None:
        """Count one request of the session.

        :raises CallFailed: the budget is used up
        """
        if self.requested >= self._limit:
            raise CallFailed(
                f"This session has requested {self.requested:,} pages, as many as the operator "
                f"allows ({options.MCP_SESSION_PAGES.name}). Pages that were read before can still "
                "be read with read_page."
            )
        self.requested += 1

    async def _recorded(self, url: str, depth: int) -> CachedPage:
        """Request the page, and record what became of it."""
        began = monotonic()
        try:
            async with self._places:
                self.spend()
                page = await self._requested(url, depth)
        except PageFailed as error:
            self.journal.add(
                [url],
                "failed",
                reason=error.failure.reason.value,
                detail=error.failure.detail,
                attempts=error.attempts,
                seconds=monotonic() - began,
            )
            raise
        except asyncio.CancelledError:
            self.journal.add([url], "cancelled", seconds=monotonic() - began)
            raise
        self.journal.add(
            [url, page.url],
            "read",
            tier=page.tier,
            attempts=page.attempts,
            seconds=monotonic() - began,
        )
        self.cache.add(page)
        return page

    async def _requested(self, url: str, depth: int) -> CachedPage:
        try:
            response = await self._requests.fetch(url, depth=depth)
        except PageFailed as error:
            raise PageFailed(url, error.failure, error.attempts) from None
        attempts = response.meta.get(st.ATTEMPTS, ())
        try:
            result = await result_of(response, self._crawler)
            if isinstance(result, Failure):
                raise PageFailed(url, result, attempts)
            record = result.record
            body = await self._pool.run(url, prepare, self._text_of(response, record))
        except ContentError as error:
            raise PageFailed(url, Failure(error.reason, error.detail), attempts) from None
        wiki: KnownWiki | None = response.meta.get(st.WIKI)
        return CachedPage(
            asked=url,
            url=record.url,
            title=record.title,
            body=body,
            content_hash=record.content_hash,
            tier=record.tier,
            attempts=tuple(record.attempts),
            status=record.status,
            fetched_at=record.fetched_at,
            revid=record.revid,
            lang=record.lang,
            license=record.license,
            description=record.description,
            links=await self._links(response, result, wiki),
            refusal=CrawlScope.of(self._crawler).check_wanted(response, record.url),
        )

    def _text_of(self, response: Response, record: CrawlResult) -> str:
        """Return the text of a page, whose parts stand alone: none has the end with the URLs."""
        content: Content = response.meta[st.CONTENT]
        return content.inline_markdown if self._has_references else record.content

    async def _links(
        self, response: Response, result: PageResult, wiki: KnownWiki | None
    ) -> tuple[str, ...]:
        """Return the URLs to which a crawl may follow the page."""
        wanted = (
            link
            for link in result.links
            if wiki is None or self._namespaces.has(link.namespace, wiki.site)
        )
        found = await followed_links(self._crawler, response, wanted)
        return tuple(found[:MAX_LINKS])
