"""Transition from one tier of a page's plan to the next."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers import state as st
from wikicrawler.tiers.adapting import prepare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Request

    from wikicrawler.tiers.failed_pages import FailedPages
    from wikicrawler.tiers.registry import TierRegistry
    from wikicrawler.tiers.state import State
    from wikicrawler.tiers.tier import Tier

logger = logging.getLogger(__name__)


class TierSteps:
    """Creates the tiers' requests in one crawl."""

    def __init__(
        self,
        crawler: Crawler,
        registry: TierRegistry,
        tiers: Mapping[str, Tier],
        failed_pages: FailedPages,
    ) -> None:
        self.tiers = tiers
        """The usable tiers, by name."""
        self._registry = registry
        self._crawler = crawler
        self._failed_pages = failed_pages
        self._reported_missing: set[str] = set()

    def next_request(self, request: Request, state: State) -> Request | None:
        """Return the request of the next usable tier of the plan; None means *request* itself.

        If no tier is left, return a delayed request for the page.

        :raises TiersExhausted: no tier is left, and the page is not retried
        """
        page = st.fresh_copy(request, state["url"])
        while state["plan"]:
            state["tier"] = name = state["plan"].pop(0)
            made = self._request_of(name, page)
            if isinstance(made, Failure):
                if made.reason is not Reason.NO_TITLE:  # NO_TITLE: the tier is not for such pages
                    st.record_attempt(state, made, None)
                    stat = f"tier/fallback/{name}/{made.reason}"
                    self._crawler.stats.inc_value(stat)
                continue
            if made is page and request.url == page.url:  # the request of the spider or a redirect
                st.remove_tier_meta(request)
                request.meta[st.STATE] = state
                state["sent"] = request.url
                prepare(request, state, self.tiers[name], can_wait=self._failed_pages.can_wait)
                return None
            made.dont_filter = True
            made.priority = request.priority + 1
            made.meta[st.STATE] = state
            state["sent"] = made.url
            prepare(made, state, self.tiers[name], can_wait=self._failed_pages.can_wait)
            return made
        again = self._failed_pages.retry_later(request, state)
        if again is None:
            raise self._failed_pages.report_skipped(state)
        return again

    def request_after(self, request: Request, state: State) -> Request:
        """Return the request that follows *request*, a tier's, as :meth:`next_request` does.

        :raises TiersExhausted: no tier is left, and the page is not retried
        """
        page = st.fresh_copy(request, state["url"])
        made = self.next_request(page, state)
        if made is None:  # the tier requests the page's own URL
            made = page
            made.dont_filter = True
            made.priority = request.priority + 1
        return made

    def remaining(self, state: State) -> list[str]:
        """Return the usable tiers that remain in the plan."""
        return [name for name in state["plan"] if name in self.tiers]

    def _request_of(self, name: str, page: Request) -> Request | Failure:
        tier = self.tiers.get(name)
        if tier is not None:
            return tier.request(page)
        if name not in self._reported_missing:
            self._reported_missing.add(name)
            logger.warning(
                "Tier %s cannot be used: %s. Pages that need it are skipped",
                name,
                self._registry.missing(name) if name in self._registry.classes else "no such tier",
            )
        return Failure(Reason.NO_TIER, f"no {name} tier configured")
