"""Limits of credits, in words and shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wikicrawler.spending.costs import ServiceCost

WARNING = 0.8
"""Share of a limit from which on there is a warning."""


class LimitState(NamedTuple):
    """How much of a service's limit is used."""

    kind: str
    """Kind of the badge."""
    word: str
    advice: str
    """What follows from it; empty if nothing does."""


def limit_state(service: ServiceCost) -> LimitState:
    """Return how far the credits of *service*, which has a limit, are used."""
    if not service.limit:
        return LimitState("info", "no credits allowed", "Its tier is not used.")
    share = service.credits / service.limit
    if share >= 1:
        text = "Crawls use the other tiers until the month ends, or the limit is raised."
        return LimitState("high", "limit reached", text)
    if share >= WARNING:
        return LimitState("warning", f"{100 * share:.0f} % used", _forecast(service))
    if service.forecast > service.limit:
        return LimitState("warning", "too fast", _forecast(service))
    return LimitState("ok", "within the limit", "")


def _forecast(service: ServiceCost) -> str:
    if service.limit and service.forecast > service.limit:
        return "At this pace it is reached before the month ends; its tier is then left out."
    return "At this pace it lasts until the month ends."
