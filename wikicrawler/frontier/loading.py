"""Which frontier a crawl has. No other module names an implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.frontier.guarded import GuardedFrontier
from wikicrawler.frontier.state_folder import StateFolder

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.frontier.protocol import Frontier


def load_frontier(crawler: Crawler) -> Frontier | None:
    """Return the frontier of *crawler*, not open yet: that of its state folder. None: it has none,
    because there is no ``JOBDIR``.

    :raises StateError: the state folder cannot be used
    """
    if not crawler.settings.get("JOBDIR"):
        return None
    return GuardedFrontier(StateFolder.of(crawler).frontier, crawler)
