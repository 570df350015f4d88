"""What the answers of a wiki about its known pages lead to.

With ``all_pages`` the wiki's own list comes first: it has 500 pages in an answer, and the new ones.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import Request

from wikicrawler.pages import Action, Failure
from wikicrawler.spiders import categories
from wikicrawler.spiders.all_pages import wait
from wikicrawler.spiders.since.listing import first_lists, list_failed, read_list
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.mediawiki.page_info import read_infos
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response

    from wikicrawler.items import PageChange
    from wikicrawler.spiders.since.wiki_check import WikiCheck
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.mediawiki.page_info import Infos

logger = logging.getLogger(__name__)

_URL = {"revisions": 1, "titles": 0}
"""Where the URL of a known page is in the batches of requests."""


async def begin(check: WikiCheck, wiki: KnownWiki, urls: list[str]) -> AsyncIterator[Request]:
    """Yield the first requests about the known pages *urls*."""
    spider = check.crawl.spider
    page = Request(urls[0])
    if spider.args.all_pages:
        # The seeds' pages lead to the list no more.
        spider.crawl_scope.memory.list_wiki(check.site.api, page)
        for request in first_lists(check):
            yield request
    else:
        for request in check.by_revision(urls):
            yield request
    async for request in categories.named(spider, page, wiki, urls[0]):
        yield request


def read(
    check: WikiCheck, response: Response, *, kind: str, **batch: Any
) -> Iterator[Request | PageChange]:
    """Yield what the answer of the wiki leads to; *kind* says what it was asked."""
    infos = read_infos(response.body, headers_of(response), response.status)
    assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
    if isinstance(infos, Failure):
        waits = infos.action is Action.WAIT
        again = wait(check.crawl.spider, response, infos) if waits else None
        if again is not None:
            yield again
        else:
            yield from failed(check, f"{infos.reason} ({infos.detail})", kind=kind, **batch)
    elif kind == "list":
        yield from read_list(check, infos, **batch)
    elif kind == "revisions":
        yield from _read_revisions(check, infos, **batch)
    else:
        yield from _read_titles(check, infos, request=response.request, **batch)


def failed(check: WikiCheck, why: str, *, kind: str, **batch: Any) -> Iterator[Request]:
    """Yield the requests in place of one that failed: for each page that it was about."""
    check.crawl.spider.crawler.stats.inc_value("wikicrawler/since/failed")
    if kind == "list":
        yield from list_failed(check, why, **batch)
        return
    pages = batch["pages"]
    logger.warning(
        "since: %s did not say what has changed (%s), so %d pages are fetched",
        one_line(check.site.api, 200),
        one_line(why, 200),
        len(pages),
    )
    for page in pages:
        yield from check.crawl.page(page[_URL[kind]])


def _read_revisions(check: WikiCheck, infos: Infos, pages: list[Any]) -> Iterator[Request]:
    """Yield what the answer about *pages* (revision, URL) leads to."""
    later: list[tuple[str, str | None]] = []
    for revid, url in pages:
        if not check.titles.has(url):  # the feed has changed since the crawl was stopped
            continue
        info = infos.by_revision.get(revid)
        if info is None or info.is_redirect:
            later.append((url, None))
        elif info.title != check.titles.title_of(url):
            later.append((url, info.title))
        else:
            yield from check.compare(url, info, infos)
    yield from check.by_title(later)


def _read_titles(
    check: WikiCheck, infos: Infos, pages: list[Any], request: Request
) -> Iterator[Request | PageChange]:
    """Yield what the answer about *pages* (URL, title that it has moved to) leads to."""
    for url, target in pages:
        if not check.titles.has(url):
            continue
        title = check.titles.title_of(url)
        info = infos.page_at(title)
        if info is not None and info.title == title and not info.is_redirect:
            yield from check.compare(url, info, infos)
            if target is not None:  # the page has moved, and another has taken its place
                yield from check.follow(target)
        elif target is not None or info is not None or infos.has_none_at(title):
            yield from _gone(check, url, target or (info.title if info else None), request)
        else:  # the answer does not say: the page itself does
            yield from check.crawl.page(url)


def _gone(
    check: WikiCheck, url: str, target: str | None, request: Request
) -> Iterator[Request | PageChange]:
    """Yield what follows from there being no page at *url*: the request for the page *target*,
    whose record will say so, or the record that the page is deleted."""
    now_at = check.url_of_new(target) if target is not None else None
    if now_at is not None and check.crawl.changes.moved(url, now_at, request):
        yield from check.crawl.page(now_at)
    else:
        yield check.crawl.changes.deleted(url)
