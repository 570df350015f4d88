"""Families of URLs, whose pages the workers of a crawl count together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.politeness.fleet.exchanges import Exchanges
from wikicrawler.scope.families import FamilyCounts, FamilyNote
from wikicrawler.scope.fleet.families_store import FamiliesStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    from wikicrawler.scope.link_guard import LinkGuard

_WAITING = 1_000
"""Pages of which the others have not learned; further ones do not count."""


class SharedFamilies(Exchanges[FamilyNote, FamilyCounts]):
    """Gives the pages that *guard* judges to all workers, twice a second, and the counts to it."""

    def __init__(self, crawler: Crawler, guard: LinkGuard, store: FamiliesStore) -> None:
        super().__init__(crawler, store, "families of URLs")
        self._guard = guard
        guard.share_families(self._page)

    @classmethod
    def begin(cls, crawler: Crawler, guard: LinkGuard) -> None:
        """Share the families of *guard* from the opening of the spider of *crawler* on."""
        url = options.FRONTIER.read(crawler.settings)
        job = f"{crawler.spidercls.name}:{options.FRONTIER_JOB.read(crawler.settings)}"
        cls(crawler, guard, FamiliesStore(url, job))

    def take(self, changed: Sequence[FamilyCounts], newer: Sequence[FamilyNote]) -> None:
        self._guard.counted(changed)

    def _page(self, note: FamilyNote) -> None:
        if len(self._notes) < _WAITING:
            self.note(note, at_once=False)
