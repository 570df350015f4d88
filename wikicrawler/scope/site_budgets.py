"""How many pages a site may have, and how far from the seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.scope.page_budget import PageBudget
from wikicrawler.scope.traps import LeftOut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

_HELD = 1_000
"""Links that wait for a place of their site, in case that pages before them are skipped."""
_ADDRESSES = 10_000


class Limits(NamedTuple):
    """What bounds the pages of a host."""

    site: str
    """The politeness budget whose pages are counted."""
    pages: int | None
    depth: int | None


class SiteBudgets:
    """A :class:`PageBudget` for each site that has a limit.

    *state* is the spider's ``state``; *taken*, in a crawl with JOBDIR, the pages that each site has
    already.
    """

    def __init__(
        self, settings: BaseSettings, state: dict[str, object], taken: Mapping[str, int] | None
    ) -> None:
        self._config = Config.from_settings(settings)
        self._pages = options.SITE_MAX_PAGES.read(settings)
        self.is_limited = self._pages is not None or any(
            (domain.max_pages, domain.max_depth) != (None, None)
            for domain in self._config.domains.values()
        )
        self._limits: dict[tuple[str, str], Limits] = {}
        self._states: dict[str, dict[str, object]] = state.setdefault("site_budgets", {})  # type: ignore[assignment]
        if taken is not None:
            for site in (*self._states, *taken):
                self._states.setdefault(site, {})["budget_taken"] = [taken.get(site, 0)]

    def site_of(self, url: str) -> str:
        """The site whose pages *url* is counted with; empty where none is limited."""
        return self._limits_of(url).site if self.is_limited else ""

    def admit(self, url: str, depth: int) -> LeftOut | None:
        """Why *url* is not to be asked for now; where its site is full it is remembered."""
        if not self.is_limited:
            return None
        limits = self._limits_of(url)
        if limits.depth is not None and depth > limits.depth:
            return LeftOut.SITE_MAX_DEPTH
        budget = self._budget(limits.site, limits.pages)
        return None if budget.admit(url, depth) else LeftOut.SITE_MAX_PAGES

    def give_back(self, site: str) -> tuple[str, int] | None:
        """A page of *site* was skipped: the URL and depth that take its place, if one waits."""
        return self._budget(site, 1).give_back() if site in self._states else None

    def _budget(self, site: str, limit: int | None) -> PageBudget:
        # Counted also where there is no limit: another host of the site may have one.
        state = self._states.setdefault(site, {})
        return PageBudget(limit, state, held=_HELD)

    def _limits_of(self, url: str) -> Limits:
        parts = urlsplit(url)
        address = parts.scheme, parts.netloc
        limits = self._limits.get(address)
        if limits is None:
            domain = self._config.domain_for(url)
            pages = self._pages if domain.max_pages is None else domain.max_pages
            limits = Limits(self._config.budget_of(url), pages, domain.max_depth)
            if len(self._limits) >= _ADDRESSES:
                self._limits.clear()
            self._limits[address] = limits
        return limits
