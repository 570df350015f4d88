"""Limits on the number of pages, where several workers share the crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.frontier.page_limits import LIMITS, MOST_OF_CRAWL, PageLimits
from wikicrawler.scope.limits import SiteBudgets
from wikicrawler.scope.traps import LeftOut

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from wikicrawler.frontier.page_limits import SharedPages
    from wikicrawler.scope.limits import Waiting


class SharedBudget:
    """Stands for a :class:`~wikicrawler.scope.limits.PageBudget`: the frontier counts the pages,
    and keeps the links that wait. So no place has to be given back."""

    def __init__(self, limit: int | None, pages: SharedPages) -> None:
        self.limit = limit
        self._pages = pages

    def admit(self, waiting: Waiting | None) -> bool:
        """Return False if the frontier would drop the link."""
        return self.limit is None or self._pages.waiting < MOST_OF_CRAWL

    @property
    def is_spent(self) -> bool:
        return self.limit is not None and self._pages.waiting >= min(self.limit, MOST_OF_CRAWL)

    @property
    def taken(self) -> int:
        return self._pages.taken

    def give_back(self) -> None:
        return None


class SharedSiteBudgets(SiteBudgets):
    """The limits of sites, likewise."""

    def __init__(self, settings: BaseSettings, pages: SharedPages) -> None:
        super().__init__(settings, {}, None)
        self._shared = pages

    def admit(self, url: str, depth: int, waiting: Waiting | None) -> LeftOut | None:
        if not self.is_limited:
            return None
        limits = self._limits_of(url)
        if limits.depth is not None and depth > limits.depth:
            return LeftOut.SITE_MAX_DEPTH
        has_room = limits.pages is None or self._shared.has_room(limits.site)
        return None if has_room else LeftOut.SITE_MAX_PAGES

    def limits_of(self, url: str, *, waits: bool) -> dict[str, Any]:
        """Return the meta key by which the frontier knows the limits of the page at *url*."""
        pages = self._limits_of(url).pages if self.is_limited else None
        return {LIMITS: PageLimits(pages, waits)}

    def give_back(self, site: str) -> None:
        return None
