"""How many requests of a crawl wait for a moment of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.frontier.not_before import DelayedRequests
from wikicrawler.frontier.protocol import Delayed
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.process.internals.scheduler_queues import queues_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def delayed_in(crawler: Crawler) -> Delayed:
    """Return what is delayed in the scheduler of *crawler*, with a frontier or without."""
    if crawler.engine is None:
        return Delayed(0, 0.0)
    frontier = frontier_of(crawler)
    found = [frontier.delayed()] if frontier is not None else []
    for queue in queues_of(crawler.engine.scheduler):
        delayed = getattr(queue, "delayed", None)
        if isinstance(delayed, DelayedRequests):
            found.append(Delayed(len(delayed), delayed.wait))
    found = [delayed for delayed in found if delayed.requests]
    return Delayed(
        sum(delayed.requests for delayed in found),
        min((delayed.seconds for delayed in found), default=0.0),
    )
