"""Which pages are asked for again later, and when: arithmetic, without Scrapy's engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from wikicrawler import options
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

BACKOFF: Mapping[Reason, float] = {Reason.TIMEOUT: 300.0, Reason.NETWORK: 300.0}
"""Seconds after which a page that ended so is asked for again. One that ended otherwise is not: of
a block its site takes note (:mod:`wikicrawler.politeness.pauses`), and where a tier was the wrong
tool the next has been tried at once."""
RETRIES = 1
"""How often a page is asked for again for that."""
PAUSES = 3
"""How many pauses of its site a page waits for."""


class Waited(NamedTuple):
    """How often a page has waited so far."""

    errors: int = 0
    pauses: int = 0


class Wait(NamedTuple):
    """A page is asked for again: after *seconds*, and as one that has *waited* so often then."""

    seconds: float
    waited: Waited


class WaitRules:
    """Decides for the pages of a crawl in which none waits longer than *longest* seconds at once; 0
    lets none wait."""

    def __init__(self, longest: float = options.LONGEST_WAIT.default) -> None:
        self.longest = longest

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """
        :raises ConfigError: the setting ``WIKICRAWLER_LONGEST_WAIT`` is no number of seconds up to
            a day
        """
        return cls(options.LONGEST_WAIT.read(settings))

    def after(self, reason: Reason, waited: Waited) -> Wait | None:
        """Of a page that ended without success, with that *reason* of the page's (of
        :func:`wikicrawler.tiers.state.last_failure`); None where it is not asked for again."""
        backoff = BACKOFF.get(reason)
        if backoff is None or waited.errors >= RETRIES or not self.longest:
            return None
        return Wait(min(backoff, self.longest), waited._replace(errors=waited.errors + 1))

    def through_pause(self, remaining: float, waited: Waited) -> Wait | None:
        """Of a page whose site is paused for *remaining* seconds yet; None where it is skipped."""
        if remaining > self.longest or waited.pauses >= PAUSES:
            return None
        return Wait(remaining, waited._replace(pauses=waited.pauses + 1))
