"""Evidence on the hour of the day: some sites block by day, or close their API at night.

The attempts of a tier on a domain, at pages whose paths have the same first segment, are counted by
the hour in which they were made (UTC), in the last hours with attempts. Pages of different segments
may differ by themselves, and would look like hours that differ.

Those at about the same hour of earlier days predict the outcome, together with the latest ones.
Their weight grows each time they were right where the attempts before, at another hour, predicted
the opposite, and falls each time they were wrong. This separates a daily rhythm from a lasting
change of the site.

Where a tier failed and nothing is known of the hour of the day, it may be worth a trial. How often
such a trial succeeds is counted across sites.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.sums import Sums, decay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.learning.model.features import Features

HOUR = 3600.0
"""Seconds."""
KERNEL = (1.0, 0.7, 0.4, 0.15)
"""Weight of an attempt of an earlier day by the distance of its hour of the day, in hours; none
beyond."""
RECENT = (1.0, 0.3, 0.1)
"""Weight of an attempt of the last hour with any by its age in hours; none beyond."""
EARLIER = 12
"""Hours ago from which an attempt is one of an earlier day."""
HOURS = 48
"""Hours with attempts that are kept of a tier on a domain: the last ones."""
HOUR_CAP = 3.0
"""Maximum weight of an hour, in attempts: those of one visit end alike."""
MIN_WEIGHT = 0.3
"""Weight of the attempts at about an hour of the day below which nothing is known of it."""
MIN_VOTE, MIN_MAJORITY = 0.5, 0.7
"""Weight, and share of it, with which an hour of the day predicts an outcome."""
CLEAR = 0.75
"""Share of an hour's attempts that end alike, for the hour to have an outcome."""
ODDS, ODDS_FACTOR, MAX_SCORE = 0.5, 6.0, 3
"""Odds that a domain whose outcomes differ has a rhythm; their factor for each time that the hour
of the day was right and the latest attempts were not, and its inverse for the opposite; and the
maximum of the difference of the two numbers."""
TRIAL_PRIOR = (1.0, 3.0)
"""Weights of success and failure of a trial at an unknown hour of the day, before any was made."""
TRIAL_CAP = 50.0
"""Maximum weight of all trials of a kind."""
MAX_RHYTHMS = 50_000
"""Maximum number of rhythms; the least recently used one is forgotten. Its trials stay counted."""

_Key = tuple[str, str, str]  # tier, domain, first segment of the path
_TrialKind = tuple[str, bool, bool]  # tier; whether it was banned; whether its outcomes differed


class HourSum(NamedTuple):
    """The attempts of a tier at a segment of a domain within an hour."""

    hour: int
    """Hours since the epoch."""
    successes: int
    failures: int
    """The bans among them."""
    bans: int

    @property
    def verdict(self) -> int:
        """1 if nearly all attempts were successes, -1 if nearly all were failures, else 0."""
        seen = self.successes + self.failures
        return (self.successes >= CLEAR * seen) - (self.failures >= CLEAR * seen)


class HourEffect(NamedTuple):
    """What the hour of the day says of a tier at a segment of a domain."""

    earlier: Sums = Sums(0.0, 0.0, 0.0)
    """The attempts at about this hour of earlier days."""
    recent: Sums = Sums(0.0, 0.0, 0.0)
    """The attempts of the last hour with any, if it is one of the last three."""
    is_shown: bool = False
    """True if the hour of the day was right more often than the attempts before."""
    weight: float = 0.0
    """Probability that the hour of the day decides; 0 if nothing shows it."""
    is_new: bool = False
    """True if the tier was not tried in the last three hours."""
    trial: float = 0.0
    """P(success) of a trial, if the tier failed and nothing is known of this hour of the day."""


NO_HOUR = HourEffect()


def earlier_sums(hour: int, hours: Iterable[HourSum]) -> Sums:
    """Return the sums of those of *hours* that are of earlier days than *hour*, by their distance
    from it on the clock."""
    successes = failures = bans = 0.0
    for one in hours:
        age = hour - one.hour
        distance = min(age % 24, -age % 24)
        if age >= EARLIER and distance < len(KERNEL):
            weight = KERNEL[distance] * decay(HOUR * age) * _cap(one)
            successes += weight * one.successes
            failures += weight * one.failures
            bans += weight * one.bans
    return Sums(successes, failures, bans)


def recent_sums(hour: int, last: HourSum) -> Sums:
    """Return the sums of the *last* hour with attempts, by its age."""
    age = max(0, hour - last.hour)
    weight = RECENT[age] * _cap(last) if age < len(RECENT) else 0.0
    return Sums(weight * last.successes, weight * last.failures, weight * last.bans)


def _cap(one: HourSum) -> float:
    return min(1.0, HOUR_CAP / (one.successes + one.failures))


def score_of(hours: Sequence[HourSum]) -> int:
    """Return how many more times the hour of the day was right than the hour with attempts before,
    where the two predicted different outcomes, within :data:`MAX_SCORE`."""
    score = 0
    for number in range(1, len(hours)):
        verdict, latest = hours[number].verdict, hours[number - 1].verdict
        if not verdict or not latest:
            continue
        successes, failures, _ = earlier_sums(hours[number].hour, hours[:number])
        seen = successes + failures
        if seen < MIN_VOTE:
            continue
        vote = (successes > MIN_MAJORITY * seen) - (failures > MIN_MAJORITY * seen)
        if vote and vote != latest:
            score += 1 if vote == verdict else -1
            score = max(-MAX_SCORE, min(MAX_SCORE, score))
    return score


def trials_of(hours: Sequence[HourSum]) -> dict[tuple[bool, bool], tuple[int, int]]:
    """Return the numbers of successes and failures at hours of the day of which nothing was known,
    after a failure; by whether that was a ban, and whether outcomes had differed before."""
    found: dict[tuple[bool, bool], tuple[int, int]] = {}
    verdicts: set[int] = set()
    for number, one in enumerate(hours):
        before = hours[number - 1] if number else None
        if before is not None and before.verdict < 0 and one.verdict:
            successes, failures, _ = earlier_sums(one.hour, hours[:number])
            if successes + failures < MIN_WEIGHT and one.hour - before.hour >= len(RECENT):
                kind = before.bans > 0, verdicts >= {1, -1}
                won, lost = found.get(kind, (0, 0))
                found[kind] = won + (one.verdict > 0), lost + (one.verdict < 0)
        verdicts.add(one.verdict)
    return found


class _Rhythm:
    """The last hours with attempts of a tier at a segment of a domain, in order of time."""

    __slots__ = ("hours", "is_mixed", "score", "trials")

    def __init__(self) -> None:
        self.hours: list[HourSum] = []
        self.is_mixed = False
        self.score = 0
        self.trials: dict[tuple[bool, bool], tuple[int, int]] = {}

    def add(self, added: HourSum) -> bool:
        """Add attempts. Return True if that may change more than the sums."""
        place = len(self.hours)
        while place and self.hours[place - 1].hour > added.hour:
            place -= 1
        if place and self.hours[place - 1].hour == added.hour:
            before = self.hours[place - 1]
            counts = (x + y for x, y in zip(before[1:], added[1:], strict=True))
            after = self.hours[place - 1] = HourSum(added.hour, *counts)
            is_same = before.verdict == after.verdict and (before.bans > 0) == (after.bans > 0)
            return place < len(self.hours) or not is_same
        self.hours.insert(place, added)
        del self.hours[:-HOURS]
        return True

    def update(self) -> None:
        self.is_mixed = {one.verdict for one in self.hours} >= {1, -1}
        self.score = score_of(self.hours) if self.is_mixed else 0
        self.trials = trials_of(self.hours)


class Rhythms:
    """The rhythms of tiers at segments of domains, at most *max_rhythms*, and the trials on all of
    them."""

    def __init__(self, max_rhythms: int = MAX_RHYTHMS) -> None:
        self._max = max_rhythms
        self._rhythms: OrderedDict[_Key, _Rhythm] = OrderedDict()
        self._trials: dict[_TrialKind, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._rhythms)

    def add(self, features: Features, tier: str, outcome: Outcome, at: float) -> None:
        """Count an attempt."""
        won, banned = outcome is Outcome.SUCCESS, outcome is Outcome.BAN
        key = (tier, features.domain, features.segment)
        self._add(key, [HourSum(int(at // HOUR), won, not won, banned)])
        self._rhythms.move_to_end(key)
        self._trim()

    def add_hours(self, tier: str, domain: str, segment: str, hours: Iterable[HourSum]) -> None:
        """Count the attempts of *tier* at a segment of *domain* which is not known yet. The most
        recently used one is added first; further ones than the maximum are not kept."""
        if len(self._rhythms) < self._max:
            self._add((tier, domain, segment), hours)
            self._rhythms.move_to_end((tier, domain, segment), last=False)

    def effect(self, features: Features, tier: str, at: float) -> HourEffect:
        """Return what the hour of the day says of *tier* for pages with *features*."""
        rhythm = self._rhythms.get((tier, features.domain, features.segment))
        if rhythm is None:
            return NO_HOUR
        last = rhythm.hours[-1]
        if not rhythm.is_mixed and last.verdict >= 0:
            return NO_HOUR
        hour = int(at // HOUR)
        earlier, recent = earlier_sums(hour, rhythm.hours), recent_sums(hour, last)
        is_new = hour - last.hour >= len(RECENT)
        odds = ODDS * ODDS_FACTOR**rhythm.score if rhythm.is_mixed else 0.0
        known = HourEffect(earlier, recent, rhythm.score > 0, odds / (1 + odds), is_new)
        if earlier.successes + earlier.failures >= MIN_WEIGHT or not is_new:
            return known
        if last.verdict >= 0 or rhythm.score < 0:
            return known._replace(weight=0.0)
        won, lost = self._trials.get((tier, last.bans > 0, rhythm.is_mixed), (0, 0))
        scale = min(1.0, TRIAL_CAP / max(1, won + lost))
        won_before, lost_before = TRIAL_PRIOR
        whole = won_before + lost_before + scale * (won + lost)
        return known._replace(weight=0.0, trial=(won_before + scale * won) / whole)

    def merge_older(self, older: Rhythms) -> None:
        """Add older evidence. *older* must not be used afterwards."""
        for key, rhythm in reversed(older._rhythms.items()):
            is_known = key in self._rhythms
            self._add(key, rhythm.hours)
            if not is_known:
                self._rhythms.move_to_end(key, last=False)
        self._trim()

    def _add(self, key: _Key, hours: Iterable[HourSum]) -> None:
        rhythm = self._rhythms.get(key)
        if rhythm is None:
            rhythm = self._rhythms[key] = _Rhythm()
        changes = [rhythm.add(one) for one in hours]
        if any(changes):
            before = rhythm.trials
            rhythm.update()
            for trials, sign in ((before, -1), (rhythm.trials, 1)):
                for kind, counts in trials.items():
                    known = self._trials.get((key[0], *kind), (0, 0))
                    won, lost = (x + sign * y for x, y in zip(known, counts, strict=True))
                    self._trials[key[0], *kind] = won, lost

    def _trim(self) -> None:
        while len(self._rhythms) > self._max:
            self._rhythms.popitem(last=False)
