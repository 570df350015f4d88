"""The list of a site's pages that a tier has, for the visits of the spider ``sources``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from wikicrawler.audit.wire import on_behalf_of
from wikicrawler.operations import MANIFEST_KEY, MAP, OPERATION_KEY
from wikicrawler.scope import CrawlBounds
from wikicrawler.sources.visits.admission import Dropped
from wikicrawler.tiers import state as st
from wikicrawler.tiers.engines import ScrapeEngine

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.sources.visits.visit import SourceVisit


async def offer_map(crawler: Crawler, visit: SourceVisit, response: Response) -> None:
    """Offer *visit* the URLs that the tier which brought *response*, the page at the source's url,
    has a list of. Most tiers have none."""
    tier = response.meta.get(st.TIER)
    if tier is None or not visit.source.max_depth:
        return
    meta = {MANIFEST_KEY: visit.source.id, OPERATION_KEY: MAP, st.TIER: tier}
    with on_behalf_of(Request(visit.source.url, meta=meta)):
        bounds = CrawlBounds(scope="site")  # the visit checks the source's domain
        found = await ScrapeEngine(crawler, tier).list_urls(visit.source.url, bounds=bounds)
    if found is None:
        return
    visit.dropped[Dropped.ROBOTS] += found.left_out["robots"]
    for url in found.urls:
        visit.offer(url, 1)
