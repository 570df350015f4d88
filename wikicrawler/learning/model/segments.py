"""Evidence on the first segment of a path, across sites: ``/app/`` may need a browser on most.

It is counted by parts of sites: the attempts of a tier at pages of a domain whose paths begin
alike. As of its latest attempt, a part counts as :data:`PART_CAP` attempts at most, so that no site
speaks for the others. Changes of a site are not applied to it.

The estimate for a site is shifted by the difference between a segment and all segments:

    odds(shifted) = odds(estimate) · odds(segment) / odds(all)

as in a logistic model with an effect of the site and an effect of the segment (G. Rasch,
*Probabilistic models for some intelligence and attainment tests*, 1960). So a failure at one
segment says less about another one whose pages work on other sites.

A site may have no attempts at a segment, but at others. Then the attempts at the segment on sites
whose other segments end alike count too: ``/shop/`` may block plain GETs where other pages do not.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.bucket import Bucket
from wikicrawler.learning.model.sums import Sums, decay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.outcomes import Outcome

PART_CAP = 3.0
"""Maximum weight of a part of a site, in attempts."""
CLEAR = 0.75
"""Share of a part's attempts that end alike, for the part to have an ending."""
MAX_COMPARED = 32
"""Maximum number of parts of a domain that are compared with each other."""
MAX_PARTS = 100_000
"""Maximum number of parts of sites; the least recently used one is forgotten. What it has counted
as stays counted."""
MAX_SEGMENTS = 20_000
"""Maximum number of sums; the least recently used one is discarded."""

NO_SUMS = Sums(0.0, 0.0, 0.0)
_Key = tuple[str, ...]


class Elsewhere(StrEnum):
    """How a tier ends at the other segments of a domain."""

    OK = "ok"
    FAILED = "failed"
    MIXED = "mixed"


class SegmentSums(NamedTuple):
    """The evidence on a tier for pages whose paths begin alike."""

    own: Sums
    """That of all sites."""
    every: Sums
    """That of all sites and segments."""
    elsewhere: Elsewhere | None = None
    """How the tier ends at the other segments of the domain; None if that is not known."""
    given: Sums = NO_SUMS
    """That of the domains of which :attr:`elsewhere` is the same; none if the domain has attempts
    of its own at this segment."""


class _Part:
    """The attempts of a tier on the pages of a domain whose paths begin alike."""

    __slots__ = ("bucket", "elsewhere", "ending", "key")

    def __init__(self, key: _Key, bucket: Bucket) -> None:
        self.key = key
        self.bucket = bucket
        self.ending: Elsewhere | None = None
        """``OK`` or ``FAILED`` if nearly all attempts end so."""
        self.elsewhere: Elsewhere | None = None
        """That of the other parts of the domain, by which it is counted."""

    @property
    def domain_key(self) -> _Key:
        tier, wiki, _, domain = self.key
        return tier, wiki, domain

    def counts_as(self, at: float) -> Sums:
        """Return what the attempts count as, as of *at*, which must not precede the latest."""
        bucket = self.bucket
        seen = bucket.successes + bucket.failures
        weight = decay(at - bucket.at) * (min(1.0, PART_CAP / seen) if seen else 0.0)
        return Sums(bucket.successes * weight, bucket.failures * weight, bucket.bans * weight)


class Segments:
    """The sums of segments, and those of the parts of sites of which they are made."""

    def __init__(self, max_parts: int = MAX_PARTS, max_segments: int = MAX_SEGMENTS) -> None:
        self._max_parts, self._max_segments = max_parts, max_segments
        self._parts: OrderedDict[_Key, _Part] = OrderedDict()
        self._sums: OrderedDict[_Key, Bucket] = OrderedDict()
        self._compared: dict[_Key, list[_Part]] = {}

    def __len__(self) -> int:
        return len(self._parts) + len(self._sums)

    def add(self, features: Features, tier: str, outcome: Outcome, at: float) -> None:
        """Count an attempt."""
        key = part_key(features, tier)
        part = self._parts.get(key)
        if part is None:
            part = self._keep(_Part(key, Bucket(at, 0.0)))
        now = max(at, part.bucket.at)
        before = part.counts_as(now)
        part.bucket.add(outcome, at, 0.0)
        self._parts.move_to_end(key)
        self._recount(part, before, now)
        self._trim()

    def add_part(self, features: Features, tier: str, sums: Sums, last: float, at: float) -> None:
        """Count attempts with *sums* as of *at*, the latest of which was made at *last*.

        Attempts at the same part may be added in several calls, with the same *at*. Parts are
        added from the most recent one on; further parts than the maximum are not kept.
        """
        key = part_key(features, tier)
        part = self._parts.get(key)
        if part is None:
            part = _Part(key, Bucket(last, 0.0))
            if len(self._parts) < self._max_parts:
                self._keep(part)
                self._parts.move_to_end(key, last=False)
        before = part.counts_as(at)
        latest = max(last, part.bucket.at)
        since = decay(at - latest)
        known = part.bucket.sums(at, 0.0)
        both = Sums(*((x + y) / since for x, y in zip(known, sums, strict=True)))
        part.bucket.replace(both, latest, 0.0)
        self._recount(part, before, at)
        self._trim()

    def sums(self, features: Features, tier: str, at: float) -> SegmentSums:
        """Return the evidence on *tier* for pages with *features*."""
        key = part_key(features, tier)
        own, every = self._sums_at(key[:3], at), self._sums_at(key[:2], at)
        others = self._compared.get((key[0], key[1], key[3]))
        if others is None or key in self._parts:
            return SegmentSums(own, every)
        elsewhere = ending_of(others)
        if elsewhere is None:
            return SegmentSums(own, every)
        return SegmentSums(own, every, elsewhere, self._sums_at((*key[:3], elsewhere), at))

    def merge_older(self, older: Segments) -> None:
        """Add older evidence. *older* must not be used afterwards."""
        for key, bucket in older._sums.items():
            self._count(key, bucket.sums(bucket.at, 0.0), bucket.at)
        for key, before in reversed(older._parts.items()):
            part = self._parts.get(key)
            if part is None:
                self._keep(before)
                self._parts.move_to_end(key, last=False)
                continue
            now = max(part.bucket.at, before.bucket.at)
            for one in (part, before):
                self._count_part(one, _difference(NO_SUMS, one.counts_as(now)), now)
            part.bucket.merge_older(before.bucket)
            self._count_part(part, part.counts_as(now), now)
            part.ending = _ending(part.bucket)
        for parts in self._compared.values():
            self._compare(parts, max(part.bucket.at for part in parts))
        self._trim()

    def _keep(self, part: _Part) -> _Part:
        self._parts[part.key] = part
        parts = self._compared.setdefault(part.domain_key, [])
        if len(parts) < MAX_COMPARED:
            parts.append(part)
        return part

    def _recount(self, part: _Part, before: Sums, at: float) -> None:
        """Count what *part* counts as, instead of *before*, as of *at*."""
        self._count_part(part, _difference(part.counts_as(at), before), at)
        ending = _ending(part.bucket)
        if ending is part.ending and before != NO_SUMS:
            return
        part.ending = ending
        parts = self._compared.get(part.domain_key, [])
        if part in parts:
            self._compare(parts, at)

    def _compare(self, parts: list[_Part], at: float) -> None:
        """Count the *parts* of a domain by what the others have become, as of *at*."""
        for part in parts:
            elsewhere = ending_of(other for other in parts if other is not part)
            if elsewhere is not part.elsewhere:
                now = max(at, part.bucket.at)
                counted = part.counts_as(now)
                if part.elsewhere:
                    self._count((*part.key[:3], part.elsewhere), _difference(NO_SUMS, counted), now)
                if elsewhere:
                    self._count((*part.key[:3], elsewhere), counted, now)
                part.elsewhere = elsewhere

    def _count_part(self, part: _Part, change: Sums, at: float) -> None:
        self._count(part.key[:3], change, at)
        self._count(part.key[:2], change, at)
        if part.elsewhere:
            self._count((*part.key[:3], part.elsewhere), change, at)

    def _count(self, key: _Key, change: Sums, at: float) -> None:
        """Add *change*, as of *at*, to the sums of *key*."""
        bucket = self._sums.get(key)
        if bucket is None:
            bucket = self._sums[key] = Bucket(at, 0.0)
        else:
            self._sums.move_to_end(key)
        if at < bucket.at:
            weight = decay(bucket.at - at)
            change = Sums(*(weight * x for x in change))
        elif at > bucket.at:
            bucket.replace(bucket.sums(at, 0.0), at, 0.0)
        # Rounding must not leave less than nothing.
        bucket.successes = max(0.0, bucket.successes + change.successes)
        bucket.failures = max(0.0, bucket.failures + change.failures)
        bucket.bans = max(0.0, bucket.bans + change.bans)

    def _sums_at(self, key: _Key, at: float) -> Sums:
        bucket = self._sums.get(key)
        return bucket.sums(at, 0.0) if bucket else NO_SUMS

    def _trim(self) -> None:
        while len(self._parts) > self._max_parts:
            _, part = self._parts.popitem(last=False)
            parts = self._compared[part.domain_key]
            if part in parts:
                parts.remove(part)
            if not parts:
                del self._compared[part.domain_key]
        while len(self._sums) > self._max_segments:
            self._sums.popitem(last=False)


def part_key(features: Features, tier: str) -> _Key:
    return tier, features.wiki, features.segment, features.domain


def ending_of(parts: Iterable[_Part]) -> Elsewhere | None:
    """Return how *parts* end; None if that is known of none."""
    endings = {part.ending for part in parts} - {None}
    return Elsewhere.MIXED if len(endings) > 1 else next(iter(endings), None)


def _ending(bucket: Bucket) -> Elsewhere | None:
    clear = (CLEAR - 1e-9) * (bucket.successes + bucket.failures)  # sums are rounded
    if bucket.successes >= clear:
        return Elsewhere.OK
    return Elsewhere.FAILED if bucket.failures >= clear else None


def _difference(after: Sums, before: Sums) -> Sums:
    return Sums(*(x - y for x, y in zip(after, before, strict=True)))
