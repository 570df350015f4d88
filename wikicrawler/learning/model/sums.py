"""Attempts weighed and summed, by definition: over the rows as they are stored.

An attempt weighs ``0.5 ** (age / HALF_LIFE)``. Where its tier has changed on its domain since, it
weighs that times what the change has left (:attr:`Changed.kept`), on the levels of its own site.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HALF_LIFE = 30 * 86_400.0
"""Seconds in which an attempt comes to weigh half."""

#: The heuristics that the attempts of a bucket share, from the general to the local.
LEVELS = (
    ("wiki",),
    ("wiki", "suffix"),
    ("registered_domain",),
    ("domain",),
    ("domain", "shape"),
)
SITE_LEVEL, DOMAIN_LEVEL, LEAF_LEVEL = 2, 3, 4


class Sums(NamedTuple):
    """Weighted attempts: those that succeeded, those that failed, and of these the bans."""

    successes: float
    failures: float
    bans: float


class Row(NamedTuple):
    """An attempt as it is stored."""

    at: float
    """Seconds since the epoch."""
    tier: str
    outcome: Outcome
    heuristics: Mapping[str, str]


class Changed(NamedTuple):
    """From :attr:`at` on, a tier has done on a domain what it did not do before."""

    at: float
    tier: str
    domain: str
    kept: float
    """What weight is left to what was seen before, 1 being all."""


def decay(seconds: float) -> float:
    """The weight of an attempt of so many *seconds* ago."""
    return math.exp2(-seconds / HALF_LIFE)


def sum_rows(
    rows: Iterable[Row],
    tier: str,
    conditions: Mapping[str, str],
    at: float,
    changes: Iterable[Changed] = (),
) -> Sums:
    """The sums of *rows* of *tier* whose heuristics are as the *conditions* say, as of *at*.

    *changes* are heeded where the conditions name a site: a domain, or a registered domain.
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
