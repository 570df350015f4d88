"""Which frontier a crawl has. No other module names an implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.frontier.guarded import GuardedFrontier
from wikicrawler.frontier.state_folder import StateFolder, is_shared

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.frontier.protocol import Frontier


def load_frontier(crawler: Crawler) -> Frontier | None:
    """Return the frontier of *crawler*, not open yet: that which it shares with other workers, or
    that of its state folder. None: it has none, because there is neither ``WIKICRAWLER_FRONTIER``
    nor ``JOBDIR``.

    :raises ConfigError: the settings of a shared frontier are wrong
    :raises StateError: the state folder cannot be used
    """
    if is_shared(crawler):
        # Imported here because other crawls do without.
        from wikicrawler.frontier.redis.loading import redis_frontier  # noqa: PLC0415

        return GuardedFrontier(redis_frontier(crawler), crawler)
    if not crawler.settings.get("JOBDIR"):
        return None
    return GuardedFrontier(StateFolder.of(crawler).frontier, crawler)
