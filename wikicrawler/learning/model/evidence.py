"""What was seen: weighted counts of attempts by what they have in common.

Counts are kept as sums of a moment and weighed anew when they are asked for or added to: that is
exact, for all of a sum ages alike. :mod:`wikicrawler.learning.model.sums` defines the sums.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.change import UNSUSPICIOUS
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.sums import (
    DOMAIN_LEVEL,
    LEAF_LEVEL,
    SITE_LEVEL,
    Changed,
    Sums,
    decay,
)
from wikicrawler.urls.sites import site_of_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.learning.model.features import Features

LEFT = 1.0
"""Attempts that what was seen on a domain before a change is worth after it, at most."""
KNOWN = 5.0
"""Attempts, by weight, after which a domain is known well enough to be seen to change."""
MAX_BUCKETS = 200_000
"""The buckets that are kept; the one that was not used for longest makes room."""

Key = tuple[str, ...]


class Group(NamedTuple):
    """Attempts of a tier that have all heuristics in common."""

    features: Features
    tier: str
    sums: Sums
    kept: float
    """What weight changes of the domain have left to them, 1 being all."""


class Tried(NamedTuple):
    """What became of an attempt."""

    at: float
    success: bool
    expected: float | None
    """The probability with which success was expected; None where it was not asked."""


class Bucket:
    """The sums of the attempts that share some heuristics, as of the moment :attr:`at`."""

    __slots__ = ("at", "bans", "faded", "failures", "successes", "suspicion")

    def __init__(self, at: float, faded: float) -> None:
        self.successes = self.failures = self.bans = 0.0
        self.at = at
        self.faded = faded
        """Of the changes of the domain that these sums know of: the sum of the logs of ``kept``."""
        self.suspicion = UNSUSPICIOUS
        """Of a domain's bucket: how much speaks for a change that was not told yet."""

    def sums(self, at: float, faded: float) -> Sums:
        """The sums as of *at*, after all changes of the domain."""
        weight = decay(at - self.at)
        if faded != self.faded:
            weight *= math.exp(faded - self.faded)
        return Sums(self.successes * weight, self.failures * weight, self.bans * weight)

    def is_known(self, at: float) -> bool:
        """Whether enough was seen of a domain to see it change."""
        sums = self.sums(at, self.faded)
        return sums.successes + sums.failures >= KNOWN

    def add(self, outcome: Outcome, at: float, faded: float) -> None:
        """Count an attempt of the moment *at*, which may lie before others that are counted."""
        now = max(at, self.at)
        self.replace(self.sums(now, faded), now, faded)
        weight = decay(now - at)
        if outcome is Outcome.SUCCESS:
            self.successes += weight
        else:
            self.failures += weight
            self.bans += weight * (outcome is Outcome.BAN)

    def absorb(self, older: Bucket) -> None:
        """Add the sums of the same attempts' forerunners, which know of no change that these do
        not; what was suspected then stands where little was seen since, and no change told."""
        now = max(self.at, older.at)
        if self.suspicion == UNSUSPICIOUS and self.faded == older.faded and not self.is_known(now):
            self.suspicion = older.suspicion
        both = zip(self.sums(now, self.faded), older.sums(now, self.faded), strict=True)
        self.replace(Sums(*(x + y for x, y in both)), now, self.faded)

    def lose(self, part: Sums, share: float, at: float) -> None:
        """Take off that *share* of a *part* of these sums, as of *at*."""
        left = zip(self.sums(at, self.faded), part, strict=True)
        self.replace(Sums(*(max(0.0, x - share * y) for x, y in left)), at, self.faded)

    def replace(self, sums: Sums, at: float, faded: float) -> None:
        self.successes, self.failures, self.bans = sums
        self.at, self.faded = at, faded


class Evidence:
    """The buckets of all levels, at most *max_buckets*."""

    def __init__(self, max_buckets: int = MAX_BUCKETS) -> None:
        self._max = max_buckets
        self._buckets: OrderedDict[Key, Bucket] = OrderedDict()

    @classmethod
    def of_groups(
        cls, groups: Iterable[Group], at: float, max_buckets: int = MAX_BUCKETS
    ) -> Evidence:
        """The evidence of *groups*, whose sums are as of *at*: those that were added to last come
        first. The others count only in buckets that they share with these, where there are too
        many."""
        evidence = cls(max_buckets)
        buckets = evidence._buckets
        for features, tier, sums, kept in groups:
            local = sums if kept == 1.0 else Sums(*(part * kept for part in sums))
            for level, key in enumerate(_keys(features, tier)):
                bucket = buckets.get(key)
                if bucket is None:
                    if len(buckets) >= max_buckets:
                        continue
                    bucket = buckets[key] = Bucket(at, 0.0)
                    buckets.move_to_end(key, last=False)
                part = local if level >= SITE_LEVEL else sums
                bucket.successes += part.successes
                bucket.failures += part.failures
                bucket.bans += part.bans
        return evidence

    def __len__(self) -> int:
        return len(self._buckets)

    def add(self, features: Features, tier: str, outcome: Outcome, at: float) -> None:
        """Count an attempt; :attr:`Outcome.NONE` says nothing and is not to be counted."""
        keys = _keys(features, tier)
        domain = self._used(keys[DOMAIN_LEVEL], at, 0.0)
        for level in (LEAF_LEVEL, DOMAIN_LEVEL, SITE_LEVEL, 1, 0):  # a domain outlives its shapes
            faded = domain.faded if level >= DOMAIN_LEVEL else 0.0
            self._used(keys[level], at, faded).add(outcome, at, faded)
        self._trim()

    def sums(self, features: Features, tier: str, at: float) -> tuple[Sums, ...]:
        """Return what was seen of *tier* on pages like that one, a sum for each of
        :data:`~wikicrawler.learning.model.sums.LEVELS`."""
        keys = _keys(features, tier)
        domain = self._buckets.get(keys[DOMAIN_LEVEL])
        faded = domain.faded if domain else 0.0
        found = []
        for level, key in enumerate(keys):
            bucket = self._buckets.get(key)
            known = faded if level >= DOMAIN_LEVEL else 0.0
            found.append(bucket.sums(at, known) if bucket else _NOTHING)
        return tuple(found)

    def suspect(
        self, features: Features, tier: str, outcome: Outcome, expected: float, at: float
    ) -> bool:
        """Whether an attempt, expected to succeed with that probability, tells a change of the tier
        on its domain; never where little was seen of it. The attempt is yet to be added."""
        bucket = self._buckets.get(_keys(features, tier)[DOMAIN_LEVEL])
        if bucket is None or not bucket.is_known(at):
            return False
        bucket.suspicion = bucket.suspicion.after(outcome is Outcome.SUCCESS, expected)
        return bucket.suspicion.is_change

    def resume_suspicion(self, tier: str, domain: str, tried: Sequence[Tried], at: float) -> None:
        """Suspect by the last attempts of *tier* on *domain*, all of which are counted already; in
        the order of time, until *at*."""
        bucket = self._buckets.get((tier, "domain", domain))
        if bucket is None:
            return
        sums = bucket.sums(at, bucket.faded)
        weights = [decay(at - one.at) for one in tried]
        before = sums.successes + sums.failures - sum(weights)
        for one, weight in zip(tried, weights, strict=True):
            if one.expected is not None and before >= KNOWN * weight:  # of its moment
                bucket.suspicion = bucket.suspicion.after(one.success, one.expected)
            before += weight

    def discount(self, features: Features, tier: str, at: float) -> Changed:
        """The tier has changed on the domain: leave little weight to what was seen there before."""
        keys = _keys(features, tier)
        domain, site = (self._used(keys[level], at, 0.0) for level in (DOMAIN_LEVEL, SITE_LEVEL))
        now = max(at, domain.at, site.at)
        before = domain.sums(now, domain.faded)
        kept = LEFT / max(LEFT, before.successes + before.failures)
        faded = domain.faded + math.log(kept)
        domain.replace(domain.sums(now, faded), now, faded)  # its shapes follow when they are used
        domain.suspicion = UNSUSPICIOUS
        site.lose(before, 1 - kept, now)
        return Changed(at, tier, features.domain, kept)

    def absorb(self, older: Evidence) -> None:
        """Add what was seen before all that was seen, and told to have changed, here. *older* is
        used up by it."""
        own, self._buckets = self._buckets, older._buckets
        known = {}  # what the older shapes know of, whether they are here or not
        for key, bucket in own.items():
            before = self._buckets.get(key)
            if key[1] == "domain" and before is not None:
                known[key[0], key[2]] = before.faded
                site = self._buckets.get((key[0], "site", site_of_host(key[2])))
                if bucket.faded and site is not None:
                    now = max(before.at, site.at)
                    share = 1 - math.exp(bucket.faded)
                    site.lose(before.sums(now, before.faded), share, now)
        for key, bucket in own.items():
            if key[1] in {"domain", "shape"}:
                bucket.faded += known.get((key[0], key[2]), 0.0)
            before = self._buckets.get(key)
            if before is not None:
                bucket.absorb(before)
            self._buckets[key] = bucket
            self._buckets.move_to_end(key)
        self._trim()

    def _trim(self) -> None:
        while len(self._buckets) > self._max:
            self._buckets.popitem(last=False)

    def _used(self, key: Key, at: float, faded: float) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(at, faded)
        else:
            self._buckets.move_to_end(key)
        return bucket


def _keys(features: Features, tier: str) -> tuple[Key, ...]:
    domain = features.domain
    return (
        (tier, "wiki", features.wiki),
        (tier, "suffix", features.wiki, features.suffix),
        (tier, "site", features.registered_domain),
        (tier, "domain", domain),
        (tier, "shape", domain, features.shape),
    )


_NOTHING = Sums(0.0, 0.0, 0.0)
