"""How the sources of a site share its pace.

Requests to a site are sent one after the other, at its pace. If a source of a higher priority came
first with all its pages, one of a lower priority on the same site would wait until all others are
done. So each request has a number, its tag, and the lowest one of a site is sent first: tags of a
source grow by its stride, so that sources that have pages waiting are served in proportion to their
shares (start-time fair queueing). A source that begins later starts at the tag that is served then.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.model import Source

STRIDES = {"high": 2, "medium": 5, "low": 10}
"""What a request adds to the tag of its source, by its priority: shares of 5, 2 and 1."""
_ROUND = max(STRIDES.values())
"""Tags of a round have the same priority: Scrapy keeps a queue for each priority."""


class SiteShares:
    """The tags of the requests of one crawl."""

    def __init__(self) -> None:
        self._served: Counter[str] = Counter()
        self._next: Counter[str] = Counter()

    def priority(self, source: Source) -> int:
        """Return the priority of the next request of *source*: the lower its tag, the higher."""
        tag = max(self._next[source.id], self._served[site_of(source.url)])
        self._next[source.id] = tag + STRIDES[source.priority]
        return -(tag // _ROUND)

    def served(self, source: Source, priority: int) -> None:
        """Note that a request of *source* was sent that had this *priority*."""
        site = site_of(source.url)
        self._served[site] = max(self._served[site], -priority * _ROUND)

    def ahead(self, source: Source) -> int:
        """Return a priority of *source* before that of requests that have not been sent."""
        return 1 - self._served[site_of(source.url)] // _ROUND
