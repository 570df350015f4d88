"""The wiki of a page that a spider knows the URL of."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import TextResponse
from scrapy.http.request import NO_CALLBACK

from wikicrawler.content.edit_uri import read_edit_uri
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.mediawiki.rsd import rsd_address
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.middleware import TierMiddleware

if TYPE_CHECKING:
    from scrapy.http import Response

    from wikicrawler.spiders.all_pages import Asking
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki

logger = logging.getLogger(__name__)


async def wiki_at(spider: Asking, url: str, page: Response | None = None) -> KnownWiki | None:
    """Return the wiki of the page *url*; *page* may name one that is not known."""
    tiers = spider.crawler.get_downloader_middleware(TierMiddleware)
    if tiers is None:
        return None
    wiki: KnownWiki | None = tiers.wikis.wiki_of(url)
    if wiki is not None and not wiki.passive:
        await tiers.wikis.ensure_siteinfo(wiki, url)
    if page is not None and (wiki is None or page_of(url, wiki.site) is None):
        encoding = page.encoding if isinstance(page, TextResponse) else None
        named = await asyncio.to_thread(read_edit_uri, page.body, page.url, encoding)
        rsd = rsd_address(named, page.url)
        wiki = await tiers.wikis.discover(page.url, rsd) if rsd else None
    return wiki if wiki is not None and page_of(url, wiki.site) is not None else None


async def find_wiki(spider: Asking, url: str) -> KnownWiki | None:
    """Return the wiki of the page *url*: one that is known, or that the page names, or whose API is
    at a usual place."""
    wiki = await wiki_at(spider, url)
    if wiki is None:
        page = await _page_at(spider, url)
        wiki = await wiki_at(spider, url, page) if page is not None else None
    tiers = spider.crawler.get_downloader_middleware(TierMiddleware)
    if wiki is None and tiers is not None and await tiers.wikis.find_api(url) is not None:
        return await wiki_at(spider, url)
    return wiki


async def _page_at(spider: Asking, url: str) -> Response | None:
    """Return the HTML of the page at *url*, which may say that there is none."""
    meta = {"tiers": False, "handle_httpstatus_all": True}
    request = Request(url, callback=NO_CALLBACK, meta=meta, dont_filter=True)
    try:
        response: Response = await spider.crawler.engine.download_async(request)
    except Exception as exception:
        failure = failure_of(exception)
        if failure is None:
            raise
        logger.warning(
            "%s was not fetched (%s), so its wiki is looked for at the usual places",
            one_line(url, 200),
            failure.reason,
        )
        return None
    return response
