"""The order of the tiers of least expected cost, for a belief over what a host may be.

Within a page: dynamic programming over the tiers that are left and what those tried ended with. The
later pages of the host: each costs what it would if planned alone with the belief that this page
leaves behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.learning.model.outcomes import OUTCOMES, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.learning.world import Page, Rates
    from wikicrawler.learning.model.choice import Costs

Belief = dict[Any, float]
"""Probability by kind of host."""
Outlook = dict[str, "Rates"]
"""By tier, the rates of a page."""

_BANS = {reason for reason, outcome in OUTCOMES.items() if outcome is Outcome.BAN}
_LITTLE = 2e-3
"""Kinds less likely are left out of what is looked ahead at."""


class Planner:
    """Plans pages.

    :param outlook: of a host of a kind, at the time of a page, the kinds of pages: their share,
        path and rates
    """

    def __init__(
        self, costs: Costs, outlook: Callable[[Any, Page], list[tuple[float, str, Outlook]]]
    ) -> None:
        self._costs = costs
        self._outlook = outlook
        self._known: dict[Any, float] = {}

    def best(
        self,
        belief: Belief,
        outlook: dict[Any, Outlook],
        left: tuple[str, ...],
        later: float,
        page: Page,
    ) -> str | None:
        """The tier of *left* to try next; None if none is worth it.

        :param later: expected number of further pages of the host
        """
        if max(belief.values()) > 1 - _LITTLE:
            later = 0.0  # nothing is left to be learned
        tier, _ = self._plan(belief, outlook, left, later, page)
        return tier

    def after(self, belief: Belief, outlook: dict[Any, Outlook], tier: str, reason: str) -> Belief:
        """The belief after an attempt."""
        return _after(belief, outlook, tier, reason)

    def _plan(
        self,
        belief: Belief,
        outlook: dict[Any, Outlook],
        left: tuple[str, ...],
        later: float,
        page: Page,
    ) -> tuple[str | None, float]:
        """The next tier, and the expected cost from there."""
        found: tuple[str | None, float]
        found = None, self._costs.page + self._continued(belief, later, page)
        for tier in left:
            reasons = dict.fromkeys(r for kind in belief for r in outlook[kind][tier])
            cost = self._costs.tiers[tier]
            for reason in reasons:
                p = sum(w * outlook[kind][tier].get(reason, 0.0) for kind, w in belief.items())
                if p < 1e-6:
                    continue
                posterior = _after(belief, outlook, tier, reason)
                rest = tuple(other for other in left if other != tier)
                cost += p * (reason in _BANS) * self._costs.ban
                cost += p * self._plan(posterior, outlook, rest, later, page)[1]
            p = sum(w * (1 - sum(outlook[k][tier].values())) for k, w in belief.items())
            if p > 1e-6 and later:
                cost += p * self._continued(_after(belief, outlook, tier, "ok"), later, page)
            if cost < found[1]:
                found = tier, cost
        return found

    def _continued(self, belief: Belief, later: float, page: Page) -> float:
        """The cost of the later pages, if each is planned alone with *belief*."""
        if not later:
            return 0.0
        key = (
            tuple((kind, round(w, 2)) for kind, w in belief.items() if w >= _LITTLE),
            tuple(page.tiers),
            int(page.at // 3600 % 24),
        )
        if key not in self._known:
            self._known[key] = self._alone(belief, page)
        return later * self._known[key]

    def _alone(self, belief: Belief, page: Page) -> float:
        paths: dict[str, dict[Any, tuple[float, Outlook]]] = {}
        for kind, w in belief.items():
            if w >= _LITTLE:
                for share, path, rates in self._outlook(kind, page):
                    paths.setdefault(path, {})[kind] = w * share, rates
        cost = weight = 0.0
        for kinds in paths.values():
            whole = sum(w for w, _ in kinds.values())
            here = {kind: w / whole for kind, (w, _) in kinds.items()}
            outlook = {kind: rates for kind, (_, rates) in kinds.items()}
            cost += whole * self._plan(here, outlook, page.tiers, 0.0, page)[1]
            weight += whole
        return cost / weight


def _after(belief: Belief, outlook: dict[Any, Outlook], tier: str, reason: str) -> Belief:
    found = {}
    for kind, w in belief.items():
        rates = outlook[kind][tier]
        p = 1 - sum(rates.values()) if reason == "ok" else rates.get(reason, 0.0)
        if w * p > 1e-7:
            found[kind] = w * p
    whole = sum(found.values())
    return {kind: w / whole for kind, w in found.items()} if found else belief
