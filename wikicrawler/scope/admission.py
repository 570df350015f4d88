"""Decide which pages a crawl requests: each once, none in a trap, within the budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.frontier.scheduler import frontier_of
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

    *state* is a dict that Scrapy keeps with the crawl; at most *max_pages* pages are written.
    """

    def __init__(
        self, crawler: Crawler, guard: LinkGuard, state: dict[str, Any], max_pages: int | None
    ) -> None:
        self.memory = CrawlMemory(state, frontier_of(crawler))
        self.budget = PageBudget(max_pages, state)
        self._sites = SiteBudgets(crawler.settings, state, self.memory.by_site)
        self._guard = guard
        guard.begin(self.memory.families, self.memory.note_family)

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

    def meta(self, url: str) -> dict[str, str]:
        """Return what the request for *url* carries for :meth:`instead`."""
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
