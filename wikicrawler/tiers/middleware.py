"""Downloader middleware that fetches each page through the cheapest tier that works."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, cast

from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import CannotResolveHostError, NotConfigured
from scrapy.utils.reactor import is_asyncio_reactor_installed

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.errors import Reason, TierInterruptedError
from wikicrawler.pages import Action, Failure
from wikicrawler.scope import CrawlScope
from wikicrawler.signals import site_busy
from wikicrawler.tiers import state as st
from wikicrawler.tiers.adapting import reorder
from wikicrawler.tiers.attempt_signal import AttemptSignal
from wikicrawler.tiers.failed_pages import FailedPages
from wikicrawler.tiers.failures import TiersExhausted, failure_of
from wikicrawler.tiers.landing import check_landing, check_offsite, private_address_failure
from wikicrawler.tiers.mediawiki.directory import MAX_BUSY_RETRIES, WikiDirectory
from wikicrawler.tiers.policy import (
    NO_PLAN,
    ChoosingPolicy,
    is_adaptive,
    load_policy,
    plan_of,
    plans_api,
)
from wikicrawler.tiers.progress import attempts_of
from wikicrawler.tiers.reader import PageReader
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.responses import (
    failed_response,
    page_response,
    spider_handles,
    spider_request,
)
from wikicrawler.tiers.state import STATE, State
from wikicrawler.tiers.steps import TierSteps
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.tiers.policy import Plan, TierPolicy
    from wikicrawler.tiers.tier import Tier

logger = logging.getLogger(__name__)


class TierMiddleware:
    """Downloader middleware: send a page's request to the first tier of its plan, and to the next
    one when a tier fails.

    The callback gets one HtmlResponse at the page's own URL, whichever tier fetched it;
    ``docs/meta.md`` lists its meta keys. If every tier fails, the errback gets an HTTP error if the
    page itself has an error status (404), else
    :class:`~wikicrawler.tiers.failures.TiersExhausted`.

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
        self._tiers = self._registry.make(crawler, self._wikis)
        self._steps = TierSteps(crawler, self._registry, self._tiers, self._failed_pages)
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

    # On the way down

    async def process_request(self, request: Request) -> Request | None:
        if not _is_page_request(request):
            return None
        await self._reader.wait_for_room()
        state = cast("State | None", request.meta.get(STATE))
        is_tier_request = state is not None and request.url == state["sent"]
        await self._failed_pages.ready()
        if self._choosing is not None and not is_tier_request:
            await self._choosing.ready(request.url)
        if pause := self._failed_pages.remaining_pause(request.url):
            return self._handle_pause(request, state or st.new_state(request, NO_PLAN), pause)
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

    def _handle_pause(self, request: Request, state: State, pause: float) -> Request:
        """Delay the request until its site's *pause* (seconds) ends, or skip the page."""
        page = st.fresh_copy(request, request.url)  # without a tier's meta keys, which force a plan
        if is_adaptive(page, self._policy, self._registry):
            later = self._failed_pages.wait_for_pause(request, state, pause)
            if later is not None:
                return later
        detail = f"every tier was blocked: the site is left alone for {pause:.0f} s"
        raise self._failed_pages.report_skipped(state, (Reason.PAUSED, detail))

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
            return None
        again = st.fresh_copy(request, state["url"])
        again.meta.pop(STATE)
        again.dont_filter = True
        return again

    # On the way up

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        state = cast("State | None", request.meta.get(STATE))
        if state is None:
            return response
        tier = self._tiers[state["tier"]]
        wiki = self._wikis.wiki_of(state["url"])
        found = await self._reader.read(tier, response, state)
        if not isinstance(found, Failure) and response.url != request.url:
            refusal = await check_landing(
                self._crawler, request, found.page.url, dont_filter=state["dont_filter"]
            )
            found = refusal or found
        failure = found if isinstance(found, Failure) else None
        self._attempt_signal.send(request, state, wiki, failure, response)
        if isinstance(found, Failure):
            return self._handle_failure(request, state, found, response, tier)
        tier.answered(state["url"])
        self._failed_pages.site_answered(state)
        st.record_attempt(state, None, response.status)
        self._count(f"tier/page_count/{state['tier']}")
        own = spider_request(request, state)
        own.meta.update({st.PAGE: found.page, st.CONTENT: found.content, st.WIKI: found.wiki})
        return page_response(own, found.page, response)

    def _handle_failure(
        self,
        request: Request,
        state: State,
        failure: Failure,
        response: Response,
        tier: Tier,
    ) -> Request | Response:
        if failure.action is Action.WAIT:
            again = self._retry_busy(request, failure)
            if again is not None:
                return again
        if failure.action is Action.FINAL:
            tier.answered(state["url"])  # the failure is the page's, not the tier's
            st.record_attempt(state, failure, response.status)
            return self._handle_final(request, state, failure, response, tier)
        tier.failed(state["url"], failure)
        if not self._steps.remaining(state) and spider_handles(
            self._crawler, request, response.status
        ):
            st.record_attempt(state, failure, response.status)
            return failed_response(spider_request(request, state), state, tier, None, response)
        return self._escalate(request, state, failure, response.status)

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
            max_retry_times=MAX_BUSY_RETRIES,
        )

    def _handle_final(
        self, request: Request, state: State, failure: Failure, response: Response, tier: Tier
    ) -> Response:
        """Skip a page whose failure is final: no other tier could succeed."""
        self._failed_pages.site_answered(state)
        if failure.status is None and failure.reason is not Reason.NOT_HTML:
            raise self._failed_pages.report_skipped(state)
        own = spider_request(request, state)
        return failed_response(own, state, tier, failure.status, response)

    def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        state = cast("State | None", request.meta.get(STATE))
        if state is not None and isinstance(exception, TierInterruptedError):
            # Back to the scheduler, which stores it for the resumed crawl.
            return request.replace(dont_filter=True)
        failure = self._private_address(request, exception) or failure_of(exception)
        if state is None or failure is None or isinstance(exception, TiersExhausted):
            return None
        self._attempt_signal.send_failed(request, state, failure, exception)
        tier = self._tiers[state["tier"]]
        tier.failed(state["url"], failure)
        if failure.action is Action.FINAL and tier.at_page_url:
            st.record_attempt(state, failure, None)
            raise self._failed_pages.report_skipped(state) from exception
        return self._escalate(request, state, failure, None)

    def _private_address(self, request: Request, exception: Exception) -> Failure | None:
        """Return the failure behind an unresolved host name, if the address guard refused it."""
        if not isinstance(exception, CannotResolveHostError):
            return None
        return private_address_failure(self._crawler, request.url)

    def _escalate(
        self, request: Request, state: State, failure: Failure, status: int | None
    ) -> Request:
        """Record and log the failure, and return the next tier's request."""
        st.record_attempt(state, failure, status)
        wiki = self._wikis.wiki_of(state["url"])
        is_wiki = wiki is not None and not wiki.passive
        can_wait = self._failed_pages.can_wait
        reorder(state, failure, self._tiers, is_wiki=is_wiki, can_wait=can_wait)
        self._count(f"tier/fallback/{state['tier']}/{failure.reason}")
        logger.info(
            "Tier %s failed for %s: %s (%s); next: %s",
            state["tier"],
            state["url"],
            failure.reason,
            failure.detail,
            ", ".join(self._steps.remaining(state)) or "no tier left",
        )
        made = self._steps.request_after(request, state)
        if not st.is_put_off(state):
            self._count(f"tier/escalated_count/{state['tier']}")
        return made

    def _count(self, name: str) -> None:
        self._crawler.stats.inc_value(name)

    @property
    def _spider(self) -> Spider:
        spider = self._crawler.spider
        assert spider is not None  # noqa: S101 - set while requests are processed
        return spider


def _is_page_request(request: Request) -> bool:
    """Return True if *request* is a GET for a page and does not bypass the tiers."""
    return (
        request.method == "GET"
        and request.url.startswith(("http://", "https://"))
        and request.meta.get("tiers") is not False
        and not request.url.endswith("/robots.txt")
    )
