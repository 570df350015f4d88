"""What was learned, and what to do: attempts go in, choices come out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.learning.model.choice import choose
from wikicrawler.learning.model.estimate import estimate
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from wikicrawler.learning.model.choice import Choice, Costs
    from wikicrawler.learning.model.estimate import Estimate
    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.sums import Changed


class Learner:
    """What became of attempts, and what follows from it for the next page.

    Attempts come in the order of time, or nearly so; times are seconds since the epoch. *random*
    decides which tiers are explored.
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
        """Learn what became of an attempt; the change of its site, if it tells one.

        *expected* is the mean of :meth:`estimate` before it, for who has asked for that already.
        """
        if outcome is Outcome.NONE:
            return None
        if expected is None:
            expected = self.estimate(features, tier, at).success.mean
        changed = None
        if self.evidence.suspect(features, tier, outcome, expected, at):
            changed = self.evidence.discount(features, tier, at)
        self.evidence.add(features, tier, outcome, at)
        return changed

    def estimate(self, features: Features, tier: str, at: float) -> Estimate:
        """P(success) and P(ban) of *tier* on a page like that one."""
        return estimate(self.evidence.sums(features, tier, at))

    def choose(self, features: Features, tiers: Sequence[str], at: float) -> Choice:
        """The order in which to try *tiers*, given in the order that is configured."""
        estimates = {tier: self.estimate(features, tier, at) for tier in tiers}
        return choose(estimates, self._costs, self._random)
