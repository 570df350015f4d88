"""From one tier of a page's plan to the next."""

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

    from wikicrawler.tiers.failed_pages import PageEnd
    from wikicrawler.tiers.registry import TierRegistry
    from wikicrawler.tiers.state import State
    from wikicrawler.tiers.tier import Tier

logger = logging.getLogger(__name__)


class TierSteps:
    """Makes the requests of the tiers of one crawl."""

    def __init__(
        self,
        crawler: Crawler,
        registry: TierRegistry,
        tiers: Mapping[str, Tier],
        end: PageEnd,
    ) -> None:
        self.tiers = tiers
        """Those that can be tried, by name."""
        self._registry = registry
        self._crawler = crawler
        self._end = end
        self._told_missing: set[str] = set()

    def next(self, request: Request, state: State) -> Request | None:
        """The request of the next tier of the plan that can be tried; None is *request* itself.
        Where none is left, that of the page to be asked for again later.

        Raises:
            TiersExhausted: the page ends here.
        """
        page = st.fresh_copy(request, state["url"])
        while state["plan"]:
            state["tier"] = name = state["plan"].pop(0)
            made = self._request_of(name, page)
            if isinstance(made, Failure):
                if made.reason is not Reason.NO_TITLE:  # else the tier has no part in such a page
                    st.note(state, made, None)
                    stat = f"tier/fallback/{name}/{made.reason}"  # why was logged once
                    self._crawler.stats.inc_value(stat)
                continue
            if made is page and request.url == page.url:  # as the spider, or a redirect, made it
                st.clean(request)
                request.meta[st.STATE] = state
                state["sent"] = request.url
                prepare(request, state, self.tiers[name], waits=self._end.waits)
                return None
            made.dont_filter = True
            made.priority = request.priority + 1
            made.meta[st.STATE] = state
            state["sent"] = made.url
            prepare(made, state, self.tiers[name], waits=self._end.waits)
            return made
        again = self._end.put_off(request, state)
        if again is None:
            raise self._end.exhausted(state)
        return again

    def after(self, request: Request, state: State) -> Request:
        """:meth:`next`, after *request*, which was a tier's.

        Raises:
            TiersExhausted: the page ends here.
        """
        page = st.fresh_copy(request, state["url"])
        made = self.next(page, state)
        if made is None:  # the tier takes the page's own URL
            made = page
            made.dont_filter = True
            made.priority = request.priority + 1
        return made

    def left(self, state: State) -> list[str]:
        """The tiers of the plan that can be tried yet."""
        return [name for name in state["plan"] if name in self.tiers]

    def _request_of(self, name: str, page: Request) -> Request | Failure:
        tier = self.tiers.get(name)
        if tier is not None:
            return tier.request(page)
        if name not in self._told_missing:
            self._told_missing.add(name)
            logger.warning(
                "Tier %s cannot be used: %s. Pages that need it are skipped",
                name,
                self._registry.missing(name) if name in self._registry.classes else "no such tier",
            )
        return Failure(Reason.NO_TIER, f"no {name} tier configured")
