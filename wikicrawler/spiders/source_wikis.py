"""Documents of watched sources that are pages of a wiki: it is asked about 50 of them at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wikicrawler.pages import Failure
from wikicrawler.spiders.wiki_finding import find_wiki
from wikicrawler.tiers.mediawiki.page_info import MAX_NAMES, by_revision_url, read_infos
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.spiders.all_pages import Asking
    from wikicrawler.store.source_pages import PageState
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki

_WORTH_IT = 5
"""Number of pages for which a wiki is asked: it takes up to four requests to find its API."""


async def unchanged(spider: Asking, pages: Sequence[PageState]) -> set[str]:
    """Return the URLs of those *pages* of wikis that have not changed, as their wikis say."""
    rest = [page for page in pages if page.revid is not None]
    found: set[str] = set()
    while len(rest) >= _WORTH_IT:
        wiki = await find_wiki(spider, rest[0].url)
        if wiki is None or wiki.siteinfo is None or not wiki.has_api:
            break
        own = [page for page in rest if page_of(page.url, wiki.siteinfo) is not None]
        if not own:
            break
        for start in range(0, len(own), MAX_NAMES):
            batch = own[start : start + MAX_NAMES]
            if not await _ask(spider, wiki, batch, found):
                return found
        asked = {page.url for page in own}
        rest = [page for page in rest if page.url not in asked]
    return found


async def _ask(
    spider: Asking, wiki: KnownWiki, pages: Sequence[PageState], found: set[str]
) -> bool:
    """Add the URLs of those *pages* to *found* that have not changed; return False if the wiki
    does not answer."""
    tiers = spider.crawler.get_downloader_middleware(TierMiddleware)
    assert tiers is not None  # noqa: S101 - it has found the wiki
    url = by_revision_url(wiki.site.api, dict.fromkeys(page.revid or 0 for page in pages))
    response = await tiers.wikis.get(url, wiki)
    if isinstance(response, Failure):
        return False
    infos = await asyncio.to_thread(
        read_infos, response.body, headers_of(response), response.status
    )
    if isinstance(infos, Failure):
        return False
    for page in pages:
        info = infos.by_revision.get(page.revid or 0)
        ref = page_of(page.url, wiki.site)
        if info is None or info.is_redirect or ref is None or ref.title != info.title:
            continue
        if not infos.may_differ(info, page.revid, page.last_checked):
            found.add(page.url)
    return True
