"""Telling that a tier does on a site what it did not do before: Page's CUSUM test.

For every attempt the log likelihood ratio of its outcome, under "the odds of success are SHIFT
times as high (as low)" against "they are what was estimated", is added to a sum that never falls
below 0:

    g = max(0, g + log(P(outcome | shifted) / P(outcome | estimated)))

and a change is told where it passes THRESHOLD (E. S. Page, *Continuous inspection schemes*,
Biometrika 41, 1954). Because the estimate is that of the page at hand, a site whose parts differ
does not look as if it changed when the crawl goes from one part to another.
"""

from __future__ import annotations

import math
from typing import NamedTuple

SHIFT = 20.0
"""By how much the odds change that are looked for."""
THRESHOLD = 7.0
"""In nats. Higher tells a change later and a false one more rarely."""
SURE = 0.02
"""No probability is taken to be closer than this to 0 or 1: else one surprise were a change, and a
site that never fails would seem to get ever better."""


class Suspicion(NamedTuple):
    """The two sums of a tier on a domain."""

    better: float = 0.0
    worse: float = 0.0

    @property
    def is_change(self) -> bool:
        return max(self) >= THRESHOLD

    def after(self, success: bool, expected: float) -> Suspicion:
        """The sums after an attempt of which success was *expected* with that probability."""
        return Suspicion(
            max(0.0, self.better + _ratio(success, expected, SHIFT)),
            max(0.0, self.worse + _ratio(success, expected, 1 / SHIFT)),
        )


def _ratio(success: bool, expected: float, shift: float) -> float:
    p = _doubted(expected)
    shifted = _doubted(shift * p / (1 - p + shift * p))
    return math.log(shifted / p) if success else math.log((1 - shifted) / (1 - p))


def _doubted(p: float) -> float:
    return min(max(p, SURE), 1 - SURE)


UNSUSPICIOUS = Suspicion()
