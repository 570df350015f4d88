"""Fetches each page by the cheapest tier that works."""

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
from wikicrawler.signals import site_busy
from wikicrawler.tiers import state as st
from wikicrawler.tiers.adapting import reorder
from wikicrawler.tiers.attempt_signal import AttemptSignal
from wikicrawler.tiers.failed_pages import PageEnd
from wikicrawler.tiers.failures import TiersExhausted, failure_of
from wikicrawler.tiers.landing import check_offsite, private, refusal_of
from wikicrawler.tiers.mediawiki.directory import WAITS, WikiDirectory
from wikicrawler.tiers.policy import (
    NO_PLAN,
    ChoosingPolicy,
    is_adaptive,
    load_policy,
    plan_of,
    plans_api,
)
from wikicrawler.tiers.reader import PageReader
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.responses import failed_response, own_request, page_response, spider_handles
from wikicrawler.tiers.state import STATE, State
from wikicrawler.tiers.steps import TierSteps
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.tiers.policy import Plan
    from wikicrawler.tiers.tier import Tier

logger = logging.getLogger(__name__)


class TierMiddleware:
    """Downloader middleware: a page's request goes to the first tier of its plan, and on to the
    next when a tier fails. The callback gets one HtmlResponse at the page's own URL whatever tier
    brought it; ``docs/meta.md`` lists what its meta says.

    A page that no tier brings ends in the errback: as an HTTP error with its status where a tier
    saw one that is true of the page (404), else as
    :class:`~wikicrawler.tiers.failures.TiersExhausted`.

    Of each request: ``meta["tiers"]`` is False to leave it alone, or a list of tier names to try
    instead of the plan; ``meta["crawl4ai"]``, where it is true, sends it to the browser alone.
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
        self._attempted = AttemptSignal(crawler, self._wikis)
        self._end = PageEnd(crawler, self._config)
        self._tiers = self._registry.make(crawler, self._wikis)
        self._steps = TierSteps(crawler, self._registry, self._tiers, self._end)
        self._max_redirects = settings.getint("REDIRECT_MAX_TIMES")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    # On the way down

    async def process_request(self, request: Request) -> Request | None:
        if not _concerns(request):
            return None
        await self._reader.room()
        state = cast("State | None", request.meta.get(STATE))
        is_on_its_way = state is not None and request.url == state["sent"]
        if self._choosing is not None and not is_on_its_way:
            await self._choosing.ready(request.url)
        if pause := self._end.pause_of(request.url):
            return self._paused(request, state or st.start(request, NO_PLAN), pause)
        if state is not None and is_on_its_way:
            return await self._on_its_way(request, state)
        if state is not None and not state["dont_filter"]:
            check_offsite(self._crawler, request)
        wiki = self._wikis.known(request.url)
        has_api = wiki is not None and not wiki.passive
        plan = plan_of(request, self._policy, self._registry, self._tiers, has_api=has_api)
        for name in plan.tiers:
            if name in self._tiers:
                await self._tiers[name].ready(request.url)
        if state is None:
            state = st.start(request, plan)
        elif st.is_put_off(state):
            st.plan_anew(state, plan, [*plan.tiers])
        else:
            self._redirected(request, state, plan)
        return self._steps.next(request, state)

    def _paused(self, request: Request, state: State, pause: float) -> Request:
        """A page whose site is left alone for so many seconds."""
        page = st.fresh_copy(request, request.url)  # a browser's request says so itself
        if is_adaptive(page, self._policy, self._registry):
            later = self._end.wait_for_site(request, state, pause)
            if later is not None:
                return later
        detail = f"every tier was blocked: the site is left alone for {pause:.0f} s"
        raise self._end.exhausted(state, (Reason.PAUSED, detail))

    def _redirected(self, request: Request, state: State, plan: Plan) -> None:
        """A redirect led here: what failed on this site before is not tried again."""
        # that the tier which was led here had too little time for the page before is no failure
        failed = {a["tier"] for a in state["attempts"]} - {state["tier"]}
        same_site = site_of(state["url"]) == site_of(request.url)
        tiers = [name for name in plan.tiers if not (same_site and name in failed)]
        st.plan_anew(state, plan, tiers)
        state["url"] = request.url
        state["redirects"] += 1  # Scrapy's own count starts anew with each tier
        if state["redirects"] > self._max_redirects:
            detail = f"more than {self._max_redirects} in a row, from {state['asked']}"
            raise self._end.exhausted(state, (Reason.REDIRECT, detail))

    async def _on_its_way(self, request: Request, state: State) -> Request | None:
        """A tier's own request, or its retry, on the way to the wire."""
        tier = self._tiers.get(state["tier"])
        if tier is None:  # in a crawl that was resumed without its server
            state["plan"].insert(0, state["tier"])
            return self._steps.after(request, state)
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
        wiki = self._wikis.known(state["url"])
        found = await self._reader.read(tier, response, state)
        if not isinstance(found, Failure) and response.url != request.url:
            refusal = await refusal_of(
                self._crawler, request, found.page.url, dont_filter=state["dont_filter"]
            )
            found = refusal or found
        failure = found if isinstance(found, Failure) else None
        self._attempted.send(request, state, wiki, failure, response)
        if isinstance(found, Failure):
            return self._failed(request, state, found, response, tier)
        tier.answered(state["url"])
        self._end.answered(state)
        st.note(state, None, response.status)
        self._stat(f"tier/page_count/{state['tier']}")
        own = own_request(request, state)
        own.meta.update({st.PAGE: found.page, st.CONTENT: found.content, st.WIKI: found.wiki})
        return page_response(own, found.page, response)

    def _failed(
        self,
        request: Request,
        state: State,
        failure: Failure,
        response: Response,
        tier: Tier,
    ) -> Request | Response:
        if failure.action is Action.WAIT:
            again = self._wait(request, failure)
            if again is not None:
                return again
        if failure.action is Action.FINAL:
            tier.answered(state["url"])  # the page is what is wrong
            st.note(state, failure, response.status)
            return self._final(request, state, failure, response, tier)
        tier.failed(state["url"], failure)
        if not self._steps.left(state) and spider_handles(self._crawler, request, response.status):
            st.note(state, failure, response.status)
            return failed_response(own_request(request, state), state, tier, None, response)
        return self._escalate(request, state, failure, response.status)

    def _wait(self, request: Request, failure: Failure) -> Request | None:
        """Ask the same tier again when its server is ready; None when it was asked often enough."""
        slot = request.meta.get("download_slot", "")
        self._crawler.signals.send_catch_log(
            site_busy, slot=slot, seconds=failure.retry_after, reason=failure.detail
        )
        return get_retry_request(
            request,
            spider=self._spider,
            reason=f"{failure.reason}: {failure.detail}",
            max_retry_times=WAITS,
        )

    def _final(
        self, request: Request, state: State, failure: Failure, response: Response, tier: Tier
    ) -> Response:
        """End a page whose failure is its own: no lower tier would do better."""
        self._end.answered(state)
        if failure.status is None and failure.reason is not Reason.NOT_HTML:
            raise self._end.exhausted(state)
        own = own_request(request, state)
        return failed_response(own, state, tier, failure.status, response)

    def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | Response | None:
        state = cast("State | None", request.meta.get(STATE))
        if state is not None and isinstance(exception, TierInterruptedError):
            # back to the scheduler, which keeps it for a crawl that is resumed
            return request.replace(dont_filter=True)
        failure = self._refusal(request, exception) or failure_of(exception)
        if state is None or failure is None or isinstance(exception, TiersExhausted):
            return None
        self._attempted.send_failed(request, state, failure, exception)
        tier = self._tiers[state["tier"]]
        tier.failed(state["url"], failure)
        if failure.action is Action.FINAL and tier.at_page_url:
            st.note(state, failure, None)
            raise self._end.exhausted(state) from exception
        return self._escalate(request, state, failure, None)

    def _refusal(self, request: Request, exception: Exception) -> Failure | None:
        """The address guard's, which the reactor words as a name without an address."""
        if not isinstance(exception, CannotResolveHostError):
            return None
        return private(self._crawler, request.url)

    def _escalate(
        self, request: Request, state: State, failure: Failure, status: int | None
    ) -> Request:
        """On to the next tier; the reason is recorded and logged."""
        st.note(state, failure, status)
        wiki = self._wikis.known(state["url"])
        is_wiki = wiki is not None and not wiki.passive
        reorder(state, failure, self._tiers, is_wiki=is_wiki, waits=self._end.waits)
        self._stat(f"tier/fallback/{state['tier']}/{failure.reason}")
        logger.info(
            "Tier %s gave no page for %s: %s (%s); next: %s",
            state["tier"],
            state["url"],
            failure.reason,
            failure.detail,
            ", ".join(self._steps.left(state)) or "no tier left",
        )
        made = self._steps.after(request, state)
        if not st.is_put_off(state):
            self._stat(f"tier/escalated_count/{state['tier']}")
        return made

    def _stat(self, name: str) -> None:
        self._crawler.stats.inc_value(name)

    @property
    def _spider(self) -> Spider:
        spider = self._crawler.spider
        assert spider is not None  # noqa: S101 - there is one while a request is on its way
        return spider


def _concerns(request: Request) -> bool:
    """Whether *request* is for a page: a plain GET that nobody asked us to leave alone."""
    return (
        request.method == "GET"
        and request.url.startswith(("http://", "https://"))
        and request.meta.get("tiers") is not False
        and not request.url.endswith("/robots.txt")
    )
