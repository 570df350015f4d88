"""How a page ends that no tier brings."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikicrawler.signals import page_skipped
from wikicrawler.tiers import state as st
from wikicrawler.tiers.exceptions import TiersExhausted
from wikicrawler.tiers.pauses import block_of, is_blocked_everywhere, is_recognised, pauses_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.config import Config
    from wikicrawler.errors import Reason
    from wikicrawler.tiers.state import State

logger = logging.getLogger(__name__)


class PageEnd:
    """Ends pages of one crawl, and leaves sites alone that block every tier."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._config = config
        self._pauses = pauses_of(crawler)

    def pause_of(self, url: str) -> float:
        """Seconds for which the site of *url* is to be left alone; 0 where it is not."""
        return self._pauses.remaining(self._config.budget_of(url))

    def answered(self, state: State) -> None:
        """The site of the page answered as it should."""
        self._pauses.answered(self._config.budget_of(state["url"]))

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
                "Site %r blocks every tier: its pages are skipped for %.0f minutes",
                site,
                pause / 60,
            )
