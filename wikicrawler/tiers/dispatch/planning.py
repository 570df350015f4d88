"""The plan of a page: which tiers are tried for a request, in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wikicrawler.errors import Reason
from wikicrawler.tiers import state as st
from wikicrawler.tiers.landing import check_offsite
from wikicrawler.tiers.policy import plan_of
from wikicrawler.tiers.state import STATE, State
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from scrapy.http import Request

    from wikicrawler.tiers.dispatch.parts import TierParts
    from wikicrawler.tiers.policy import Plan


class PagePlanner:
    """Plans the pages of one crawl, on the way of their requests to the downloader."""

    def __init__(self, parts: TierParts) -> None:
        self._parts = parts
        # Scrapy's own count restarts with each tier.
        self._max_redirects = parts.crawler.settings.getint("REDIRECT_MAX_TIMES")

    async def plan(self, request: Request) -> Request | None:
        """Plan the page of *request*, or let a tier's own request pass."""
        await self._parts.reader.wait_for_room()
        state = cast("State | None", request.meta.get(STATE))
        is_tier_request = state is not None and request.url == state["sent"]
        await self._parts.failed_pages.ready()
        if self._parts.choosing is not None and not is_tier_request:
            await self._parts.choosing.ready(request.url)
        unplanned = self._parts.unplanned
        if not unplanned.holds_none and (later := await unplanned.hold_back(request)) is not None:
            return later
        if state is not None and is_tier_request:
            return await self._resume_tier_request(request, state)
        if state is not None and not state["dont_filter"]:
            check_offsite(self._parts.crawler, request)
        wiki = self._parts.wikis.wiki_of(request.url)
        has_api = wiki is not None and not wiki.passive
        plan = plan_of(
            request, self._parts.policy, self._parts.registry, self._parts.tiers, has_api=has_api
        )
        for name in plan.tiers:
            if name in self._parts.tiers:
                await self._parts.tiers[name].ready(request.url)
        if state is None:
            state = st.new_state(request, plan)
        elif st.is_put_off(state):
            st.replan(state, plan, [*plan.tiers])
        else:
            self._replan_redirect(request, state, plan)
        return self._parts.steps.next_request(request, state)

    def _replan_redirect(self, request: Request, state: State, plan: Plan) -> None:
        """Plan the target of a redirect, without the tiers that already failed on its site."""
        # The redirected tier may have failed as a probe, with a short time limit: try it again.
        failed = {a["tier"] for a in state["attempts"]} - {state["tier"]}
        same_site = site_of(state["url"]) == site_of(request.url)
        tiers = [name for name in plan.tiers if not (same_site and name in failed)]
        st.replan(state, plan, tiers)
        state["url"] = request.url
        state["redirects"] += 1  # Scrapy's own count restarts with each tier
        if state["redirects"] > self._max_redirects:
            detail = f"more than {self._max_redirects} in a row, from {state['asked']}"
            raise self._parts.failed_pages.report_skipped(state, (Reason.REDIRECT, detail))

    async def _resume_tier_request(self, request: Request, state: State) -> Request | None:
        """Let a tier's own request, or its retry, pass if the tier is ready."""
        tier = self._parts.tiers.get(state["tier"])
        if tier is None:  # the crawl was resumed without the tier's server
            state["plan"].insert(0, state["tier"])
            return self._parts.steps.request_after(request, state)
        if await tier.ready(state["url"]):
            if self._parts.failed_pages.outages.remaining(state["tier"]):
                return self._parts.steps.hold(request, state)
            return None
        again = st.fresh_copy(request, state["url"])
        again.meta.pop(STATE)
        again.dont_filter = True
        return again
