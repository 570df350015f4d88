"""Which pages a crawl asks for: each once, none in a trap, and no more than its budgets allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.scope.link_guard import link_guard_of
from wikicrawler.scope.memory import CrawlMemory
from wikicrawler.scope.page_budget import PageBudget
from wikicrawler.scope.site_budgets import SiteBudgets
from wikicrawler.scope.traps import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler

    from wikicrawler.items import CrawlResult, Sketch

SITE = "page_site"
"""Meta key: the site that a page is counted with, where sites are limited."""


class Admission:
    """Decides for a spider with the *state*, from when its requests are sent; at most *max_pages*
    pages are written. What it remembers of the crawl is :attr:`memory`."""

    def __init__(self, crawler: Crawler, state: dict[str, Any], max_pages: int | None) -> None:
        self.memory = CrawlMemory(state, frontier_of(crawler))
        self.budget = PageBudget(max_pages, state)
        self._sites = SiteBudgets(crawler.settings, state, self.memory.by_site)
        self._guard = link_guard_of(crawler)
        self._guard.begin(self.memory.families, self.memory.note_family)

    def admit(self, url: str, depth: int, *, guarded: bool) -> bool:
        """Whether *url* is to be asked for now: not yet asked for, in no crawler trap (*guarded*:
        it is no page of a wiki, and no seed), and within the budgets of its site and the crawl."""
        key = self._guard.key(url)
        if not self.memory.ask(key):
            if key is not url:
                self._guard.leave_out(url, LeftOut.SESSION_ID)
            return False
        rule = self._guard.rule_against(key) if guarded else None
        if rule is None:
            rule = self._sites.admit(url, depth)
        if rule is None:
            return self.budget.admit(url, depth)
        self._guard.leave_out(url, rule)
        return False

    def meta(self, url: str) -> dict[str, str]:
        """What the request for the page at *url* carries, for :meth:`instead`."""
        site = self._sites.site_of(url)
        return {SITE: site} if site else {}

    def instead(self, meta: dict[str, Any]) -> Iterator[tuple[str, int]]:
        """URLs and depths of what takes the place of a page that was skipped; *meta* is its
        request's."""
        waiting = self.budget.give_back()
        if waiting is not None:
            yield waiting
        waiting = self._sites.give_back(meta.get(SITE, ""))
        if waiting is not None:
            self._guard.take_in(LeftOut.SITE_MAX_PAGES)
            if self.budget.admit(*waiting):
                yield waiting

    def write(self, record: CrawlResult, request: Request) -> bool:
        """Remember that *record*, which *request* brought, is written; False where its page was."""
        url = record.url
        return self.memory.write(self._guard.key(url), self._guard.site_of(url), request)

    def judge(self, record: CrawlResult, sketch: Sketch, depth: int, *, leads_on: bool) -> None:
        """Take note of what a page that is of no wiki said; *leads_on*: a page was found by it that
        is of no family of URLs."""
        asked = record.redirected_from or record.url
        self._guard.judge(asked, sketch, depth, leads_on=leads_on)
