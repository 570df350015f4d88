"""From a tier's response to a page: reading, conversion and verdict."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from wikicrawler import options
from wikicrawler.content.edit_uri import read_edit_uri
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError, Reason
from wikicrawler.pages import Action, Failure, Page
from wikicrawler.scope import CrawlScope
from wikicrawler.tiers.logins.errors import why_denied
from wikicrawler.tiers.mediawiki.html import article_path_of, complete, is_redirect_stub
from wikicrawler.tiers.mediawiki.rsd import rsd_address
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.verdict import judge_page, judge_response, shipped_rules
from wikicrawler.urls.sites import host_of, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
_MAX_WIKI_REDIRECTS = 10


class ReadPage(NamedTuple):
    """A page that was fetched, with its content."""

    page: Page
    content: Content | None
    """None if ``WIKICRAWLER_MARKDOWN_ENABLED`` is off."""
    wiki: KnownWiki | None


class WikiRedirect(NamedTuple):
    """A page of a wiki that shows where it redirects, instead of the page there."""

    url: str


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
        shipped_rules()  # read now, not between two responses: it takes a while

    async def wait_for_room(self) -> None:
        """Wait until the conversion queue has room for another page."""
        if self._convert:
            await ConversionPool.for_crawler(self._crawler).wait_for_room()

    async def read(
        self, tier: Tier, response: Response, state: State
    ) -> ReadPage | WikiRedirect | Failure:
        """Return the page in *response* to a request of *tier*, a redirect to follow, or the
        failure."""
        fetched_at = datetime.now(UTC)
        if (why := why_denied(response)) is not None:
            return Failure(Reason.LOGIN, why)
        wiki = self._wikis.wiki_of(state["url"])
        is_long = len(response.body) > _LONG_BYTES
        page = await _in_thread_if(is_long, tier.read, response, state["url"])
        if isinstance(page, Failure):
            return page
        content = await self._content_of(page, response, state)
        if isinstance(content, Failure):
            return content
        facts = content.metadata if content is not None else {}
        if "redirect_to" in facts or is_redirect_stub(page.body):
            return _redirect(page.url, facts.get("redirect_to", ""), state)
        if wiki is None or page_of(page.url, wiki.site) is None:
            # An unknown wiki, or one of several on its host.
            rsd = await _rsd_of(page, content)
            if rsd:
                wiki = await self._wikis.discover(page.url, rsd)
            elif facts.get("article_path"):
                path, script = facts["article_path"], facts.get("script", "")
                wiki = self._wikis.recognise(page.url, script, path) or wiki
        if wiki is not None and wiki.siteinfo is None:
            _learn_from_page(wiki, page, facts)
        if content is not None:
            is_long = len(content.links) > _LONG_LINKS
            site = wiki.site if wiki is not None and wiki.is_located else None
            page = await _in_thread_if(is_long, complete, page, content, site)
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
            if error.reason is Reason.EMPTY:
                found = None if authoritative else _judge(response, page, "")
                return found or Failure(Reason.EMPTY, error.detail)
            failure = Failure(error.reason, error.detail, Action.FINAL)
            if authoritative:
                return failure
            return _judge_unconverted(response) or failure
        if authoritative or "redirect_to" in content.metadata:
            return content
        is_shown = "revid" in content.metadata
        return _judge(response, page, content.text, is_shown=is_shown) or content


async def _in_thread_if(
    is_long: bool, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """Call *function*; if *is_long*, in a thread, so that it does not block the event loop."""
    if is_long:
        return await asyncio.to_thread(function, *args, **kwargs)
    return function(*args, **kwargs)


def _judge(response: Response, page: Page, text: str, *, is_shown: bool = False) -> Failure | None:
    headers = headers_of(response)
    return judge_page(response.status, headers, page.body, text, is_shown=is_shown)


def _judge_unconverted(response: Response) -> Failure | None:
    return judge_response(response.status, headers_of(response), response.body)


async def _rsd_of(page: Page, content: Content | None) -> str | None:
    """Return the URL of the RSD document that *page* names, if it may be fetched."""
    if content is not None:
        named = content.metadata.get("edit_uri", "")
    else:
        named = await asyncio.to_thread(read_edit_uri, page.body, page.url, page.encoding)
    return rsd_address(named, page.url)


def _redirect(url: str, target: str, state: State) -> WikiRedirect | Failure:
    """Return the redirect from the page at *url* to *target*, unless it is a loop or leads to no
    page of its host."""
    passed = state.setdefault("wiki_redirects", [])
    passed.append(_without_redirect_no(url))
    if (
        host_of(target) != host_of(url)
        or _without_redirect_no(target) in passed
        or len(passed) > _MAX_WIKI_REDIRECTS
    ):
        return Failure(Reason.EMPTY, "a redirect that leads nowhere", Action.FINAL)
    return WikiRedirect(target)


def _without_redirect_no(url: str) -> str:
    return url.replace("&redirect=no", "").replace("?redirect=no", "")


def _learn_from_page(wiki: KnownWiki, page: Page, facts: Mapping[str, Any]) -> None:
    """Learn addresses and a namespace of a wiki without siteinfo from one of its pages."""
    if not facts:  # not converted
        facts = {"article_path": article_path_of(page.body, page.url)}
    wiki.learn(page.url, facts)
    number = facts.get("namespace")
    prefix, colon, _ = _title_of(wiki, page.url, facts).partition(":")
    if number and colon:
        wiki.learn_namespace(prefix, number)


def _title_of(wiki: KnownWiki, url: str, facts: Mapping[str, Any]) -> str:
    if name := facts.get("page_name", ""):
        return str(name)
    ref = page_of(url, wiki.site)
    return (ref.title if ref is not None else "") or ""
