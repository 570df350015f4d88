"""Weighted sums of the attempts that share some heuristics, with a timestamp."""

from __future__ import annotations

import math

from wikicrawler.learning.model.change import NEW_TEST
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.sums import Sums, decay

MIN_ATTEMPTS = 5.0
"""Weight of the attempts on a domain that the test for changes requires."""


class Bucket:
    """The sums of the attempts that share some heuristics, as of the time :attr:`at`."""

    __slots__ = ("at", "bans", "change_test", "failures", "log_kept", "successes")

    def __init__(self, at: float, log_kept: float) -> None:
        self.successes = self.failures = self.bans = 0.0
        self.at = at
        self.log_kept = log_kept
        """Sum of the logarithms of ``kept`` over the domain's changes that the sums include."""
        self.change_test = NEW_TEST
        """For a domain's bucket: the state of the test for changes."""

    def sums(self, at: float, log_kept: float) -> Sums:
        """Return the sums as of *at*, after all changes of the domain."""
        weight = decay(at - self.at)
        if log_kept != self.log_kept:
            weight *= math.exp(log_kept - self.log_kept)
        return Sums(self.successes * weight, self.failures * weight, self.bans * weight)

    def has_enough_attempts(self, at: float) -> bool:
        """Return True if there is enough evidence on the domain to detect a change."""
        sums = self.sums(at, self.log_kept)
        return sums.successes + sums.failures >= MIN_ATTEMPTS

    def add(self, outcome: Outcome, at: float, log_kept: float) -> None:
        """Count an attempt made at *at*, which may precede others already counted."""
        now = max(at, self.at)
        self.replace(self.sums(now, log_kept), now, log_kept)
        weight = decay(now - at)
        if outcome is Outcome.SUCCESS:
            self.successes += weight
        else:
            self.failures += weight
            self.bans += weight * (outcome is Outcome.BAN)

    def merge_older(self, older: Bucket) -> None:
        """Add the sums of earlier attempts with the same heuristics.

        *older* must not include changes that these sums lack. Its change test continues if there is
        little newer evidence and no newer change.
        """
        now = max(self.at, older.at)
        if (
            self.change_test == NEW_TEST
            and self.log_kept == older.log_kept
            and not self.has_enough_attempts(now)
        ):
            self.change_test = older.change_test
        both = zip(self.sums(now, self.log_kept), older.sums(now, self.log_kept), strict=True)
        self.replace(Sums(*(x + y for x, y in both)), now, self.log_kept)

    def subtract(self, part: Sums, share: float, at: float) -> None:
        """Subtract a *share* of *part* from the sums, as of *at*."""
        left = zip(self.sums(at, self.log_kept), part, strict=True)
        self.replace(Sums(*(max(0.0, x - share * y) for x, y in left)), at, self.log_kept)

    def replace(self, sums: Sums, at: float, log_kept: float) -> None:
        self.successes, self.failures, self.bans = sums
        self.at, self.log_kept = at, log_kept
