"""P(success | heuristics): local evidence, shrunk towards general evidence.

Each level has a Beta posterior whose prior is the mean of the level above, worth ``strength``
attempts:

    mean_i = (strength_i · mean_(i-1) + successes_i) / (strength_i + successes_i + failures_i)

(the beta-binomial shrinkage of Gelman et al., *Bayesian Data Analysis*, 3rd edition, section 5.1,
level by level). A level that contains all attempts of the next one counts without them, so that no
attempt counts twice. Its evidence is scaled down to ``cap`` attempts, so that a level with
thousands of attempts can still adapt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.beta import Beta
from wikicrawler.learning.model.sums import DOMAIN_LEVEL, LEVELS, SITE_LEVEL, Sums, sum_observations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wikicrawler.learning.model.sums import Changed, Observation


class Level(NamedTuple):
    """Weights of a level."""

    strength: float
    """Weight of the level above, in attempts."""
    cap: float
    """Maximum weight of the level's own evidence, in attempts."""


INITIAL_MEAN = 0.5
"""P(success) of a tier without any evidence."""

#: For each of :data:`~wikicrawler.learning.model.sums.LEVELS`.
LEVEL_WEIGHTS = (Level(2, 50), Level(10, 50), Level(1, 20), Level(0.5, 40), Level(0.2, 40))

_CONTAINS_NEXT = {0, SITE_LEVEL, DOMAIN_LEVEL}  # levels that contain all attempts of the next one


class Estimate(NamedTuple):
    """The estimate for a tier on a page."""

    success: Beta
    """Posterior of P(success), over attempts that are evidence."""
    ban: float
    """Mean of P(ban)."""


class LevelEstimate(NamedTuple):
    """The posterior of a tier at a level."""

    counted: Sums
    """The level's own evidence, without that of the next level, and scaled down to the cap."""
    success: Beta
    ban: float


def estimate(sums: Sequence[Sums]) -> Estimate:
    """Return the estimate from the sums of all levels (``Evidence.sums``)."""
    *_, last = level_estimates(sums)
    return Estimate(last.success, last.ban)


def level_estimates(sums: Sequence[Sums]) -> Iterator[LevelEstimate]:
    """Yield the posterior of each level."""
    mean, ban = INITIAL_MEAN, 0.0
    for level, own in enumerate(sums):
        part = own
        if level in _CONTAINS_NEXT:
            part = Sums(*(max(0.0, x - y) for x, y in zip(own, sums[level + 1], strict=True)))
        current = _shrink(part, LEVEL_WEIGHTS[level], mean, ban)
        mean, ban = current.success.mean, current.ban
        yield current


def estimate_given(
    observations: Iterable[Observation],
    tier: str,
    conditions: Mapping[str, str],
    at: float,
    changes: Iterable[Changed] = (),
) -> Estimate:
    """Return P(success | *conditions*) for any conjunction of heuristics, from the attempts.

    The estimate starts with all attempts of the tier, continues with the levels that the
    conjunction implies, and ends with the attempts that meet all conditions.
    """
    observations, changes = tuple(observations), tuple(changes)
    mean, ban = INITIAL_MEAN, 0.0
    steps: list[tuple[Mapping[str, str], Level]] = [({}, LEVEL_WEIGHTS[0])]
    for names, level in zip(LEVELS, LEVEL_WEIGHTS, strict=True):
        if conditions.keys() > set(names):
            steps.append(({name: conditions[name] for name in names}, level))
    if conditions:
        steps.append((conditions, LEVEL_WEIGHTS[-1]))
    for shared, level in steps:
        sums = sum_observations(observations, tier, shared, at, changes)
        current = _shrink(sums, level, mean, ban)
        mean, ban = current.success.mean, current.ban
    return Estimate(current.success, ban)


def _shrink(sums: Sums, level: Level, mean: float, ban: float) -> LevelEstimate:
    seen = sums.successes + sums.failures
    scale = level.cap / seen if seen > level.cap else 1.0
    counted = Sums(sums.successes * scale, sums.failures * scale, sums.bans * scale)
    strength = level.strength
    success = Beta(strength * mean + counted.successes, strength * (1 - mean) + counted.failures)
    return LevelEstimate(
        counted, success, (strength * ban + counted.bans) / (strength + seen * scale)
    )
