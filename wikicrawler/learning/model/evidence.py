"""Evidence: weighted counts of attempts, grouped by shared heuristics.

Counts are stored as sums with a timestamp, and decayed when they are read or added to. This is
exact because all parts of a sum decay alike. :mod:`wikicrawler.learning.model.sums` defines the
sums.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wikicrawler.learning.model.change import NEW_TEST
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

WEIGHT_AFTER_CHANGE = 1.0
"""Maximum weight, in attempts, of a domain's evidence from before a change."""
MIN_ATTEMPTS = 5.0
"""Weight of the attempts on a domain that the test for changes requires."""
MAX_BUCKETS = 200_000
"""Maximum number of buckets; the least recently used one is discarded."""

Key = tuple[str, ...]


class Group(NamedTuple):
    """Attempts of a tier that share all heuristics."""

    features: Features
    tier: str
    sums: Sums
    kept: float
    """Weight left to them after changes of the domain; 1 without changes."""


class Trial(Protocol):
    """The result of an attempt, and the estimate that was made before it."""

    @property
    def at(self) -> float:
        """Seconds since the epoch."""

    @property
    def ok(self) -> bool:
        """True if it was a success."""

    @property
    def expected(self) -> float | None:
        """P(success) that was estimated before it; None if unknown."""


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


class Evidence:
    """The buckets of all levels, at most *max_buckets*."""

    def __init__(self, max_buckets: int = MAX_BUCKETS) -> None:
        self._max = max_buckets
        self._buckets: OrderedDict[Key, Bucket] = OrderedDict()

    @classmethod
    def of_groups(
        cls, groups: Iterable[Group], at: float, max_buckets: int = MAX_BUCKETS
    ) -> Evidence:
        """Return the evidence of *groups*, whose sums are as of *at*, the most recent groups first.

        Beyond *max_buckets*, further groups count only in buckets that exist already.
        """
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
        """Count an attempt. Do not call it with :attr:`Outcome.NONE`, which is no evidence."""
        keys = _keys(features, tier)
        domain = self._touch(keys[DOMAIN_LEVEL], at, 0.0)
        for level in (LEAF_LEVEL, DOMAIN_LEVEL, SITE_LEVEL, 1, 0):  # a domain outlives its shapes
            log_kept = domain.log_kept if level >= DOMAIN_LEVEL else 0.0
            self._touch(keys[level], at, log_kept).add(outcome, at, log_kept)
        self._trim()

    def sums(self, features: Features, tier: str, at: float) -> tuple[Sums, ...]:
        """Return the evidence on *tier* for pages with *features*: the sums of each of
        :data:`~wikicrawler.learning.model.sums.LEVELS`."""
        keys = _keys(features, tier)
        domain = self._buckets.get(keys[DOMAIN_LEVEL])
        log_kept = domain.log_kept if domain else 0.0
        found = []
        for level, key in enumerate(keys):
            bucket = self._buckets.get(key)
            known = log_kept if level >= DOMAIN_LEVEL else 0.0
            found.append(bucket.sums(at, known) if bucket else _NO_SUMS)
        return tuple(found)

    def detect_change(
        self, features: Features, tier: str, outcome: Outcome, expected: float, at: float
    ) -> bool:
        """Update the change test with an attempt that is not yet added. Return True if the tier has
        changed on the domain.

        :param expected: P(success) that was estimated before the attempt
        """
        bucket = self._buckets.get(_keys(features, tier)[DOMAIN_LEVEL])
        if bucket is None or not bucket.has_enough_attempts(at):
            return False
        bucket.change_test = bucket.change_test.after(outcome is Outcome.SUCCESS, expected)
        return bucket.change_test.is_change

    def resume_change_test(
        self, tier: str, domain: str, trials: Sequence[Trial], at: float
    ) -> None:
        """Restore the change test from the last attempts of *tier* on *domain*, until *at*.

        The attempts are in order of time, and already counted.
        """
        bucket = self._buckets.get((tier, "domain", domain))
        if bucket is None:
            return
        sums = bucket.sums(at, bucket.log_kept)
        weights = [decay(at - one.at) for one in trials]
        before = sums.successes + sums.failures - sum(weights)
        for one, weight in zip(trials, weights, strict=True):
            if one.expected is not None and before >= MIN_ATTEMPTS * weight:  # as of its time
                bucket.change_test = bucket.change_test.after(one.ok, one.expected)
            before += weight

    def discount(self, features: Features, tier: str, at: float) -> Changed:
        """Reduce the weight of the domain's evidence after a change of *tier*."""
        keys = _keys(features, tier)
        domain, site = (self._touch(keys[level], at, 0.0) for level in (DOMAIN_LEVEL, SITE_LEVEL))
        now = max(at, domain.at, site.at)
        before = domain.sums(now, domain.log_kept)
        kept = WEIGHT_AFTER_CHANGE / max(WEIGHT_AFTER_CHANGE, before.successes + before.failures)
        log_kept = domain.log_kept + math.log(kept)
        domain.replace(domain.sums(now, log_kept), now, log_kept)  # its shapes follow on use
        domain.change_test = NEW_TEST
        site.subtract(before, 1 - kept, now)
        return Changed(at, tier, features.domain, kept)

    def merge_older(self, older: Evidence) -> None:
        """Add evidence that is older than all attempts and changes in this one.

        *older* must not be used afterwards.
        """
        own, self._buckets = self._buckets, older._buckets
        known = {}  # log_kept of the older domains, for their shapes
        for key, bucket in own.items():
            before = self._buckets.get(key)
            if key[1] == "domain" and before is not None:
                known[key[0], key[2]] = before.log_kept
                site = self._buckets.get((key[0], "site", site_of_host(key[2])))
                if bucket.log_kept and site is not None:
                    now = max(before.at, site.at)
                    share = 1 - math.exp(bucket.log_kept)
                    site.subtract(before.sums(now, before.log_kept), share, now)
        for key, bucket in own.items():
            if key[1] in {"domain", "shape"}:
                bucket.log_kept += known.get((key[0], key[2]), 0.0)
            before = self._buckets.get(key)
            if before is not None:
                bucket.merge_older(before)
            self._buckets[key] = bucket
            self._buckets.move_to_end(key)
        self._trim()

    def _trim(self) -> None:
        while len(self._buckets) > self._max:
            self._buckets.popitem(last=False)

    def _touch(self, key: Key, at: float, log_kept: float) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(at, log_kept)
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


_NO_SUMS = Sums(0.0, 0.0, 0.0)
