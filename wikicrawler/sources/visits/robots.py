"""The robots.txt of a source, at the start of a visit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from wikicrawler.politeness.robots import RobotsDisallowed, SiteRobotsMiddleware
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.middleware import TierMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.pages import Failure
    from wikicrawler.sources.manifest.model import Source


async def robots_refusal(crawler: Crawler, source: Source) -> Failure | None:
    """Return why the robots.txt of *source* forbids its url now, or cannot be fetched; None if it
    allows it, or is not obeyed (``ROBOTSTXT_OBEY``).

    The pages of the crawl use the same copy of the file.
    """
    robots = crawler.get_downloader_middleware(SiteRobotsMiddleware)
    if robots is None:
        return None
    tiers = crawler.get_downloader_middleware(TierMiddleware)
    if tiers is not None and await tiers.unplanned.is_paused(source.url):
        return None  # nothing is asked of its site; its page is held back
    try:
        await robots.process_request(Request(source.url, headers=source.headers))
    except RobotsDisallowed as error:
        return failure_of(error)
    return None
