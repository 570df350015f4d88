"""What the first segment of a path changes in an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.segments import NO_SUMS
from wikicrawler.learning.model.sums import Sums

if TYPE_CHECKING:
    from wikicrawler.learning.model.segments import SegmentSums

ALL_STRENGTH = 10.0
"""Weight of all segments in the mean of one segment, in attempts."""
SEGMENT_CAP = 50.0
"""Maximum weight of a segment's own evidence, in attempts."""
GIVEN_STRENGTH = 5.0
"""Weight of the estimate for the site, in attempts, in that for a segment that is new there."""


class Effect(NamedTuple):
    """The difference between a segment and all segments."""

    odds: float
    """Factor of the odds of success."""
    ban: float
    """Difference of P(ban)."""
    given: Sums = NO_SUMS
    """Attempts at the segment on sites that are alike elsewhere, scaled to :data:`SEGMENT_CAP`."""

    def shift(self, mean: float, ban: float) -> tuple[float, float]:
        """Return P(success) and P(ban) for pages of the segment, given those of the site."""
        shifted = mean * self.odds / (mean * self.odds + 1 - mean)
        shifted_ban = min(1 - shifted, max(0.0, ban + self.ban))
        successes, failures, bans = self.given
        if not successes + failures:
            return shifted, shifted_ban
        weight = GIVEN_STRENGTH + successes + failures
        p_ok = (GIVEN_STRENGTH * shifted + successes) / weight
        p_ban = (GIVEN_STRENGTH * shifted_ban + bans) / weight
        return p_ok, min(1 - p_ok, p_ban)  # rounded


NO_EFFECT = Effect(1.0, 0.0)


def effect_of(sums: SegmentSums) -> Effect:
    """Return the effect of a segment; none if there is no evidence on it."""
    own, every = counted(sums.own), sums.every
    seen = own.successes + own.failures
    if not seen:
        return NO_EFFECT
    whole = 2 + every.successes + every.failures
    mean, ban = (1 + every.successes) / whole, every.bans / whole
    weight = ALL_STRENGTH + seen
    mean_own = (ALL_STRENGTH * mean + own.successes) / weight
    ban_own = (ALL_STRENGTH * ban + own.bans) / weight
    odds = mean_own / (1 - mean_own) * (1 - mean) / mean
    return Effect(odds, ban_own - ban, counted(sums.given))


def counted(own: Sums) -> Sums:
    """Return the evidence on a segment, scaled down to :data:`SEGMENT_CAP`."""
    seen = own.successes + own.failures
    scale = SEGMENT_CAP / seen if seen > SEGMENT_CAP else 1.0
    return Sums(own.successes * scale, own.failures * scale, own.bans * scale)
