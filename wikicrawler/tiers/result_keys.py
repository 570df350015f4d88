"""What the tiers found of a page stays with its response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from scrapy import Request
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.tiers.state import ATTEMPTS, CONTENT, PAGE, REASON, TIER, WIKI

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

_OBJECTS = (PAGE, CONTENT, WIKI)
_FACTS = (TIER, ATTEMPTS, REASON)


class ResultKeysMiddleware:
    """Spider middleware that removes the tiers' results from the meta of requests.

    Many spiders pass on all of ``response.meta``. With it each link would take the whole page into
    the queue, and a queue of the project that is outside the process may not store all of it.

    It belongs next to the engine (10), so that what other middlewares pass on is covered, too.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not options.TIERS_ENABLED.read(crawler.settings):
            raise NotConfigured
        return cls()

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        found = {} if response.request is None else dict(response.meta)
        async for one in result:
            yield _without_results(one, found) if isinstance(one, Request) else one


def _without_results(request: Request, found: dict[str, Any]) -> Request:
    """Return *request* without the results in *found*, the meta of the response that it is from."""
    meta = request.meta
    drop = [key for key in _OBJECTS if key in meta]
    # The names are short, and may be the project's own in a request that bypasses the tiers.
    drop += [key for key in _FACTS if key in meta and key in found and meta[key] == found[key]]
    if not drop:
        return request
    # A copy, because it may be the request of the response.
    return request.replace(meta={key: value for key, value in meta.items() if key not in drop})
