"""From a tier's response to a page: reading, conversion and verdict."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from wikicrawler import options
from wikicrawler.content.edit_uri import read_edit_uri
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError, Reason
from wikicrawler.pages import Action, Failure, Page
from wikicrawler.scope import CrawlScope
from wikicrawler.tiers.mediawiki.html import article_path_of, complete, is_redirect_stub
from wikicrawler.tiers.mediawiki.site import rsd_address
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.verdict import has_enough_content, judge_page, judge_response
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.items import Content
    from wikicrawler.tiers.mediawiki.directory import WikiDirectory
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.state import State
    from wikicrawler.tiers.tier import Tier

_P = ParamSpec("_P")
_T = TypeVar("_T")

_LONG_BYTES = 2**20
_LONG_LINKS = 2000


class ReadPage(NamedTuple):
    """A page that was fetched, with its content."""

    page: Page
    content: Content | None
    """None if ``WIKICRAWLER_MARKDOWN_ENABLED`` is off."""
    wiki: KnownWiki | None


class PageReader:
    """Reads the responses of one crawl.

    The conversion precedes the verdict: only the extracted text distinguishes an article from an
    empty shell, and so the document is parsed once.
    """

    def __init__(self, crawler: Crawler, wikis: WikiDirectory) -> None:
        self._crawler = crawler
        self._wikis = wikis
        self._scope = crawler.get_extension(CrawlScope)
        self._convert = options.MARKDOWN_ENABLED.read(crawler.settings)

    async def wait_for_room(self) -> None:
        """Wait until the conversion queue has room for another page."""
        if self._convert:
            await ConversionPool.for_crawler(self._crawler).wait_for_room()

    async def read(self, tier: Tier, response: Response, state: State) -> ReadPage | Failure:
        """Return the page in *response* to a request of *tier*, or the failure."""
        fetched_at = datetime.now(UTC)
        wiki = self._wikis.wiki_of(state["url"])
        is_long = len(response.body) > _LONG_BYTES
        page = await _in_thread_if(is_long, tier.read, response, state["url"])
        if isinstance(page, Failure):
            return page
        if is_redirect_stub(page.body):
            return Failure(Reason.EMPTY, "a redirect that leads nowhere", Action.FINAL)
        content = await self._content_of(page, response, state)
        if isinstance(content, Failure):
            return content
        if wiki is None or page_of(page.url, wiki.site) is None:
            # An unknown wiki, or one of several on its host.
            rsd = await _rsd_of(page, content)
            wiki = await self._wikis.discover(page.url, rsd) if rsd else wiki
        if wiki is not None and wiki.siteinfo is None:
            _learn_from_page(wiki, page, content)
        if content is not None:
            is_long = len(content.links) > _LONG_LINKS
            page = await _in_thread_if(
                is_long, complete, page, content, wiki.site if wiki else None
            )
        asked = state["asked"] if state["asked"] != state["url"] else None
        page = replace(page, fetched_at=fetched_at, redirected_from=asked or page.redirected_from)
        return ReadPage(page, content, wiki)

    async def _content_of(
        self, page: Page, response: Response, state: State
    ) -> Content | Failure | None:
        authoritative = page.links is not None  # from an API: a short page is valid
        if not self._convert:
            return None if authoritative else _judge_unconverted(response)
        pool = ConversionPool.for_crawler(self._crawler)
        try:
            content = await pool.convert(
                page.body,
                page.url,
                encoding=page.encoding,
                site=site_of(page.url),
                sketch=not authoritative
                and self._scope is not None
                and self._scope.guard.wants_sketch(state["asked"]),
            )
        except ContentError as error:
            failure = Failure(error.reason, error.detail, Action.FINAL)
            if authoritative:
                return failure
            if error.reason is Reason.EMPTY:
                return _judge(response, page, "") or Failure(Reason.EMPTY)
            return _judge_unconverted(response) or failure
        if authoritative or has_enough_content(content.markdown):
            return content
        return _judge(response, page, content.markdown) or content


async def _in_thread_if(
    is_long: bool, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """Call *function*; if *is_long*, in a thread, so that it does not block the event loop."""
    if is_long:
        return await asyncio.to_thread(function, *args, **kwargs)
    return function(*args, **kwargs)


def _judge(response: Response, page: Page, text: str) -> Failure | None:
    return judge_page(response.status, headers_of(response), page.body, text)


def _judge_unconverted(response: Response) -> Failure | None:
    return judge_response(response.status, headers_of(response), response.body)


async def _rsd_of(page: Page, content: Content | None) -> str | None:
    """Return the URL of the RSD document that *page* names, if it may be fetched."""
    if content is not None:
        named = content.metadata.get("edit_uri", "")
    else:
        named = await asyncio.to_thread(read_edit_uri, page.body, page.url, page.encoding)
    return rsd_address(named, page.url)


def _learn_from_page(wiki: KnownWiki, page: Page, content: Content | None) -> None:
    """Learn the article path and a namespace of a wiki without siteinfo from one of its pages."""
    if wiki.article_path is None:
        wiki.learn_article_path(article_path_of(page.body, page.url))
    ref = page_of(page.url, wiki.site)
    number = content.metadata.get("namespace") if content is not None else None
    if ref is not None and ref.title is not None and number:
        prefix, colon, _ = ref.title.partition(":")
        if colon:
            wiki.learn_namespace(prefix, number)
