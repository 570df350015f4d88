"""The tools: what each does with a call."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from wikicrawler import options
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.explain import queries
from wikicrawler.explain.page_text import page_lines
from wikicrawler.mcp_server import answer_text, answers
from wikicrawler.mcp_server.arguments import (
    DEFAULT_CHARS,
    CrawlSiteArguments,
    ExplainArguments,
    ReadPageArguments,
    SearchWikiArguments,
    check_most,
    read_bounds,
    read_query,
    read_site,
    read_url,
)
from wikicrawler.mcp_server.failures import (
    CallFailed,
    detail_text,
    reason_text,
    shown_url,
)
from wikicrawler.mcp_server.paging import end_of_part, safe_line
from wikicrawler.mcp_server.site_crawl import SiteCrawl
from wikicrawler.mcp_server.wiki_search import search_wiki
from wikicrawler.text.safe import safe_lines
from wikicrawler.tiers.mediawiki.titles import url_of
from wikicrawler.tiers.policy import records_attempts
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pydantic import BaseModel
    from scrapy.crawler import Crawler

    from wikicrawler.mcp_server.page_cache import CachedPage
    from wikicrawler.mcp_server.reading import PageReader
    from wikicrawler.mcp_server.site_crawl import End, SkippedPage

    Report = Callable[[float, float | None, str], Awaitable[None]]

T = TypeVar("T")

_SNIPPET = 400
_SKIPPED = 20
"""Pages that were not listed, in the answer of a crawl."""
_ENTRY = 120
"""Characters of an entry in a list besides what the page states."""
_EVIDENCE = 8000
_EVIDENCE_ATTEMPTS = 10


class Answer(NamedTuple):
    """What a call returns."""

    data: BaseModel
    text: str


class Tools:
    """Answers the calls of a session. Each raises ``CallFailed`` if it has no answer."""

    def __init__(self, crawler: Crawler, reader: PageReader) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._reader = reader
        self.max_chars = options.MCP_MAX_CHARS.read(settings)
        self.crawl_pages = options.MCP_CRAWL_PAGES.read(settings)
        self._page_seconds = options.MCP_PAGE_SECONDS.read(settings)
        self._crawl_seconds = options.MCP_CRAWL_SECONDS.read(settings)

    async def read_page(self, asked: ReadPageArguments, report: Report) -> Answer:
        """Return a part of a page."""
        url = read_url(asked.url, "url")
        limit = min(DEFAULT_CHARS, self.max_chars) if asked.max_chars is None else asked.max_chars
        check_most("max_chars", limit, self.max_chars, options.MCP_MAX_CHARS.name)
        page = None if asked.refresh else self._kept(url, asked)
        from_cache = page is not None
        if page is None:
            await report(0, 1, f"waiting for {shown_url(url)}")
            page = await self._in_time(self._reader.read(url, fresh=True), url)
        wanted = asked.content_hash
        if wanted is not None and asked.offset and page.content_hash != wanted:
            raise CallFailed(
                f"{shown_url(url)} has changed since: its content_hash is {page.content_hash} "
                "now. Read it again from offset 0."
            )
        text = page.body.text
        if asked.offset > len(text) or (asked.offset == len(text) and text):
            raise CallFailed(
                f"offset: {asked.offset:,} is beyond the end of the page, which has "
                f"{len(text):,} characters"
            )
        end = end_of_part(text, page.body.cuts, asked.offset, limit)
        data = answers.page_answer(page, url, offset=asked.offset, end=end, from_cache=from_cache)
        return Answer(data, answer_text.page_text(data, page.attempts))

    async def search_wiki(self, asked: SearchWikiArguments, report: Report) -> Answer:
        """Return the pages that a wiki finds."""
        url, query = read_site(asked.site), read_query(asked.query)
        await report(0, 1, f"waiting for {shown_url(url)}")
        searching = search_wiki(self._crawler, self._reader, url, query, asked.limit)
        site, found = await self._in_time(searching, url)
        data = answers.SearchWikiAnswer(
            api=shown_url(site.api),
            query=safe_line(query, len(query)),
            total_hits=found.total,
            suggestion=safe_line(found.suggestion, _SNIPPET),
            notice=answers.NOTICE,
            results=[
                answers.SearchHit(
                    url=shown_url(url_of(hit.title, site)),
                    words=hit.words,
                    edited_at=hit.edited_at,
                    page_says=answers.HitStatements(
                        title=safe_line(hit.title, _SNIPPET),
                        snippet=safe_line(hit.snippet, _SNIPPET),
                    ),
                )
                for hit in found.hits[: asked.limit]
            ],
        )
        return Answer(data, answer_text.search_text(data))

    async def crawl_site(self, asked: CrawlSiteArguments, report: Report) -> Answer:
        """Return the pages of a bounded crawl."""
        seed, bounds = read_url(asked.seed, "seed"), read_bounds(asked)
        check_most("max_pages", asked.max_pages, self.crawl_pages, options.MCP_CRAWL_PAGES.name)

        async def read(page: CachedPage) -> None:
            done = len(crawl.pages)
            await report(done, asked.max_pages, f"read {shown_url(page.url)}")

        crawl = SiteCrawl(
            self._reader,
            seed,
            max_pages=asked.max_pages,
            max_depth=asked.max_depth,
            bounds=bounds,
            on_page=read,
        )
        await report(0, asked.max_pages, f"waiting for {shown_url(seed)}")
        stopped: End
        try:
            async with asyncio.timeout(self._crawl_seconds):
                stopped = await crawl.run()
        except TimeoutError:
            if not crawl.pages:
                raise CallFailed(
                    f"No page of {shown_url(seed)} was read within {self._crawl_seconds:g} s "
                    f"({options.MCP_CRAWL_SECONDS.name}). Try again later."
                ) from None
            stopped = "time"
        pages, omitted = self._listed(crawl)
        data = answers.CrawlSiteAnswer(
            seed=shown_url(seed),
            stopped=stopped,
            read=len(crawl.pages),
            omitted=omitted,
            links_left=crawl.waiting,
            skipped_count=len(crawl.skipped),
            notice=answers.NOTICE,
            pages=pages,
            skipped=_skipped(crawl.skipped, self.max_chars // 4),
        )
        return Answer(data, answer_text.crawl_text(data))

    async def explain(self, asked: ExplainArguments, report: Report) -> Answer:
        """Return what this server did for a page."""
        url = read_url(asked.url, "url")
        settings = self._crawler.settings
        registry = TierRegistry.from_settings(settings)
        data = answers.ExplainAnswer(
            url=shown_url(url),
            tiers=[
                answers.UsableTier(
                    tier=name,
                    usable=not registry.missing(name),
                    missing=detail_text(registry.missing(name)),
                )
                for name in registry.order
            ],
            requests=[
                answers.RecordedRequest(
                    at=event.at,
                    outcome=event.outcome,
                    tier=event.tier,
                    reason=event.reason,
                    detail=detail_text(event.detail),
                    seconds=event.seconds,
                    attempts=answers.tried(event.attempts),
                )
                for event in self._reader.journal.of(url)
            ],
            evidence=await self._evidence(url) if records_attempts(settings) else "",
        )
        return Answer(data, answer_text.explain_text(data))

    def _kept(self, url: str, asked: ReadPageArguments) -> CachedPage | None:
        """Return the page that was read before, if it may serve."""
        cache = self._reader.cache
        if asked.content_hash is not None:
            return cache.version(url, asked.content_hash)
        if asked.offset:  # of the version that was read last, however old it is
            return cache.latest(url)
        return self._reader.kept(url)

    async def _in_time(self, work: Awaitable[T], url: str) -> T:
        try:
            async with asyncio.timeout(self._page_seconds):
                return await work
        except TimeoutError:
            raise CallFailed(
                f"{shown_url(url)} was not read within {self._page_seconds:g} s "
                f"({options.MCP_PAGE_SECONDS.name}). The site may be slow, or other calls for it "
                "come first. Try again later."
            ) from None

    def _listed(self, crawl: SiteCrawl) -> tuple[list[answers.CrawledPage], int]:
        """Return the pages for which the answer has room, and the number of the others."""
        found: list[answers.CrawledPage] = []
        room = self.max_chars
        for page, depth in crawl.pages:
            entry = answers.summary_of(page, depth)
            says = entry.page_says
            room -= len(entry.url) + len(says.title) + len(says.description) + _ENTRY
            if room < 0:
                break
            found.append(entry)
        return found, len(crawl.pages) - len(found)

    async def _evidence(self, url: str) -> str:
        """Return what the database says of pages like the one at *url*."""
        try:
            pages, nothing = await asyncio.to_thread(
                queries.explain_pages, self._crawler.settings, [url], _EVIDENCE_ATTEMPTS
            )
        except (ConfigError, StoreError) as error:
            return f"The database of attempts cannot be read: {detail_text(str(error))}"
        if nothing:
            return "The database of attempts has no attempt yet."
        text = safe_lines("\n".join(page_lines(pages[0])))
        return text if len(text) <= _EVIDENCE else f"{text[:_EVIDENCE]}…"


def _skipped(pages: Sequence[SkippedPage], room: int) -> list[answers.UnlistedPage]:
    found = []
    for url, failure in pages[:_SKIPPED]:
        entry = answers.UnlistedPage(url=shown_url(url), reason=reason_text(failure))
        room -= len(entry.url) + len(entry.reason)
        if room < 0:
            break
        found.append(entry)
    return found
