"""Outages of the services behind the tiers: which pages wait for them, and how long."""

from __future__ import annotations

import logging
from time import monotonic
from typing import TYPE_CHECKING

from wikicrawler.errors import SERVICE_OUTAGES
from wikicrawler.tiers import state as st
from wikicrawler.tiers.service.breaker import Breaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.pages import Failure
    from wikicrawler.tiers.state import State

logger = logging.getLogger(__name__)

FIRST_DELAY = 5.0
"""Seconds before a page that a service failed is sent again; doubled with each failure of the page.
It waits longer while the service has an outage."""
MAX_STRIKES = 2
"""Number of failures of a page after a first one, while its tier's service works for others."""
_MARGIN = 0.1
"""Seconds after the end of an outage's pause at which its pages are sent: the service's own breaker
is half open then."""


class Outages:
    """The outages of one crawl's services, by tier.

    A service has an outage if it says so (``Failure.retry_after``: its circuit breaker is open, or
    it sent Retry-After), or after five failures in a row. Its pages are not sent until then.

    :param longest: maximum time in seconds that a page waits in total; 0: no page waits
    :param clock: returns the time in seconds
    """

    def __init__(self, longest: float, clock: Callable[[], float] = monotonic) -> None:
        self._longest = longest
        self._clock = clock
        self._services: dict[str, _Service] = {}

    @staticmethod
    def is_outage(failure: Failure) -> bool:
        """Return True if *failure* is that of a service which is down or busy."""
        return failure.reason in SERVICE_OUTAGES

    def remaining(self, tier: str) -> float:
        """Return the seconds until the next request of *tier* may be sent; 0: now."""
        service = self._services.get(tier)
        return service.remaining(self._clock()) if service is not None and self._longest else 0.0

    def last_failure(self, tier: str) -> Failure:
        """Return the failure that began or prolonged the outage of *tier*."""
        return self._services[tier].failure

    def has_failed(self, state: State) -> bool:
        """Return True if the page of *state* was put off after a failure of its tier's service."""
        return st.outage_of(state)["failures"] > 0

    def failed(self, state: State, failure: Failure, *, service_works: bool) -> None:
        """Count a *failure* of the current tier's service.

        :param service_works: True if the service is known to work for other pages
        """
        tier = state["tier"]
        service = self._services.setdefault(tier, _Service(failure, Breaker(self._clock)))
        outage = st.outage_of(state)
        if outage["failures"] and (service_works or service.answers > outage["answers"]):
            outage["strikes"] += 1
        outage["failures"] += 1
        outage["answers"] = service.answers
        if tier not in outage["tiers"]:
            outage["tiers"].append(tier)
        state["outage"] = outage
        hint = failure.retry_after
        if service.failed(failure, self._longest / 2 or None, self._clock()) and hint is None:
            logger.warning(
                "The service of tier %s keeps failing (%s): next attempt in %.0f s",
                tier,
                failure.detail,
                service.remaining(self._clock()),
            )

    def hold(self, state: State) -> None:
        """Have the page wait for its current tier, to which no request was sent."""
        outage = st.outage_of(state)
        if state["tier"] not in outage["tiers"]:
            outage["tiers"].append(state["tier"])
        state["outage"] = outage

    def answered(self, tier: str) -> None:
        """Note a usable response of *tier*: its service works."""
        service = self._services.get(tier)
        if service is not None:
            service.answered()

    def can_wait(self, state: State) -> bool:
        """Return True if the page may wait for a tier that failed."""
        outage = st.outage_of(state)
        left = self._longest - outage["waited"]
        return bool(outage["tiers"]) and outage["strikes"] < MAX_STRIKES and left >= _MARGIN

    def begin_wait(self, state: State) -> float | None:
        """Return the seconds for which the page waits before its failed tiers are tried again, and
        plan these; None if there are none, or the page has waited long enough."""
        if not self.can_wait(state):
            return None
        outage = st.outage_of(state)
        ends = [self.remaining(tier) for tier in outage["tiers"]]
        if max(ends) > 0:
            seconds = min(end for end in ends if end > 0) + _MARGIN
        else:
            doubled = FIRST_DELAY * 2.0 ** min(max(outage["failures"] - 1, 0), 20)
            seconds = min(doubled, self._longest / 2)
        seconds = min(seconds, self._longest - outage["waited"])
        outage["waited"] += seconds
        state["plan"], outage["tiers"] = outage["tiers"], []
        state["outage"] = outage
        return seconds


class _Service:
    """The state of the service of one tier."""

    def __init__(self, failure: Failure, breaker: Breaker) -> None:
        self.failure = failure
        self.answers = 0
        """Number of usable responses since the first failure."""
        self._breaker = breaker
        self._until = 0.0

    def remaining(self, now: float) -> float:
        return max(0.0, self._until - now, self._breaker.remaining)

    def failed(self, failure: Failure, longest: float | None, now: float) -> bool:
        """Count *failure*. Return True if it began a pause."""
        self.failure = failure
        if longest is not None:
            self._breaker.longest = min(self._breaker.longest, longest)
        if failure.retry_after is not None:
            pause = failure.retry_after if longest is None else min(failure.retry_after, longest)
            self._until = max(self._until, now + pause)
            return True
        return self._breaker.failed()

    def answered(self) -> None:
        self.answers += 1
        self._until = 0.0
        self._breaker.succeeded()
