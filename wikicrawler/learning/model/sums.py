"""Weighted sums of attempts, computed directly from the stored rows.

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


class Row(NamedTuple):
    """A stored attempt."""

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


def sum_rows(
    rows: Iterable[Row],
    tier: str,
    conditions: Mapping[str, str],
    at: float,
    changes: Iterable[Changed] = (),
) -> Sums:
    """Return the sums of the *rows* of *tier* that meet *conditions*, as of *at*.

    :param changes: changes to apply; only if the conditions include a domain or registered domain
    """
    local = not conditions.keys().isdisjoint({"domain", "registered_domain"})
    events = [change for change in changes if local and change.tier == tier]
    successes = failures = bans = 0.0
    for row in rows:
        if row.tier != tier or row.outcome is Outcome.NONE or row.at > at:
            continue
        if any(row.heuristics.get(name) != value for name, value in conditions.items()):
            continue
        domain = row.heuristics["domain"]
        weight = decay(at - row.at)
        for event in events:
            if event.domain == domain and row.at < event.at:
                weight *= event.kept
        successes += weight * (row.outcome is Outcome.SUCCESS)
        failures += weight * (row.outcome is not Outcome.SUCCESS)
        bans += weight * (row.outcome is Outcome.BAN)
    return Sums(successes, failures, bans)
