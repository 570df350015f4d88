"""Handling of pages that every tier failed: they are skipped, or retried later."""

from __future__ import annotations

import logging
from time import time
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import Reason
from wikicrawler.frontier.not_before import NOT_BEFORE, same_step
from wikicrawler.politeness.pauses import (
    SitePauses,
    block_of,
    is_blocked_everywhere,
    is_recognised,
)
from wikicrawler.politeness.retry import NETWORK, RETRY_TABLE, TIMEOUT, read_table
from wikicrawler.politeness.retry_policy import is_by_policy
from wikicrawler.politeness.robots_cache import FETCH_FAILED_SINCE
from wikicrawler.process.command import is_crawl
from wikicrawler.signals import page_skipped, site_busy
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import TiersExhausted
from wikicrawler.tiers.originals import Originals, UnimprovedError
from wikicrawler.tiers.outages import Outages
from wikicrawler.tiers.policy import records_attempts
from wikicrawler.tiers.wait_rules import Wait, WaitCounts, WaitRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Request
    from scrapy.settings import BaseSettings

    from wikicrawler.config import Config
    from wikicrawler.politeness.earlier_pauses import EarlierPauses
    from wikicrawler.politeness.fleet.pauses import SharedPauses
    from wikicrawler.tiers.state import State

logger = logging.getLogger(__name__)

_LOOK_AGAIN = 2.0
"""Seconds after which a page of a site that an operator paused comes back, at the earliest."""
_LOOK_STEP = 0.005
"""Seconds between two such pages of a site."""


class FailedPages:
    """Skips or delays the pages of one crawl that every tier failed, and pauses sites that block
    every tier."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._config = config
        self._pauses = SitePauses.from_crawler(crawler)
        self._earlier = _earlier_pauses(self._pauses, crawler.settings)
        self._shared = _shared_pauses(self._pauses, crawler)
        self._steps = {**RETRY_TABLE, **read_table(crawler.settings)}
        rules = WaitRules.from_settings(crawler.settings)
        # An interactive command shows the failure at once.
        self._rules = rules if is_crawl(crawler) else WaitRules(longest=0)
        self._looks: dict[str, float] = {}
        self.outages = Outages(self._rules.longest)
        self.originals = Originals(crawler)

    @property
    def can_wait(self) -> bool:
        """True if pages can be retried later in this crawl."""
        return self._rules.longest > 0

    async def ready(self) -> None:
        """Return when the pauses of earlier crawls and of other workers are known, or cannot be
        known in time."""
        if self._earlier is not None:
            await self._earlier.ready()
        if self._shared is not None and not self._shared.is_ready:
            await self._shared.ready()

    @property
    def knows_no_pause(self) -> bool:
        """True if no site is paused, as is known without waiting."""
        is_ready = self._shared is None or self._shared.is_ready
        return self._earlier is None and is_ready and self._pauses.is_empty

    def remaining_pause(self, url: str) -> float:
        """Return the seconds until the pause of *url*'s site ends; 0 if it is not paused."""
        return self._pauses.remaining(self._config.budget_of(url))

    def remaining_hold(self, url: str) -> float:
        """Return the seconds until the pause of *url*'s site by an operator ends; 0 if there is
        none."""
        return self._pauses.held(self._config.budget_of(url))

    def hold_sites(self, ends: Mapping[str, float], released: Iterable[str]) -> None:
        """Take on what operators do with sites.

        :param ends: ends of all their pauses, in seconds since the epoch, by site
        :param released: sites whose pauses have ended, those because of blocks, too
        """
        for site in released:
            self._pauses.release(site)
        self._pauses.hold(ends)

    def wait_for_release(self, request: Request, hold: float) -> Request | None:
        """Return *request*, delayed for some seconds of the *hold* of its site, which an operator
        may end at any moment; None if pages cannot wait.

        The pages of a site come back one after another, so that many of them do not take the time
        of the others.
        """
        if not self.can_wait:
            return None
        again = request.replace(dont_filter=True)
        site, now = self._config.budget_of(request.url), time()
        at = max(self._looks.get(site, 0.0) + _LOOK_STEP, now + _LOOK_AGAIN)
        self._looks[site] = at
        again.meta[NOT_BEFORE] = min(at, now + hold + _LOOK_STEP)
        self._crawler.stats.inc_value("tier/held_count")
        return again

    def site_answered(self, state: State) -> None:
        """Reset the block count of the page's site, which does not block."""
        self._pauses.answered(self._config.budget_of(state["url"]))

    def retry_later(self, request: Request, state: State) -> Request | None:
        """Return a delayed request for a page that every tier failed.

        None if the plan is not adaptive, or the page's retries are used up, or a policy has decided
        on them.
        """
        if state.get("adaptive") is None or is_by_policy(request):
            return None
        reason, _ = st.last_failure(state)
        wait = self._rules.after(reason, _wait_counts(state))
        again = self._delayed_request(request, state, wait, reason)
        if again is not None:
            self._slow_down(request, reason)
        return again

    def retry_robots(self, request: Request, state: State, reason: Reason) -> Request | None:
        """Return a delayed request for a page whose robots.txt could not be fetched because of
        *reason*; it has robots.txt fetched again.

        None if pages with *reason* are not retried, or the page's retries are used up.
        """
        wait = self._rules.after(reason, _wait_counts(state))
        again = self._delayed_request(request, state, wait, reason)
        if again is not None:
            again.meta[FETCH_FAILED_SINCE] = time()
        return again

    def _slow_down(self, request: Request, reason: Reason) -> None:
        """Pause the site as before an immediate retry, so that delaying this page does not speed up
        its other pages."""
        if steps := self._steps[TIMEOUT if reason is Reason.TIMEOUT else NETWORK]:
            self._crawler.signals.send_catch_log(
                site_busy,
                slot=request.meta.get("download_slot", ""),
                seconds=steps[0],
                reason=f"{reason}, retried later",
            )

    def wait_for_pause(self, request: Request, state: State, pause: float) -> Request | None:
        """Return a request delayed until the *pause* of its site ends; None if that is too long."""
        wait = self._rules.through_pause(pause, _wait_counts(state))
        again = self._delayed_request(request, state, wait, Reason.PAUSED)
        end = self._pauses.until(self._config.budget_of(state["url"]))
        if again is not None and end is not None:
            again.meta[NOT_BEFORE] = same_step(end)  # all pages of the site, in their order
        return again

    def wait_for_service(self, request: Request, state: State, seconds: float) -> Request:
        """Delay *request*, a tier's whose service is down, by *seconds*."""
        again = request.replace(dont_filter=True)
        again.meta[NOT_BEFORE] = time() + seconds
        self._crawler.stats.inc_value(f"tier/service_wait_count/{state['tier']}")
        logger.debug("Waiting %.0f s for tier %s: %s", seconds, state["tier"], state["url"])
        return again

    def _delayed_request(
        self, request: Request, state: State, wait: Wait | None, reason: Reason
    ) -> Request | None:
        if wait is None:
            return None
        again = st.fresh_copy(request, state["url"])
        st.put_off(state, wait.waited.errors, wait.waited.pauses)
        again.meta[st.STATE] = state
        again.meta[NOT_BEFORE] = time() + wait.seconds
        again.dont_filter = True
        self._crawler.stats.inc_value(f"tier/put_off_count/{reason}")
        level = logging.DEBUG if reason is Reason.PAUSED else logging.INFO  # the pause was logged
        logger.log(level, "Retrying %s in %.0f s: %s", again.url, wait.seconds, reason)
        return again

    def give_up(self, state: State) -> TiersExhausted | UnimprovedError:
        """Return the exception to raise for a page that every tier failed: with its original
        answer, if that is kept; else the page is reported as skipped."""
        return self.originals.unimproved(state) or self.report_skipped(state)

    def report_skipped(
        self, state: State, instead: tuple[Reason, str] | None = None
    ) -> TiersExhausted:
        """Report the page as skipped, and return the exception to raise.

        :param instead: reason and detail; by default those of the last failure
        """
        self.originals.drop(state)
        reason, detail = instead or st.last_failure(state)
        if is_blocked_everywhere(state["attempts"]):
            self._note_block(state)
        attempts = st.all_attempts(state)
        self._crawler.signals.send_catch_log(
            page_skipped, url=state["url"], reason=reason, detail=detail, attempts=attempts
        )
        return TiersExhausted(state["url"], reason, attempts)

    def _note_block(self, state: State) -> None:
        site = self._config.budget_of(state["url"])
        attempts = state["attempts"]
        pause = self._pauses.blocked(
            site, recognised=is_recognised(attempts), reason=block_of(attempts)
        )
        if pause:
            self._crawler.stats.inc_value("tier/site_paused_count")
            logger.warning(
                "Site %r blocks every tier: paused for %.0f minutes",
                site,
                pause / 60,
            )


def _earlier_pauses(pauses: SitePauses, settings: BaseSettings) -> EarlierPauses | None:
    """Return None for a crawl without a database."""
    if not records_attempts(settings):
        return None
    # Imported here, because a crawl without a database does not need its libraries.
    from wikicrawler.politeness.earlier_pauses import EarlierPauses  # noqa: PLC0415

    return EarlierPauses(pauses, settings)


def _shared_pauses(pauses: SitePauses, crawler: Crawler) -> SharedPauses | None:
    """Return None for a crawl with one worker."""
    url = options.FRONTIER.read(crawler.settings)
    if not url or not is_crawl(crawler):
        return None
    # Most crawls have one worker, and import less.
    from wikicrawler.politeness.fleet.pauses import SharedPauses  # noqa: PLC0415
    from wikicrawler.politeness.fleet.pauses_store import PausesStore  # noqa: PLC0415

    return SharedPauses(crawler, pauses, PausesStore(url))


def _wait_counts(state: State) -> WaitCounts:
    waits = state.get("waits")
    return WaitCounts(waits["errors"], waits["pauses"]) if waits else WaitCounts()
