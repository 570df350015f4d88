"""Transition from one tier of a page's plan to the next."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers import state as st
from wikicrawler.tiers.adapting import prepare
from wikicrawler.tiers.tier import page_itself

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Request

    from wikicrawler.config import Config
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
        config: Config,
    ) -> None:
        self.tiers = tiers
        """The usable tiers, by name."""
        self._registry = registry
        self._crawler = crawler
        self._failed_pages = failed_pages
        self._config = config
        self._stealth = options.STEALTH.read(crawler.settings)
        self._hands_over = not options.TIERS_STRICT.read(crawler.settings)
        self._reported_missing: set[str] = set()

    def next_request(self, request: Request, state: State) -> Request | None:
        """Return the request of the next usable tier of the plan; None means *request* itself.

        If no tier is left, return a delayed request for the page: for a tier whose service is
        down, or for the whole plan.

        :raises TiersExhausted: no tier is left, and the page is not retried
        :raises UnimprovedError: the same, and the spider gets the original answer
        """
        page = None
        while state["plan"]:
            state["tier"] = name = state["plan"].pop(0)
            if self._sends_page(name) and request.url == state["url"]:
                self._send_itself(request, state)
                return None
            page = page or st.fresh_copy(request, state["url"])
            made = self._request_of(name, page)
            if isinstance(made, Failure):
                if made.reason is not Reason.NO_TITLE:  # NO_TITLE: the tier is not for such pages
                    st.record_attempt(state, made, None)
                    stat = f"tier/not_tried/{name}/{made.reason}"
                    self._crawler.stats.inc_value(stat)
                continue
            if made is page and request.url == page.url:  # the request of the spider or a redirect
                self._send_itself(request, state)
                return None
            made.dont_filter = True
            made.priority = request.priority + 1
            made.meta[st.STATE] = state
            state["sent"] = made.url
            self._prepare(made, state)
            return made
        wait = self._failed_pages.outages.begin_wait(state)
        if wait is not None:
            made = self.next_request(request, state) or request
            return self._failed_pages.wait_for_service(made, state, wait)
        again = self._failed_pages.retry_later(request, state)
        if again is None:
            raise self._failed_pages.give_up(state)
        return again

    def _sends_page(self, name: str) -> bool:
        """Return True if the tier *name* sends the page's request, which need not be copied."""
        tier = self.tiers.get(name)
        if tier is None or tier.sends_elsewhere:
            return False
        return type(tier).request is page_itself

    def _send_itself(self, request: Request, state: State) -> None:
        """Prepare *request*, which is that of the spider or of a redirect, to be sent as it is."""
        st.remove_tier_meta(request)
        request.meta[st.STATE] = state
        state["sent"] = request.url
        self._prepare(request, state)

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

    def hold(self, request: Request, state: State) -> Request:
        """Return the request to send instead of *request*, whose tier's service is down: that of
        another tier of the plan, else a delayed one.

        :raises TiersExhausted: no tier is left, and the page has waited long enough
        """
        outages = self._failed_pages.outages
        outages.hold(state)
        if not self.remaining(state) and not outages.can_wait(state):
            st.record_outage(state, outages.last_failure(state["tier"]), None)
        return self.request_after(request, state)

    def remaining(self, state: State) -> list[str]:
        """Return the usable tiers that remain in the plan."""
        return [name for name in state["plan"] if name in self.tiers]

    def _prepare(self, request: Request, state: State) -> None:
        prepare(
            request,
            state,
            self.tiers[state["tier"]],
            can_wait=self._failed_pages.can_wait,
            stealth=self._config.domain_for(state["url"]).stealth or self._stealth,
        )

    def _request_of(self, name: str, page: Request) -> Request | Failure:
        tier = self.tiers.get(name)
        if tier is not None and tier.sends_elsewhere and (why := self._config.only_ours(page.url)):
            return Failure(Reason.NO_TIER, why)
        if tier is not None:
            return tier.request(page)
        if name not in self._reported_missing:
            self._reported_missing.add(name)
            logger.warning(
                "Tier %s cannot be used: %s. Pages that need it are %s",
                name,
                self._registry.missing(name) if name in self._registry.classes else "no such tier",
                "left as they are" if self._hands_over else "skipped",
            )
        return Failure(Reason.NO_TIER, f"no {name} tier configured")
