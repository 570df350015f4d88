"""Handling of pages before a tier is chosen: their site is paused, or its robots.txt is out of
reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wikicrawler.errors import Reason
from wikicrawler.politeness.robots import RobotsDisallowed
from wikicrawler.tiers import state as st
from wikicrawler.tiers.policy import NO_PLAN, is_adaptive

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.http import Request

    from wikicrawler.pages import Failure
    from wikicrawler.tiers.failed_pages import FailedPages
    from wikicrawler.tiers.policy import TierPolicy
    from wikicrawler.tiers.registry import TierRegistry
    from wikicrawler.tiers.state import State


class UnplannedPages:
    """Delays or skips the pages of one crawl for which no tier can be chosen yet."""

    def __init__(
        self, failed_pages: FailedPages, policy: TierPolicy, registry: TierRegistry
    ) -> None:
        self._failed_pages = failed_pages
        self._policy = policy
        self._registry = registry

    @property
    def holds_none(self) -> bool:
        """True if :meth:`hold_back` would return None for any page."""
        return self._failed_pages.knows_no_pause

    async def hold_back(self, request: Request) -> Request | None:
        """Return a request for the same page that is delayed until the pause of its site ends, or
        for a part of it; None if its site is not paused.

        Pages wait as long as an operator pauses their site: none is skipped for that.

        :raises TiersExhausted: the page is skipped
        """
        await self._failed_pages.ready()
        if hold := self._failed_pages.remaining_hold(request.url):
            later = self._failed_pages.wait_for_release(request, hold)
            if later is not None:
                return later
        pause = self._failed_pages.remaining_pause(request.url)
        if not pause:
            return None
        state = _state_of(request)
        if self._is_adaptive(request):
            later = self._failed_pages.wait_for_pause(request, state, pause)
            if later is not None:
                return later
        detail = f"every tier was blocked: the site is left alone for {pause:.0f} s"
        raise self._failed_pages.report_skipped(state, (Reason.PAUSED, detail))

    def hold_sites(self, ends: Mapping[str, float], released: Iterable[str]) -> None:
        """Take on what operators do with sites, as
        :class:`~wikicrawler.tiers.failed_pages.FailedPages` has them."""
        self._failed_pages.hold_sites(ends, released)

    async def is_paused(self, url: str) -> bool:
        """Return whether the site of *url* is paused."""
        await self._failed_pages.ready()
        return self._failed_pages.remaining_pause(url) > 0

    def retry_robots(
        self, request: Request, exception: Exception, failure: Failure
    ) -> Request | None:
        """Return a delayed request for a page whose robots.txt could not be fetched, because of
        *exception*; None if the page is not retried.

        :raises TiersExhausted: the page was delayed before, and is skipped
        """
        if not isinstance(exception, RobotsDisallowed):
            return None
        state = _state_of(request)
        if self._is_adaptive(request):
            later = self._failed_pages.retry_robots(request, state, failure.reason)
            if later is not None:
                return later
        if st.STATE in request.meta and st.is_put_off(state):
            why = failure.reason, failure.detail
            raise self._failed_pages.report_skipped(state, why) from exception
        return None

    def _is_adaptive(self, request: Request) -> bool:
        page = st.fresh_copy(request, request.url)  # without a tier's meta keys, which force a plan
        return is_adaptive(page, self._policy, self._registry)


def is_page_request(request: Request) -> bool:
    """Return True if *request* is a GET for a page and does not bypass the tiers."""
    return (
        request.method == "GET"
        and request.url.startswith(("http://", "https://"))
        and request.meta.get("tiers") is not False
        and not request.url.endswith("/robots.txt")
    )


def _state_of(request: Request) -> State:
    state = cast("State | None", request.meta.get(st.STATE))
    return st.new_state(request, NO_PLAN) if state is None else state
