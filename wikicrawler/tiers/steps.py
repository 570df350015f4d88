"""From one tier of a page's plan to the next."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers import state as st
from wikicrawler.tiers.adapting import prepare
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.tier import BrowserTier
from wikicrawler.tiers.http.tier import HttpTier
from wikicrawler.tiers.mediawiki.tier import MediaWikiTier

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Request

    from wikicrawler.tiers.failed_pages import PageEnd
    from wikicrawler.tiers.mediawiki.known import KnownWiki
    from wikicrawler.tiers.state import State
    from wikicrawler.tiers.tier import Tier

logger = logging.getLogger(__name__)


class TierSteps:
    """Makes the requests of the tiers of one crawl."""

    def __init__(self, crawler: Crawler, end: PageEnd) -> None:
        tiers: list[Tier] = [MediaWikiTier(), HttpTier()]
        if Crawl4AIConfig.from_settings(crawler.settings) is not None:
            tiers.append(BrowserTier())
        self.tiers: Mapping[str, Tier] = {tier.name: tier for tier in tiers}
        """Those that can be tried, by name."""
        self._crawler = crawler
        self._end = end
        self._told_missing: set[str] = set()

    def next(self, request: Request, state: State, wiki: KnownWiki | None) -> Request | None:
        """The request of the next tier of the plan that can be tried; None is *request* itself.
        Where none is left, that of the page to be asked for again later.

        Raises:
            TiersExhausted: the page ends here.
        """
        page = st.fresh_copy(request, state["url"])
        while state["plan"]:
            state["tier"] = name = state["plan"].pop(0)
            made = self._request_of(name, page, wiki)
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
                prepare(request, state, waits=self._end.waits)
                return None
            made.dont_filter = True
            made.priority = request.priority + 1
            made.meta[st.STATE] = state
            state["sent"] = made.url
            if name == "mediawiki" and wiki is not None:
                # where its siteinfo was is where it is: a redirect now is a failure of the API
                st.set_for_one(made, **wiki.api_meta, dont_redirect=True)
            prepare(made, state, waits=self._end.waits)
            return made
        again = self._end.put_off(request, state)
        if again is None:
            raise self._end.exhausted(state)
        return again

    def after(self, request: Request, state: State, wiki: KnownWiki | None) -> Request:
        """:meth:`next`, after *request*, which was a tier's.

        Raises:
            TiersExhausted: the page ends here.
        """
        page = st.fresh_copy(request, state["url"])
        made = self.next(page, state, wiki)
        if made is None:  # the tier takes the page's own URL
            made = page
            made.dont_filter = True
            made.priority = request.priority + 1
        return made

    def left(self, state: State) -> list[str]:
        """The tiers of the plan that can be tried yet."""
        return [name for name in state["plan"] if name in self.tiers]

    def _request_of(self, name: str, page: Request, wiki: KnownWiki | None) -> Request | Failure:
        tier = self.tiers.get(name)
        if tier is None:
            if name not in self._told_missing:
                self._told_missing.add(name)
                logger.warning(
                    "No %s tier is configured: pages that need it are skipped%s",
                    name,
                    " (CRAWL4AI_URL names a crawl4ai server)" if name == "browser" else "",
                )
            return Failure(Reason.NO_TIER, f"no {name} tier configured")
        if name == "mediawiki" and wiki is not None and wiki.off is not None:
            made = tier.request(page, wiki.site)  # a URL that is no page of it is not its failure
            return made if isinstance(made, Failure) else wiki.off
        return tier.request(page, wiki.site if wiki else None)
