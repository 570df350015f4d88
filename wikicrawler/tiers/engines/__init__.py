"""Scrape engines: one small interface over the tiers, for jobs that ask for pages themselves.

A spider that yields requests needs none of it: it names tiers in ``meta["tiers"]``, or nothing.
"""

from wikicrawler.tiers.engines.engine import ScrapeEngine
from wikicrawler.tiers.engines.site_map import SiteMap

__all__ = ["ScrapeEngine", "SiteMap"]
