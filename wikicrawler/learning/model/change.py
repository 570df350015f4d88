"""Detection of changes of a tier's success on a site: Page's CUSUM test.

Each attempt adds a log likelihood ratio to a sum that never falls below 0. The ratio compares the
hypothesis "the odds of success are SHIFT times as high (as low)" with "they are as estimated":

    g = max(0, g + log(P(outcome | shifted) / P(outcome | estimated)))

A sum of THRESHOLD or more signals a change (E. S. Page, *Continuous inspection schemes*, Biometrika
41, 1954). The estimate is that of the current page, so a crawl that moves to a different part of a
site does not look like a change.
"""

from __future__ import annotations

import math
from typing import NamedTuple

SHIFT = 20.0
"""Factor by which the odds of success change."""
THRESHOLD = 7.0
"""Threshold in nats. A higher one detects changes later, with fewer false alarms."""
MIN_PROBABILITY = 0.02
"""Probabilities are clamped to this distance from 0 and 1. Otherwise a single surprise would signal
a change, and a site that never fails would seem to keep improving."""


class ChangeTest(NamedTuple):
    """The two sums of the test for a tier on a domain."""

    better: float = 0.0
    worse: float = 0.0

    @property
    def is_change(self) -> bool:
        return max(self) >= THRESHOLD

    def after(self, success: bool, expected: float) -> ChangeTest:
        """Return the sums after an attempt whose estimated P(success) was *expected*."""
        return ChangeTest(
            max(0.0, self.better + _log_ratio(success, expected, SHIFT)),
            max(0.0, self.worse + _log_ratio(success, expected, 1 / SHIFT)),
        )


def _log_ratio(success: bool, expected: float, shift: float) -> float:
    p = _clamp(expected)
    shifted = _clamp(shift * p / (1 - p + shift * p))
    return math.log(shifted / p) if success else math.log((1 - shifted) / (1 - p))


def _clamp(p: float) -> float:
    return min(max(p, MIN_PROBABILITY), 1 - MIN_PROBABILITY)


NEW_TEST = ChangeTest()
