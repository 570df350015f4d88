"""The learner: attempts go in, choices come out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.learning.model.choice import choose
from wikicrawler.learning.model.estimate import at_hour, estimate
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.segment_effect import effect_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from wikicrawler.learning.model.choice import Choice, Costs
    from wikicrawler.learning.model.estimate import Estimate
    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.sums import Changed


class Learner:
    """Learns from attempts, and chooses the tiers of the next page.

    Attempts should be recorded approximately in order of time. Times are seconds since the epoch.

    :param random: decides when to explore
    """

    def __init__(self, costs: Costs, random: Random, evidence: Evidence | None = None) -> None:
        self._costs = costs
        self._random = random
        self.evidence = evidence if evidence is not None else Evidence()

    def record(
        self,
        features: Features,
        tier: str,
        outcome: Outcome,
        at: float,
        expected: float | None = None,
    ) -> Changed | None:
        """Record the outcome of an attempt. Return the change of its domain, if one is detected.

        :param expected: :meth:`expected` before the attempt; computed if None
        """
        if outcome is Outcome.NONE:
            return None
        if expected is None:
            expected = self.expected(features, tier, at)
        changed = None
        if self.evidence.detect_change(features, tier, outcome, expected, at):
            changed = self.evidence.discount(features, tier, at)
        self.evidence.add(features, tier, outcome, at)
        return changed

    def estimate(self, features: Features, tier: str, at: float) -> Estimate:
        """Return P(success) and P(ban) of *tier* for a page with *features*."""
        hour = self.evidence.rhythms.effect(features, tier, at)
        return at_hour(self._estimate_of_site(features, tier, at), hour)

    def expected(self, features: Features, tier: str, at: float) -> float:
        """Return P(success) for the test for changes: without the hour of the day, unless it was
        right before."""
        of_site = self._estimate_of_site(features, tier, at)
        hour = self.evidence.rhythms.effect(features, tier, at)
        return (at_hour(of_site, hour) if hour.is_shown else of_site).success.mean

    def _estimate_of_site(self, features: Features, tier: str, at: float) -> Estimate:
        segment = effect_of(self.evidence.segments.sums(features, tier, at))
        return estimate(self.evidence.sums(features, tier, at), segment)

    def choose(self, features: Features, tiers: Sequence[str], at: float) -> Choice:
        """Choose the order of *tiers*, which are given in the configured order."""
        estimates = {tier: self.estimate(features, tier, at) for tier in tiers}
        return choose(estimates, self._costs, self._random)
