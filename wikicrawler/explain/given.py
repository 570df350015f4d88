"""The probability that tiers succeed, given any conjunction of heuristics, from the attempts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from wikicrawler.explain.columns import entry, table, time_text
from wikicrawler.explain.facts import Posterior, Weights
from wikicrawler.explain.levels import posterior
from wikicrawler.explain.page import moment, stored_outcome
from wikicrawler.learning.model.estimate import estimate_given
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.segments import NO_SUMS
from wikicrawler.learning.model.sums import (
    HALF_LIFE,
    Changed,
    Observation,
    Sums,
    sum_observations,
)
from wikicrawler.learning.restore import HALF_LIVES
from wikicrawler.store.attempts import find_attempts
from wikicrawler.store.sites import find_changes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class GivenTier:
    """A tier, for pages that meet the conditions."""

    tier: str
    success: Posterior
    p_ban: float
    seen: Weights
    """Weights of the attempts that meet all conditions."""


@dataclass(frozen=True, slots=True)
class GivenExplanation:
    """P(success | conditions) of each tier."""

    given: Mapping[str, str]
    at: datetime
    tiers: tuple[GivenTier, ...]
    """By decreasing P(success). Only tiers with attempts that meet all conditions."""


def explain_conditions(
    connection: Connection, conditions: Mapping[str, str], at: float, harmless: Collection[str]
) -> GivenExplanation:
    """Estimate P(success) of each tier, given *conditions* (value by name), as of *at*.

    Reads the attempts once for each level that the conditions imply. An attempt is summed as it is
    read: memory does not grow with their number.
    """
    changes = _changes(connection, at)
    read = cache(lambda shared: _sums(connection, dict(shared), at, harmless, changes))

    def sums_of(tier: str, shared: Mapping[str, str]) -> Sums:
        return read(tuple(shared.items())).get(tier, NO_SUMS)

    found = []
    for tier, seen in read(tuple(conditions.items())).items():
        estimate = estimate_given(conditions, partial(sums_of, tier))
        success = posterior(estimate.success)
        found.append(GivenTier(tier, success, estimate.ban, Weights(*seen)))
    found.sort(key=lambda one: (-one.success.mean, one.tier))
    return GivenExplanation(dict(conditions), moment(at), tuple(found))


def given_lines(explained: GivenExplanation) -> Iterator[str]:
    """Yield the explanation as text."""
    shown = ", ".join(f"{name} {value or '-'}" for name, value in explained.given.items())
    yield from entry("given", shown)
    yield from entry("as of", time_text(explained.at))
    yield ""
    heads = ("tier", "P(ok)", "80%", "95%", "P(ban)", "ok", "failed", "banned")
    rows = [
        (
            one.tier,
            f"{one.success.mean:.3f}",
            *("–".join(f"{x:.3f}" for x in ends) for ends in _intervals(one.success)),
            f"{one.p_ban:.3f}",
            *(f"{x:.2f}" for x in (one.seen.successes, one.seen.failures, one.seen.bans)),
        )
        for one in explained.tiers
    ]
    yield from table(heads, rows)


def _intervals(success: Posterior) -> tuple[tuple[float, float], tuple[float, float]]:
    return success.interval_80, success.interval_95


def _sums(
    connection: Connection,
    shared: Mapping[str, str],
    at: float,
    harmless: Collection[str],
    changes: Mapping[tuple[str, str], Sequence[Changed]],
) -> dict[str, Sums]:
    """Return the sums by tier of the attempts that meet all of *shared*."""
    found: dict[str, list[float]] = {}
    for one in find_attempts(connection, shared, since=at - HALF_LIVES * HALF_LIFE):
        outcome = stored_outcome(one.reason, final=one.final, risks_ban=one.tier not in harmless)
        if outcome is Outcome.NONE or one.at > at:
            continue
        row = Observation(one.at, one.tier, outcome, {"domain": one.domain})
        local = {"domain": one.domain} if shared.keys() & _LOCAL else {}  # where changes apply
        own = changes.get((one.tier, one.domain), ())
        sums = found.setdefault(one.tier, [0.0, 0.0, 0.0])
        for place, part in enumerate(sum_observations([row], one.tier, local, at, own)):
            sums[place] += part
    return {tier: Sums(*sums) for tier, sums in sorted(found.items())}


def _changes(connection: Connection, at: float) -> dict[tuple[str, str], list[Changed]]:
    found: dict[tuple[str, str], list[Changed]] = {}
    for one in find_changes(connection):
        if one.at <= at:
            told = Changed(one.at, one.tier, one.domain, one.kept)
            found.setdefault((one.tier, one.domain), []).append(told)
    return found


_LOCAL = {"domain", "registered_domain"}
