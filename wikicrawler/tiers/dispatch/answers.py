"""What a tier's answer is: the page, another page, or a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scrapy.exceptions import CannotResolveHostError

from wikicrawler.errors import TierInterruptedError
from wikicrawler.pages import Action, Failure
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.attempt_signal import was_sent
from wikicrawler.tiers.dispatch.escalation import Escalation
from wikicrawler.tiers.failures import TiersExhausted, failure_of
from wikicrawler.tiers.landing import check_landing, private_address_failure
from wikicrawler.tiers.outages import Outages
from wikicrawler.tiers.reader import WikiRedirect
from wikicrawler.tiers.responses import original_response, page_response, spider_request
from wikicrawler.tiers.state import STATE, State
from wikicrawler.tiers.unplanned_pages import is_page_request

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from wikicrawler.tiers.dispatch.parts import TierParts
    from wikicrawler.tiers.tier import Tier


class TierAnswers:
    """Reads the responses and exceptions that the requests of one crawl's tiers bring."""

    def __init__(self, parts: TierParts) -> None:
        self._parts = parts
        self._escalation = Escalation(parts)

    async def read(self, request: Request, response: Response, state: State) -> Request | Response:
        """Return the page in *response*, what the spider gets instead, or the next request."""
        tier = self._parts.tiers[state["tier"]]
        wiki = self._parts.wikis.wiki_of(state["url"])
        found = await self._parts.reader.read(tier, response, state)
        if isinstance(found, WikiRedirect):
            # Back to the scheduler, like an HTTP redirect.
            self._parts.attempt_signal.send(request, state, wiki, None, response)
            target = st.fresh_copy(request, found.url)
            target.meta["redirect_urls"] = [state["asked"]]
            return target
        refusal = None
        if not isinstance(found, Failure) and response.url != request.url:
            refusal = await check_landing(
                self._parts.crawler, request, found.page.url, dont_filter=state["dont_filter"]
            )
            found = refusal or found
        failure = found if isinstance(found, Failure) else None
        self._parts.attempt_signal.send(request, state, wiki, failure, response)
        if isinstance(found, Failure):
            if refusal is None and self._parts.originals.is_wanted(request, found, response):
                return self._hand_original(request, state, found, response, tier)
            if refusal is None and not Outages.is_outage(found):
                self._parts.originals.keep(request, state, tier, found, response)
            return await self._escalation.handle_failure(request, state, found, response, tier)
        self._parts.originals.drop(state)
        self._parts.failed_pages.outages.answered(state["tier"])
        tier.answered(state["url"])
        self._parts.failed_pages.site_answered(state)
        st.record_attempt(state, None, response.status)
        self._parts.count(f"tier/page_count/{state['tier']}")
        own = spider_request(request, state, tier, response)
        own.meta.update({st.PAGE: found.page, st.CONTENT: found.content, st.WIKI: found.wiki})
        return page_response(own, found.page, response, tier)

    def _hand_original(
        self, request: Request, state: State, failure: Failure, response: Response, tier: Tier
    ) -> Response:
        """Return *response* as the spider would have got it without the tiers."""
        self._parts.failed_pages.outages.answered(state["tier"])
        self._parts.failed_pages.site_answered(state)
        tier.answered(state["url"])
        st.record_attempt(state, failure, response.status)
        self._parts.originals.drop(state)
        own = original_response(request, state, tier, failure, response)
        release(request)
        return own

    async def handle_exception(self, request: Request, exception: Exception) -> Request | None:
        state = cast("State | None", request.meta.get(STATE))
        if state is not None and isinstance(exception, TierInterruptedError):
            # Back to the scheduler, which stores it for the resumed crawl.
            return request.replace(dont_filter=True)
        refusal = self._private_address(request, exception)
        failure = refusal or failure_of(exception)
        if failure is None or isinstance(exception, TiersExhausted):
            return None
        if is_page_request(request) and (state is None or self._is_before_tier(request, state)):
            later = self._parts.unplanned.retry_robots(request, exception, failure)
            if later is not None:
                return later
        if state is None or st.is_put_off(state):
            return None
        self._parts.attempt_signal.send_failed(request, state, failure, exception)
        tier = self._parts.tiers[state["tier"]]
        tier.failed(state["url"], failure)
        if refusal is None and not Outages.is_outage(failure):
            self._parts.originals.keep(request, state, tier, failure, exception)
        if failure.action is Action.FINAL and tier.at_page_url:
            st.record_attempt(state, failure, None)
            if (
                refusal is None
                and (unimproved := self._parts.originals.unimproved(state)) is not None
            ):
                raise unimproved
            raise self._parts.failed_pages.report_skipped(
                state, (failure.reason, one_line(failure.detail))
            ) from exception
        if Outages.is_outage(failure):
            return await self._escalation.handle_outage(request, state, failure, None)
        sent = was_sent(failure, exception)
        return self._escalation.escalate(request, state, failure, None, sent=sent)

    def _is_before_tier(self, request: Request, state: State) -> bool:
        """Return True if *request* has no tier yet: the page was put off, or was redirected."""
        return st.is_put_off(state) or request.url != state["sent"]

    def _private_address(self, request: Request, exception: Exception) -> Failure | None:
        """Return the failure behind an unresolved host name, if the address guard refused it."""
        if not isinstance(exception, CannotResolveHostError):
            return None
        return private_address_failure(self._parts.crawler, request.url)


def release(request: Request) -> None:
    """Remove the tiers' part of *request* in place: where a middleware of the project repeats it,
    that begins anew."""
    request.meta.pop(STATE, None)
    st.remove_tier_meta(request)
