"""What follows a tier's failure: the next tier, the same one later, or the end of the page."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.retry import get_retry_request

from wikicrawler.errors import Reason
from wikicrawler.frontier.not_before import NOT_BEFORE
from wikicrawler.pages import Action, Failure
from wikicrawler.politeness.retry import SiteRetryMiddleware
from wikicrawler.scope.page_requests import is_seed
from wikicrawler.signals import site_busy
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.adapting import reorder
from wikicrawler.tiers.failures import WITHOUT_TEXT, OnlyMembers
from wikicrawler.tiers.mediawiki.category_members import lists_members
from wikicrawler.tiers.mediawiki.directory import MAX_BUSY_RETRIES
from wikicrawler.tiers.outages import Outages
from wikicrawler.tiers.responses import failed_response, spider_handles, spider_request

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from wikicrawler.tiers.dispatch.parts import TierParts
    from wikicrawler.tiers.state import State
    from wikicrawler.tiers.tier import Tier

logger = logging.getLogger("wikicrawler.tiers.middleware")  # by which logs are filtered

_BLOCKS = {Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}


class Escalation:
    """Handles the failures of one crawl's tiers."""

    def __init__(self, parts: TierParts) -> None:
        self._parts = parts

    async def handle_failure(
        self,
        request: Request,
        state: State,
        failure: Failure,
        response: Response,
        tier: Tier,
    ) -> Request | Response:
        if Outages.is_outage(failure):
            tier.failed(state["url"], failure)
            return await self.handle_outage(request, state, failure, response.status)
        self._parts.failed_pages.outages.answered(state["tier"])
        self._check_members(request, state, failure, response, tier)
        if failure.action is Action.WAIT:
            again = self._retry_busy(request, failure)
            if again is not None:
                return again
        if failure.action is Action.FINAL:
            tier.answered(state["url"])  # the failure is the page's, not the tier's
            st.record_attempt(state, failure, response.status)
            return self._handle_final(request, state, failure, response, tier)
        tier.failed(state["url"], failure)
        if failure.reason in _BLOCKS and tier.at_page_url:
            await self._plan_open_api(state)
        is_last = not self._parts.steps.remaining(
            state
        ) and not self._parts.failed_pages.outages.can_wait(state)
        if (
            is_last
            and self._parts.originals.is_strict(request)
            and spider_handles(self._parts.crawler, request, response.status)
        ):
            st.record_attempt(state, failure, response.status)
            return failed_response(request, state, tier, failure, response)
        return self.escalate(request, state, failure, response.status)

    def _check_members(
        self, request: Request, state: State, failure: Failure, response: Response, tier: Tier
    ) -> None:
        """
        :raises OnlyMembers: the page is a category's, for a spider that lists its members
        """
        if (
            failure.reason in WITHOUT_TEXT
            and tier.at_page_url
            and is_seed(request)
            and getattr(self._parts.spider, "lists_members", False)
            and lists_members(response.body)
        ):
            tier.answered(state["url"])
            self._parts.failed_pages.site_answered(state)
            st.record_attempt(state, failure, response.status)
            own = spider_request(request, state, tier)
            raise OnlyMembers(failure, response.replace(request=own))

    async def _plan_open_api(self, state: State) -> None:
        """Plan the API of a wiki next whose page is blocked, if it is found now."""
        if (
            state.get("policy") == "request"
            or await self._parts.wikis.find_api(state["url"]) is None
        ):
            return
        tried = {attempt["tier"] for attempt in state["attempts"]} | {*state["plan"]}
        planned = self._parts.policy.plan(state["url"], is_wiki=True)
        state["plan"][:0] = [
            name
            for name in planned
            if name in self._parts.tiers
            and self._parts.tiers[name].needs_wiki
            and name not in tried
        ]
        for name in state["plan"]:
            if name in self._parts.tiers and self._parts.tiers[name].needs_wiki:
                await self._parts.tiers[name].ready(state["url"])

    def _retry_busy(self, request: Request, failure: Failure) -> Request | None:
        """Repeat the request after the wait that the server asks for; None if retries are used
        up."""
        slot = request.meta.get("download_slot", "")
        self._parts.crawler.signals.send_catch_log(
            site_busy, slot=slot, seconds=failure.retry_after, reason=failure.detail
        )
        retries = self._parts.crawler.get_downloader_middleware(SiteRetryMiddleware)
        if retries is not None and retries.has_policy(request):
            return retries.retry_by_policy(request, failure, f"{failure.reason}: {failure.detail}")
        return get_retry_request(
            request,
            spider=self._parts.spider,
            reason=f"{failure.reason}: {failure.detail}",
            # A page that reports a rate limit is repeated as often as a 429.
            max_retry_times=None if failure.vendor else MAX_BUSY_RETRIES,
        )

    def _handle_final(
        self, request: Request, state: State, failure: Failure, response: Response, tier: Tier
    ) -> Response:
        """Skip a page whose failure is final: no other tier could succeed."""
        self._parts.failed_pages.site_answered(state)
        if failure.status is None and failure.reason is not Reason.NOT_HTML:
            if (unimproved := self._parts.originals.unimproved(state)) is not None:
                raise unimproved
            detail = one_line(failure.detail)
            raise self._parts.failed_pages.report_skipped(state, (failure.reason, detail))
        self._parts.originals.drop(state)
        return failed_response(request, state, tier, failure, response)

    async def handle_outage(
        self, request: Request, state: State, failure: Failure, status: int | None
    ) -> Request:
        """Try the other tiers of a page whose tier's service is down; then the page waits for it.

        :raises TiersExhausted: the page has waited long enough, or only this page fails
        """
        outages = self._parts.failed_pages.outages
        retry = outages.has_failed(state) and failure.retry_after is None
        works = retry and await self._parts.tiers[state["tier"]].service_works()
        outages.failed(state, failure, service_works=works)
        return self.escalate(request, state, failure, status)

    def escalate(
        self,
        request: Request,
        state: State,
        failure: Failure,
        status: int | None,
        *,
        sent: bool = True,
    ) -> Request:
        """Record and log the failure, and return the next tier's request.

        :param sent: False if no request of the tier was sent
        """
        if Outages.is_outage(failure):
            st.record_outage(state, failure, status)
        else:
            st.record_attempt(state, failure, status)
        wiki = self._parts.wikis.wiki_of(state["url"])
        is_wiki = wiki is not None and not wiki.passive
        can_wait = self._parts.failed_pages.can_wait
        reorder(state, failure, self._parts.tiers, is_wiki=is_wiki, can_wait=can_wait)
        kind = "fallback" if sent else "not_tried"
        self._parts.count(f"tier/{kind}/{state['tier']}/{failure.reason}")
        logger.info(
            "Tier %s failed for %s: %s (%s); next: %s",
            state["tier"],
            state["url"],
            failure.reason,
            failure.detail,
            ", ".join(self._parts.steps.remaining(state))
            or ("wait" if self._parts.failed_pages.outages.can_wait(state) else "no tier left"),
        )
        made = self._parts.steps.request_after(request, state)
        if not st.is_put_off(state) and NOT_BEFORE not in made.meta:
            self._parts.count(f"tier/escalated_count/{state['tier']}")
        return made
