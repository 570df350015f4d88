"""Which links a crawl follows: admission, duplicates, budgets and traps, for any spider."""

from wikicrawler.scope.bounds import CrawlBounds
from wikicrawler.scope.crawl_scope import CrawlScope

__all__ = ["CrawlBounds", "CrawlScope"]
