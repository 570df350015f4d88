"""Evidence: weighted counts of attempts, grouped by shared heuristics.

Counts are stored as sums with a timestamp, and decayed when they are read or added to. This is
exact because all parts of a sum decay alike. :mod:`wikicrawler.learning.model.sums` defines the
sums.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wikicrawler.learning.model.bucket import MIN_ATTEMPTS, Bucket
from wikicrawler.learning.model.change import NEW_TEST
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.rhythm import Rhythms
from wikicrawler.learning.model.segments import Segments
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
    last: float
    """When the latest was made, in seconds since the epoch."""


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


class Evidence:
    """The buckets of all levels, at most *max_buckets*."""

    def __init__(self, max_buckets: int = MAX_BUCKETS) -> None:
        self._max = max_buckets
        self._buckets: OrderedDict[Key, Bucket] = OrderedDict()
        self.segments = Segments()
        """The evidence on first segments of paths, across sites."""
        self.rhythms = Rhythms()
        """The evidence on hours of the day."""

    @classmethod
    def of_groups(
        cls, groups: Iterable[Group], at: float, max_buckets: int = MAX_BUCKETS
    ) -> Evidence:
        """Return the evidence of *groups*, whose sums are as of *at*, the most recent groups first.

        Beyond *max_buckets*, further groups count only in buckets that exist already.
        """
        evidence = cls(max_buckets)
        buckets = evidence._buckets
        for features, tier, sums, kept, last in groups:
            evidence.segments.add_part(features, tier, sums, last, at)
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
        self.segments.add(features, tier, outcome, at)
        self.rhythms.add(features, tier, outcome, at)
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
        self.segments.merge_older(older.segments)
        self.rhythms.merge_older(older.rhythms)
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
