"""Decide which pages a crawl requests: each once, none in a trap, within the budgets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.scope.fleet.shared_limits import SharedBudget, SharedSiteBudgets
from wikicrawler.scope.limits import PageBudget, SiteBudgets
from wikicrawler.scope.memory import CrawlMemory
from wikicrawler.scope.same_text import canonical_text
from wikicrawler.scope.traps import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.scope.limits import Waiting
    from wikicrawler.scope.link_guard import LinkGuard

SITE = "page_site"
"""Meta key: the site that a page is counted with, where sites are limited."""


class Admission:
    """The decisions on the links of one crawl, from ``spider_opened`` on.

    *state* is a dict that Scrapy keeps with the crawl; at most *max_pages* pages are written. Where
    workers share the crawl, the frontier counts them for all.
    """

    def __init__(
        self, crawler: Crawler, guard: LinkGuard, state: dict[str, Any], max_pages: int | None
    ) -> None:
        frontier = frontier_of(crawler)
        self.memory = CrawlMemory(state, frontier)
        self._guard = guard
        self._pages = frontier.pages if frontier is not None else None
        self.budget: PageBudget | SharedBudget
        self._sites: SiteBudgets
        if self._pages is None:
            self.budget = PageBudget(max_pages, state)
            self._sites = SiteBudgets(crawler.settings, state, self.memory.by_site)
        else:
            self._pages.limit(max_pages, partial(guard.leave_out, rule=LeftOut.SITE_MAX_PAGES))
            self.budget = SharedBudget(max_pages, self._pages)
            self._sites = SharedSiteBudgets(crawler.settings, self._pages)
        guard.begin(self.memory.families, self.memory.note_family, self.memory.new_families)

    def admit(self, url: str, depth: int, *, guarded: bool, waiting: Waiting | None) -> bool:
        """Return True if *url* may be requested now.

        It was not requested before, no trap rule refuses it (if *guarded*), and the budgets of its
        site and of the crawl have a place, which it takes. Otherwise *waiting* is held for a place.
        """
        key = self._guard.key(url)
        if not self.memory.ask(key):
            if key is not url:
                self._guard.leave_out(url, LeftOut.SESSION_ID)
            return False
        rule = self._guard.rule_against(key) if guarded else None
        if rule is None:
            rule = self._sites.admit(url, depth, waiting)
        if rule is None:
            return self.budget.admit(waiting)
        self._guard.leave_out(url, rule)
        return False

    @property
    def written(self) -> int:
        """How many pages of the crawl have their record."""
        return self.memory.written if self._pages is None else self._pages.written

    def meta(self, url: str, *, waits: bool) -> dict[str, Any]:
        """Return what the request for *url* carries for :meth:`instead`, or for the frontier;
        *waits*: it may wait for a place."""
        if isinstance(self._sites, SharedSiteBudgets):
            is_limited = self.budget.limit is not None or self._sites.is_limited
            return self._sites.limits_of(url, waits=waits) if is_limited else {}
        site = self._sites.site_of(url)
        return {SITE: site} if site else {}

    def instead(self, meta: dict[str, Any]) -> Iterator[Waiting]:
        """Yield the links that take the places of a skipped page; *meta* is its request's."""
        waiting = self.budget.give_back()
        if waiting is not None:
            yield waiting
        waiting = self._sites.give_back(meta.get(SITE, ""))
        if waiting is not None:
            self._guard.take_in(LeftOut.SITE_MAX_PAGES)
            if self.budget.admit(waiting):
                yield waiting

    def write(self, url: str, response: Response) -> str | None:
        """Remember that the page *response* at *url* is written; return why it is not: it was
        before, at this URL or with its text at another."""
        request = response.request
        assert request is not None  # noqa: S101 - it came by Scrapy's engine
        text = canonical_text(response)
        if text is not None and self.memory.has_text(*text):
            return f"another address of {text[0]} with this text has its record"
        if not self.memory.write(self._guard.key(url), self._guard.site_of(url), request):
            return f"it is {url}, which has its record"
        if text is not None:
            self.memory.write_text(*text, request)
        return None
