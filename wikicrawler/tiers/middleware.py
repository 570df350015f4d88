"""Downloader middleware that fetches each page through the cheapest tier that works."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, cast

from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import CannotResolveHostError, NotConfigured
from scrapy.utils.reactor import is_asyncio_reactor_installed

from wikicrawler import options
from wikicrawler.audit.wire import wire_of
from wikicrawler.config import Config
from wikicrawler.errors import Reason, TierInterruptedError
from wikicrawler.frontier.not_before import NOT_BEFORE
from wikicrawler.pages import Action, Failure
from wikicrawler.scope import CrawlScope
from wikicrawler.scope.page_requests import is_seed
from wikicrawler.signals import site_busy
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.adapting import reorder
from wikicrawler.tiers.attempt_signal import AttemptSignal, was_sent
from wikicrawler.tiers.audit_label import label_of
from wikicrawler.tiers.failed_pages import FailedPages
from wikicrawler.tiers.failures import WITHOUT_TEXT, OnlyMembers, TiersExhausted, failure_of
from wikicrawler.tiers.landing import check_landing, check_offsite, private_address_failure
from wikicrawler.tiers.mediawiki.category_members import lists_members
from wikicrawler.tiers.mediawiki.directory import MAX_BUSY_RETRIES, WikiDirectory
from wikicrawler.tiers.originals import UnimprovedError
from wikicrawler.tiers.outages import Outages
from wikicrawler.tiers.policy import ChoosingPolicy, load_policy, plan_of, plans_api
from wikicrawler.tiers.progress import attempts_of
from wikicrawler.tiers.reader import PageReader, WikiRedirect
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.responses import (
    failed_response,
    original_response,
    page_response,
    spider_handles,
    spider_request,
)
from wikicrawler.tiers.state import STATE, State
from wikicrawler.tiers.steps import TierSteps
from wikicrawler.tiers.unplanned_pages import UnplannedPages, is_page_request
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.tiers.policy import Plan, TierPolicy
    from wikicrawler.tiers.tier import Tier

logger = logging.getLogger(__name__)

_BLOCKS = {Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}


class TierMiddleware:
    """Downloader middleware: send a page's request to the first tier of its plan, and to the next
    one when a tier fails.

    The callback gets one HtmlResponse at the page's own URL, whichever tier fetched it;
    ``docs/meta.md`` lists its meta keys. If every tier fails, the errback gets an HTTP error if the
    page itself has an error status (404), else
    :class:`~wikicrawler.tiers.failures.TiersExhausted`. Where requests are not strict
    (``WIKICRAWLER_TIERS_STRICT``, meta ``tiers_strict``), the spider gets what Scrapy would give
    it instead: the response, or the exception, of the page's own URL.

    Request meta: ``tiers`` is False to bypass the tiers, or a list of tier names that replaces the
    plan. A true ``crawl4ai`` sends the request to the browser only.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not options.TIERS_ENABLED.read(settings):
            raise NotConfigured
        if not is_asyncio_reactor_installed():
            raise NotConfigured("the tiers need Scrapy's default asyncio reactor (TWISTED_REACTOR)")
        self._crawler = crawler
        self._config = Config.from_settings(settings)
        self._policy = load_policy(crawler)
        self._choosing = self._policy if isinstance(self._policy, ChoosingPolicy) else None
        self._registry = TierRegistry.from_settings(settings)
        uses_api = partial(plans_api, self._policy, self._registry)
        self._wikis = WikiDirectory(crawler, self._config, uses_api)
        self._reader = PageReader(crawler, self._wikis)
        self._attempt_signal = AttemptSignal(crawler, self._wikis)
        self._failed_pages = FailedPages(crawler, self._config)
        self._originals = self._failed_pages.originals
        self.unplanned = UnplannedPages(self._failed_pages, self._policy, self._registry)
        """The handling of pages before a tier is chosen."""
        self._tiers = self._registry.make(crawler, self._wikis)
        self._steps = TierSteps(
            crawler, self._registry, self._tiers, self._failed_pages, self._config
        )
        wire_of(crawler).label_of = partial(label_of, self._tiers)
        self._max_redirects = settings.getint("REDIRECT_MAX_TIMES")
        if (scope := crawler.get_extension(CrawlScope)) is not None:
            scope.attempts_of = attempts_of

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @property
    def policy(self) -> TierPolicy:
        """The policy of this crawl."""
        return self._policy

    @property
    def registry(self) -> TierRegistry:
        """The tiers of the project."""
        return self._registry

    @property
    def tiers(self) -> Mapping[str, Tier]:
        """The usable tiers of this crawl, by name."""
        return self._tiers

    @property
    def wikis(self) -> WikiDirectory:
        """The wikis of this crawl."""
        return self._wikis

    # On the way down

    async def process_request(self, request: Request) -> Request | Response | None:
        if not is_page_request(request):
            return None
        try:
            return await self._plan(request)
        except UnimprovedError as found:
            return _hand_over(request, found)

    async def _plan(self, request: Request) -> Request | None:
        """Plan the page of *request*, or let a tier's own request pass."""
        await self._reader.wait_for_room()
        state = cast("State | None", request.meta.get(STATE))
        is_tier_request = state is not None and request.url == state["sent"]
        await self._failed_pages.ready()
        if self._choosing is not None and not is_tier_request:
            await self._choosing.ready(request.url)
        if (later := await self.unplanned.hold_back(request)) is not None:
            return later
        if state is not None and is_tier_request:
            return await self._resume_tier_request(request, state)
        if state is not None and not state["dont_filter"]:
            check_offsite(self._crawler, request)
        wiki = self._wikis.wiki_of(request.url)
        has_api = wiki is not None and not wiki.passive
        plan = plan_of(request, self._policy, self._registry, self._tiers, has_api=has_api)
        for name in plan.tiers:
            if name in self._tiers:
                await self._tiers[name].ready(request.url)
        if state is None:
            state = st.new_state(request, plan)
        elif st.is_put_off(state):
            st.replan(state, plan, [*plan.tiers])
        else:
            self._replan_redirect(request, state, plan)
        return self._steps.next_request(request, state)

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
            raise self._failed_pages.report_skipped(state, (Reason.REDIRECT, detail))

    async def _resume_tier_request(self, request: Request, state: State) -> Request | None:
        """Let a tier's own request, or its retry, pass if the tier is ready."""
        tier = self._tiers.get(state["tier"])
        if tier is None:  # the crawl was resumed without the tier's server
            state["plan"].insert(0, state["tier"])
            return self._steps.request_after(request, state)
        if await tier.ready(state["url"]):
            if self._failed_pages.outages.remaining(state["tier"]):
                return self._steps.hold(request, state)
            return None
        again = st.fresh_copy(request, state["url"])
        again.meta.pop(STATE)
        again.dont_filter = True
        return again

    # On the way up

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        state = cast("State | None", request.meta.get(STATE))
        if state is None or not is_page_request(request):  # it may be a copy with another method
            return response
        try:
            return await self._read(request, response, state)
        except UnimprovedError as found:
            _release(request)
            if isinstance(found.answer, Exception):
                raise found.answer from None
            return found.answer

    async def _read(self, request: Request, response: Response, state: State) -> Request | Response:
        """Return the page in *response*, what the spider gets instead, or the next request."""
        tier = self._tiers[state["tier"]]
        wiki = self._wikis.wiki_of(state["url"])
        found = await self._reader.read(tier, response, state)
        if isinstance(found, WikiRedirect):
            # Back to the scheduler, like an HTTP redirect.
            self._attempt_signal.send(request, state, wiki, None, response)
            target = st.fresh_copy(request, found.url)
            target.meta["redirect_urls"] = [state["asked"]]
            return target
        refusal = None
        if not isinstance(found, Failure) and response.url != request.url:
            refusal = await check_landing(
                self._crawler, request, found.page.url, dont_filter=state["dont_filter"]
            )
            found = refusal or found
        failure = found if isinstance(found, Failure) else None
        self._attempt_signal.send(request, state, wiki, failure, response)
        if isinstance(found, Failure):
            if refusal is None and self._originals.is_wanted(request, found, response):
                return self._hand_original(request, state, found, response, tier)
            if refusal is None and not Outages.is_outage(found):
                self._originals.keep(request, state, tier, found, response)
            return await self._handle_failure(request, state, found, response, tier)
        self._originals.drop(state)
        self._failed_pages.outages.answered(state["tier"])
        tier.answered(state["url"])
        self._failed_pages.site_answered(state)
        st.record_attempt(state, None, response.status)
        self._count(f"tier/page_count/{state['tier']}")
        own = spider_request(request, state, tier, response)
        own.meta.update({st.PAGE: found.page, st.CONTENT: found.content, st.WIKI: found.wiki})
        return page_response(own, found.page, response, tier)

    def _hand_original(
        self, request: Request, state: State, failure: Failure, response: Response, tier: Tier
    ) -> Response:
        """Return *response* as the spider would have got it without the tiers."""
        self._failed_pages.outages.answered(state["tier"])
        self._failed_pages.site_answered(state)
        tier.answered(state["url"])
        st.record_attempt(state, failure, response.status)
        self._originals.drop(state)
        own = original_response(request, state, tier, failure, response)
        _release(request)
        return own

    async def _handle_failure(
        self,
        request: Request,
        state: State,
        failure: Failure,
        response: Response,
        tier: Tier,
    ) -> Request | Response:
        if Outages.is_outage(failure):
            tier.failed(state["url"], failure)
            return await self._handle_outage(request, state, failure, response.status)
        self._failed_pages.outages.answered(state["tier"])
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
        is_last = not self._steps.remaining(state) and not self._failed_pages.outages.can_wait(
            state
        )
        if (
            is_last
            and self._originals.is_strict(request)
            and spider_handles(self._crawler, request, response.status)
        ):
            st.record_attempt(state, failure, response.status)
            return failed_response(request, state, tier, failure, response)
        return self._escalate(request, state, failure, response.status)

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
            and getattr(self._spider, "lists_members", False)
            and lists_members(response.body)
        ):
            tier.answered(state["url"])
            self._failed_pages.site_answered(state)
            st.record_attempt(state, failure, response.status)
            own = spider_request(request, state, tier)
            raise OnlyMembers(failure, response.replace(request=own))

    async def _plan_open_api(self, state: State) -> None:
        """Plan the API of a wiki next whose page is blocked, if it is found now."""
        if state.get("policy") == "request" or await self._wikis.find_api(state["url"]) is None:
            return
        tried = {attempt["tier"] for attempt in state["attempts"]} | {*state["plan"]}
        planned = self._policy.plan(state["url"], is_wiki=True)
        state["plan"][:0] = [
            name
            for name in planned
            if name in self._tiers and self._tiers[name].needs_wiki and name not in tried
        ]
        for name in state["plan"]:
            if name in self._tiers and self._tiers[name].needs_wiki:
                await self._tiers[name].ready(state["url"])

    def _retry_busy(self, request: Request, failure: Failure) -> Request | None:
        """Repeat the request after the wait that the server asks for; None if retries are used
        up."""
        slot = request.meta.get("download_slot", "")
        self._crawler.signals.send_catch_log(
            site_busy, slot=slot, seconds=failure.retry_after, reason=failure.detail
        )
        return get_retry_request(
            request,
            spider=self._spider,
            reason=f"{failure.reason}: {failure.detail}",
            # A page that reports a rate limit is repeated as often as a 429.
            max_retry_times=None if failure.vendor else MAX_BUSY_RETRIES,
        )

    def _handle_final(
        self, request: Request, state: State, failure: Failure, response: Response, tier: Tier
    ) -> Response:
        """Skip a page whose failure is final: no other tier could succeed."""
        self._failed_pages.site_answered(state)
        if failure.status is None and failure.reason is not Reason.NOT_HTML:
            if (unimproved := self._originals.unimproved(state)) is not None:
                raise unimproved
            detail = one_line(failure.detail)
            raise self._failed_pages.report_skipped(state, (failure.reason, detail))
        self._originals.drop(state)
        return failed_response(request, state, tier, failure, response)

    async def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        try:
            return await self._handle_exception(request, exception)
        except UnimprovedError as found:
            if found.answer is not exception:
                return _hand_over(request, found)
            _release(request)
            return None

    async def _handle_exception(self, request: Request, exception: Exception) -> Request | None:
        state = cast("State | None", request.meta.get(STATE))
        if state is not None and isinstance(exception, TierInterruptedError):
            # Back to the scheduler, which stores it for the resumed crawl.
            return request.replace(dont_filter=True)
        refusal = self._private_address(request, exception)
        failure = refusal or failure_of(exception)
        if failure is None or isinstance(exception, TiersExhausted):
            return None
        if is_page_request(request) and (state is None or self._is_before_tier(request, state)):
            later = self.unplanned.retry_robots(request, exception, failure)
            if later is not None:
                return later
        if state is None or st.is_put_off(state):
            return None
        self._attempt_signal.send_failed(request, state, failure, exception)
        tier = self._tiers[state["tier"]]
        tier.failed(state["url"], failure)
        if refusal is None and not Outages.is_outage(failure):
            self._originals.keep(request, state, tier, failure, exception)
        if failure.action is Action.FINAL and tier.at_page_url:
            st.record_attempt(state, failure, None)
            if refusal is None and (unimproved := self._originals.unimproved(state)) is not None:
                raise unimproved
            raise self._failed_pages.report_skipped(
                state, (failure.reason, one_line(failure.detail))
            ) from exception
        if Outages.is_outage(failure):
            return await self._handle_outage(request, state, failure, None)
        sent = was_sent(failure, exception)
        return self._escalate(request, state, failure, None, sent=sent)

    async def _handle_outage(
        self, request: Request, state: State, failure: Failure, status: int | None
    ) -> Request:
        """Try the other tiers of a page whose tier's service is down; then the page waits for it.

        :raises TiersExhausted: the page has waited long enough, or only this page fails
        """
        outages = self._failed_pages.outages
        retry = outages.has_failed(state) and failure.retry_after is None
        works = retry and await self._tiers[state["tier"]].service_works()
        outages.failed(state, failure, service_works=works)
        return self._escalate(request, state, failure, status)

    def _is_before_tier(self, request: Request, state: State) -> bool:
        """Return True if *request* has no tier yet: the page was put off, or was redirected."""
        return st.is_put_off(state) or request.url != state["sent"]

    def _private_address(self, request: Request, exception: Exception) -> Failure | None:
        """Return the failure behind an unresolved host name, if the address guard refused it."""
        if not isinstance(exception, CannotResolveHostError):
            return None
        return private_address_failure(self._crawler, request.url)

    def _escalate(
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
        wiki = self._wikis.wiki_of(state["url"])
        is_wiki = wiki is not None and not wiki.passive
        can_wait = self._failed_pages.can_wait
        reorder(state, failure, self._tiers, is_wiki=is_wiki, can_wait=can_wait)
        kind = "fallback" if sent else "not_tried"
        self._count(f"tier/{kind}/{state['tier']}/{failure.reason}")
        logger.info(
            "Tier %s failed for %s: %s (%s); next: %s",
            state["tier"],
            state["url"],
            failure.reason,
            failure.detail,
            ", ".join(self._steps.remaining(state))
            or ("wait" if self._failed_pages.outages.can_wait(state) else "no tier left"),
        )
        made = self._steps.request_after(request, state)
        if not st.is_put_off(state) and NOT_BEFORE not in made.meta:
            self._count(f"tier/escalated_count/{state['tier']}")
        return made

    def _count(self, name: str) -> None:
        self._crawler.stats.inc_value(name)

    @property
    def _spider(self) -> Spider:
        spider = self._crawler.spider
        assert spider is not None  # noqa: S101 - set while requests are processed
        return spider


def _hand_over(request: Request, found: UnimprovedError) -> Response:
    """Return the original answer instead of *request*, on its way to the other middlewares.

    :raises Exception: the answer is that exception
    """
    if isinstance(found.answer, Exception):
        raise found.answer from None
    # It has passed them before, as the answer to another request.
    _release(request)
    request.meta["dont_retry"] = True
    return found.answer


def _release(request: Request) -> None:
    """Remove the tiers' part of *request* in place: where a middleware of the project repeats it,
    that begins anew."""
    request.meta.pop(STATE, None)
    st.remove_tier_meta(request)
