"""Rules for later retries: which pages are retried, and when. Independent of Scrapy's engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from wikicrawler import options
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

RETRY_DELAYS: Mapping[Reason, float] = {Reason.TIMEOUT: 300.0, Reason.NETWORK: 300.0}
"""Delay in seconds before a later retry, by the page's reason. Pages with other reasons are not
retried: a block pauses the site (:mod:`wikicrawler.politeness.pauses`), and after any other failure
the next tier was tried at once."""
MAX_RETRIES = 1
"""Number of later retries of a page."""
MAX_PAUSES = 3
"""Number of pauses of its site that a page waits for."""


class WaitCounts(NamedTuple):
    """How often a page has waited so far."""

    errors: int = 0
    pauses: int = 0


class Wait(NamedTuple):
    """The delay before a page is retried, and its counts after that wait."""

    seconds: float
    waited: WaitCounts


class WaitRules:
    """Decides which pages of a crawl wait.

    :param longest: maximum length of one wait in seconds; 0: no page waits
    """

    def __init__(self, longest: float = options.LONGEST_WAIT.default) -> None:
        self.longest = longest

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read ``WIKICRAWLER_LONGEST_WAIT``.

        :raises ConfigError: it is not a number of seconds up to a day
        """
        return cls(options.LONGEST_WAIT.read(settings))

    def after(self, reason: Reason, waited: WaitCounts) -> Wait | None:
        """Return the wait of a page that failed with *reason*; None if it is not retried.

        :param reason: the page's reason, by :func:`wikicrawler.tiers.state.last_failure`
        """
        backoff = RETRY_DELAYS.get(reason)
        if backoff is None or waited.errors >= MAX_RETRIES or not self.longest:
            return None
        return Wait(min(backoff, self.longest), waited._replace(errors=waited.errors + 1))

    def through_pause(self, remaining: float, waited: WaitCounts) -> Wait | None:
        """Return the wait of a page whose site is paused for another *remaining* seconds; None if
        the page is skipped."""
        if remaining > self.longest or waited.pauses >= MAX_PAUSES:
            return None
        return Wait(remaining, waited._replace(pauses=waited.pauses + 1))
