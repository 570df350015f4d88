"""The links of a page that a crawl for a program may follow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wikicrawler.scope import CrawlScope
from wikicrawler.scope.links import WikiLinks
from wikicrawler.scope.page_links import PageLinks
from wikicrawler.urls.views import page_of_view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.pages import Link

_LINKS_A_TURN = 1000
"""Number of links after which other tasks have their turn."""


async def followed_links(crawler: Crawler, response: Response, links: Iterable[Link]) -> list[str]:
    """Return the URLs of *links*, of the page *response*, that no rule speaks against: those of
    crawler traps, of robots, and of the page's engine. Each is there once.

    One process has several crawls, so nothing is remembered of those that were followed before.
    """
    scope, of_wiki = CrawlScope.of(crawler), WikiLinks(response)
    page = PageLinks(response, scope.robots, scope.guard)
    found: dict[str, None] = {}
    for number, link in enumerate(links, 1):
        if not number % _LINKS_A_TURN:
            await asyncio.sleep(0)
        url = page_of_view(link.url)
        if page.rule_against(link) is not None or (link.namespace or 0) < 0:
            continue
        key = scope.guard.key(url)
        if link in of_wiki or scope.guard.rule_against(key) is None:
            found.setdefault(key)
    return list(found)
