"""How a page ends that no tier brings: for good, or to be asked for again later."""

from __future__ import annotations

import logging
from time import time
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.frontier.not_before import NOT_BEFORE
from wikicrawler.politeness.pauses import block_of, is_blocked_everywhere, is_recognised, pauses_of
from wikicrawler.politeness.retry import NETWORK, RETRY_TABLE, TIMEOUT, read_table
from wikicrawler.process.command import is_crawl
from wikicrawler.signals import page_skipped, site_busy
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import TiersExhausted
from wikicrawler.tiers.wait_rules import Wait, Waited, WaitRules

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request

    from wikicrawler.config import Config
    from wikicrawler.tiers.state import State

logger = logging.getLogger(__name__)


class PageEnd:
    """Ends pages of one crawl, and leaves sites alone that block every tier."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._config = config
        self._pauses = pauses_of(crawler)
        self._steps = {**RETRY_TABLE, **read_table(crawler.settings)}
        rules = WaitRules.from_settings(crawler.settings)
        # a person who looks at one page is told at once how it is
        self._rules = rules if is_crawl(crawler) else WaitRules(longest=0)

    @property
    def waits(self) -> bool:
        """Whether pages may be asked for again later."""
        return self._rules.longest > 0

    def pause_of(self, url: str) -> float:
        """Seconds for which the site of *url* is to be left alone; 0 where it is not."""
        return self._pauses.remaining(self._config.budget_of(url))

    def answered(self, state: State) -> None:
        """The site of the page answered as it should."""
        self._pauses.answered(self._config.budget_of(state["url"]))

    def put_off(self, request: Request, state: State) -> Request | None:
        """The page of *request*, whose tiers have all failed, to be asked for again later; None
        where that is not for an adaptive plan, or has been done."""
        if state.get("adaptive") is None:
            return None
        reason, _ = st.last_failure(state)
        again = self._later(request, state, self._rules.after(reason, _waited(state)), reason)
        if again is not None:
            self._rest(request, reason)
        return again

    def _rest(self, request: Request, reason: Reason) -> None:
        """Have the site rest as it would before a retry: its other pages come no faster for that
        this one waits."""
        if steps := self._steps[TIMEOUT if reason is Reason.TIMEOUT else NETWORK]:
            self._crawler.signals.send_catch_log(
                site_busy,
                slot=request.meta.get("download_slot", ""),
                seconds=steps[0],
                reason=f"{reason}, asked for again later",
            )

    def wait_for_site(self, request: Request, state: State, pause: float) -> Request | None:
        """The page of *request* to be asked for after the *pause* of its site; None where that is
        too long."""
        wait = self._rules.through_pause(pause, _waited(state))
        return self._later(request, state, wait, Reason.PAUSED)

    def _later(
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
        level = logging.DEBUG if reason is Reason.PAUSED else logging.INFO  # the pause was told
        logger.log(level, "%s is asked for again in %.0f s: %s", again.url, wait.seconds, reason)
        return again

    def exhausted(self, state: State, instead: tuple[Reason, str] | None = None) -> TiersExhausted:
        """The end of a page: by its last failure, or by what is given *instead*."""
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
                "Site %r blocks every tier: it is left alone for %.0f minutes",
                site,
                pause / 60,
            )


def _waited(state: State) -> Waited:
    waits = state.get("waits")
    return Waited(waits["errors"], waits["pauses"]) if waits else Waited()
