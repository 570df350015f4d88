"""Limits on the number of pages: of a crawl (``max_pages``) and of each site."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.frontier.page_limits import MOST_OF_CRAWL, MOST_OF_SITE
from wikicrawler.scope.traps import LeftOut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

_ADDRESSES = 10_000

Waiting = tuple[Any, ...]
"""A link that waits: URL, depth, and what PageRequests makes its request from."""


class PageBudget:
    """Limits the number of pages requested to the number that may be written.

    A page that is skipped frees its place for a link that waits, so that nothing is fetched in
    vain. Without a *limit* every page is admitted, and counted.

    *state* is a dict that Scrapy keeps with the crawl; at most *held* links wait in it. In a crawl
    with ``JOBDIR`` the places taken are counted anew from its pages; the links that wait survive a
    stop, not a kill.
    """

    def __init__(self, limit: int | None, state: dict[str, Any], held: int = MOST_OF_CRAWL) -> None:
        self._limit = limit
        self._most_held = held
        self._taken: list[int] = state.setdefault("budget_taken", [0])
        self._held: deque[Waiting] = state.setdefault("budget_held", deque())

    def admit(self, waiting: Waiting | None) -> bool:
        """Return True and take a place if there is one; otherwise hold the link *waiting*."""
        if self._limit is None or self._taken[0] < self._limit:
            self._taken[0] += 1
            return True
        if waiting is not None and len(self._held) < self._most_held:
            self._held.append(waiting)
        return False

    @property
    def is_spent(self) -> bool:
        """True if more links are of no use: as many wait as pages may be written."""
        return self._limit is not None and len(self._held) >= min(self._limit, self._most_held)

    @property
    def limit(self) -> int | None:
        """Maximum number of pages."""
        return self._limit

    @property
    def taken(self) -> int:
        """Number of places that pages have taken."""
        return self._taken[0]

    def give_back(self) -> Waiting | None:
        """Return the link that takes a skipped page's place; None if none waits."""
        if self._held:
            return self._held.popleft()
        self._taken[0] -= 1
        return None


class SiteLimits(NamedTuple):
    """The limits on the pages of a host."""

    site: str
    """The politeness budget whose pages are counted."""
    pages: int | None
    depth: int | None


class SiteBudgets:
    """A :class:`PageBudget` for each site that has a limit.

    *state* is a dict that Scrapy keeps with the crawl; *taken* has the number of pages of each site
    so far, in a crawl with ``JOBDIR``.
    """

    def __init__(
        self, settings: BaseSettings, state: dict[str, Any], taken: Mapping[str, int] | None
    ) -> None:
        self._config = Config.from_settings(settings)
        self._pages = options.SITE_MAX_PAGES.read(settings)
        self.is_limited = self._pages is not None or any(
            (domain.max_pages, domain.max_depth) != (None, None)
            for domain in self._config.domains.values()
        )
        self._limits: dict[tuple[str, str], SiteLimits] = {}
        self._states: dict[str, dict[str, Any]] = state.setdefault("site_budgets", {})
        if taken is not None:
            for site in (*self._states, *taken):
                self._states.setdefault(site, {})["budget_taken"] = [taken.get(site, 0)]

    def site_of(self, url: str) -> str:
        """Return the site whose pages *url* is counted with; empty where none is limited."""
        return self._limits_of(url).site if self.is_limited else ""

    def admit(self, url: str, depth: int, waiting: Waiting | None) -> LeftOut | None:
        """Return why *url* may not be requested now, None if it may; *waiting* is held where the
        site has no place left."""
        if not self.is_limited:
            return None
        limits = self._limits_of(url)
        if limits.depth is not None and depth > limits.depth:
            return LeftOut.SITE_MAX_DEPTH
        budget = self._budget(limits.site, limits.pages)
        return None if budget.admit(waiting) else LeftOut.SITE_MAX_PAGES

    def give_back(self, site: str) -> Waiting | None:
        """Return the link that takes the place of a skipped page of *site*; None if none waits."""
        return self._budget(site, 1).give_back() if site in self._states else None

    def _budget(self, site: str, limit: int | None) -> PageBudget:
        # Counted also where there is no limit: another host of the site may have one.
        state = self._states.setdefault(site, {})
        return PageBudget(limit, state, held=MOST_OF_SITE)

    def _limits_of(self, url: str) -> SiteLimits:
        parts = urlsplit(url)
        address = parts.scheme, parts.netloc
        limits = self._limits.get(address)
        if limits is None:
            domain = self._config.domain_for(url)
            pages = self._pages if domain.max_pages is None else domain.max_pages
            limits = SiteLimits(self._config.budget_of(url), pages, domain.max_depth)
            if len(self._limits) >= _ADDRESSES:
                self._limits.clear()
            self._limits[address] = limits
        return limits
