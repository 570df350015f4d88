"""Weighted sums of attempts, computed directly from the observations one by one.

An attempt has the weight ``0.5 ** (age / HALF_LIFE)``. After each change of its tier on its domain,
the weight is multiplied by :attr:`Changed.kept`, on the levels of its own site.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HALF_LIFE = 30 * 86_400.0
"""Seconds after which the weight of an attempt is halved."""

#: The heuristics that the attempts of a bucket share, from general to local.
LEVELS = (
    ("wiki",),
    ("wiki", "suffix"),
    ("registered_domain",),
    ("domain",),
    ("domain", "shape"),
)
SITE_LEVEL, DOMAIN_LEVEL, LEAF_LEVEL = 2, 3, 4


class Sums(NamedTuple):
    """Weights of successful attempts, of failed attempts, and of the bans among the failed."""

    successes: float
    failures: float
    bans: float


class Observation(NamedTuple):
    """An attempt as evidence."""

    at: float
    """Seconds since the epoch."""
    tier: str
    outcome: Outcome
    heuristics: Mapping[str, str]


class Changed(NamedTuple):
    """A change of a tier's success on a domain, at the time :attr:`at`."""

    at: float
    tier: str
    domain: str
    kept: float
    """Factor for the weight of earlier attempts, from 0 to 1."""


def decay(seconds: float) -> float:
    """Return the weight of an attempt made *seconds* ago."""
    return math.exp2(-seconds / HALF_LIFE)


def sum_observations(
    observations: Iterable[Observation],
    tier: str,
    conditions: Mapping[str, str],
    at: float,
    changes: Iterable[Changed] = (),
) -> Sums:
    """Return the sums of the *observations* of *tier* that meet *conditions*, as of *at*.

    :param changes: changes to apply; only if the conditions include a domain or registered domain
    """
    local = not conditions.keys().isdisjoint({"domain", "registered_domain"})
    events = [change for change in changes if local and change.tier == tier]
    successes = failures = bans = 0.0
    for one in observations:
        if one.tier != tier or one.outcome is Outcome.NONE or one.at > at:
            continue
        if any(one.heuristics.get(name) != value for name, value in conditions.items()):
            continue
        domain = one.heuristics["domain"]
        weight = decay(at - one.at)
        for event in events:
            if event.domain == domain and one.at < event.at:
                weight *= event.kept
        successes += weight * (one.outcome is Outcome.SUCCESS)
        failures += weight * (one.outcome is not Outcome.SUCCESS)
        bans += weight * (one.outcome is Outcome.BAN)
    return Sums(successes, failures, bans)
