"""Search in a MediaWiki for a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from wikicrawler.errors import Reason
from wikicrawler.mcp_server.failures import CallFailed, PageFailed, reason_text, shown_url
from wikicrawler.pages import Action, Failure
from wikicrawler.signals import site_busy
from wikicrawler.tiers.mediawiki.directory import MAX_BUSY_RETRIES
from wikicrawler.tiers.mediawiki.full_text import read_hits, search_url
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.mcp_server.reading import PageReader
    from wikicrawler.tiers.mediawiki.directory import WikiDirectory
    from wikicrawler.tiers.mediawiki.full_text import Hits
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.mediawiki.site import WikiSite

_ANY_PAGE = "/wiki/Main_Page"
_UNREADABLE = frozenset({Reason.BLOCKED, Reason.BLOCKED_CAPTCHA, Reason.JS_SHELL, Reason.CONSENT})
"""Reasons for which the pages of a wiki cannot be read, while its API may answer."""


class WikiHits(NamedTuple):
    """The pages that a search in a wiki has found."""

    site: WikiSite
    found: Hits


async def search_wiki(
    crawler: Crawler, reader: PageReader, url: str, query: str, limit: int
) -> WikiHits:
    """Search the wiki with the page at *url*.

    :raises CallFailed: the site is not a wiki, or its API does not answer. The message says what
        to do
    """
    tiers = crawler.get_downloader_middleware(TierMiddleware)
    if tiers is None:
        raise CallFailed("The tiers are switched off on this server, so no wiki can be searched.")
    wiki = await _wiki_of(tiers.wikis, reader, url)
    if wiki is None:
        raise CallFailed(
            f"{shown_url(url)} is not a page of a MediaWiki that this server recognises, so there "
            "is no search. Give the URL of an article of the wiki, or use crawl_site and "
            "read_page."
        )
    if wiki.passive or wiki.off is not None:
        why = f": {reason_text(wiki.off)}" if wiki.off is not None else ""
        raise CallFailed(
            f"The wiki at {shown_url(url)} cannot be searched, because its API is not used{why}. "
            "Use crawl_site and read_page, which read its pages."
        )
    found = await _found(crawler, tiers.wikis, reader, wiki, search_url(wiki.api, query, limit))
    if isinstance(found, Failure):
        raise CallFailed(
            f"The search at {shown_url(url)} failed: {reason_text(found)}. Try another query, or "
            "again later."
        )
    return WikiHits(wiki.site, found)


async def _wiki_of(wikis: WikiDirectory, reader: PageReader, url: str) -> KnownWiki | None:
    """Return the wiki of the page at *url*, which is read if its wiki is not known yet."""
    wiki = wikis.wiki_of(url)
    if wiki is None:
        try:
            page = await reader.read(url)
        except PageFailed as error:
            if error.failure.reason not in _UNREADABLE:
                raise
            return await wikis.find_api(urljoin(url, _ANY_PAGE))
        wiki = wikis.wiki_of(page.url)
    if wiki is not None and not wiki.passive:
        await wikis.ensure_siteinfo(wiki, wiki.page_url)
    return wiki


async def _found(
    crawler: Crawler, wikis: WikiDirectory, reader: PageReader, wiki: KnownWiki, url: str
) -> Hits | Failure:
    """Return what the API finds. A busy wiki is asked again when it is ready."""
    found: Hits | Failure
    for _ in range(MAX_BUSY_RETRIES):
        reader.spend()
        answer = await wikis.get(url, wiki)
        if isinstance(answer, Failure):
            found = answer
        else:
            found = read_hits(answer.body, headers_of(answer), answer.status)
        if not isinstance(found, Failure) or found.action is not Action.WAIT:
            break
        crawler.signals.send_catch_log(
            site_busy,
            slot=wiki.api_meta["throttle_slot"],
            seconds=found.retry_after,
            reason=found.detail,
        )
    return found
