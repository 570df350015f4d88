"""Which pages are asked for again later, and when: arithmetic, without Scrapy's engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from wikicrawler.errors import ConfigError, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

SETTING = "WIKICRAWLER_LONGEST_WAIT"
DEFAULT_LONGEST_WAIT = 600.0
_DAY = 86_400.0

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

    def __init__(self, longest: float = DEFAULT_LONGEST_WAIT) -> None:
        self.longest = longest

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """
        :raises ConfigError: the setting :data:`SETTING` is no number of seconds up to a day
        """
        value = settings.get(SETTING, DEFAULT_LONGEST_WAIT)
        try:
            longest = float(value)
        except (TypeError, ValueError):
            longest = -1.0
        if isinstance(value, bool) or not 0 <= longest <= _DAY:
            raise ConfigError(
                f"{SETTING} is {value!r}: a number of seconds from 0 (no page waits) to "
                f"{_DAY:.0f} is needed, like {DEFAULT_LONGEST_WAIT:.0f}"
            )
        return cls(longest)

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
