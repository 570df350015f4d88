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
from wikicrawler.learning.model.segment_effect import NO_EFFECT
from wikicrawler.learning.model.sums import (
    DOMAIN_LEVEL,
    LEAF_LEVEL,
    LEVELS,
    SITE_LEVEL,
    Sums,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wikicrawler.learning.model.rhythm import HourEffect
    from wikicrawler.learning.model.segment_effect import Effect


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

HOUR_STRENGTH = 0.3
"""Weight of the estimate for the site in that for the hour of the day, in attempts."""

_CONTAINS_NEXT = {0, SITE_LEVEL, DOMAIN_LEVEL}  # levels that contain all attempts of the next one


class Estimate(NamedTuple):
    """The estimate for a tier on a page."""

    success: Beta
    """Posterior of P(success), over attempts that are evidence."""
    ban: float
    """Mean of P(ban)."""
    trial: float = 0.0
    """P(success) of a trial, if one is due at this hour of the day, else 0."""


class LevelEstimate(NamedTuple):
    """The posterior of a tier at a level."""

    counted: Sums
    """The level's own evidence, without that of the next level, and scaled down to the cap."""
    success: Beta
    ban: float


def estimate(sums: Sequence[Sums], segment: Effect = NO_EFFECT) -> Estimate:
    """Return the estimate from the sums of all levels (``Evidence.sums``).

    :param segment: the effect of the path's first segment
    """
    *_, last = level_estimates(sums, segment)
    return Estimate(last.success, last.ban)


def level_estimates(sums: Sequence[Sums], segment: Effect = NO_EFFECT) -> Iterator[LevelEstimate]:
    """Yield the posterior of each level. The effect of the first segment shifts the prior of the
    last one."""
    mean, ban = INITIAL_MEAN, 0.0
    for level, own in enumerate(sums):
        part = own
        if level == LEAF_LEVEL:
            mean, ban = segment.shift(mean, ban)
        if level in _CONTAINS_NEXT:
            part = Sums(*(max(0.0, x - y) for x, y in zip(own, sums[level + 1], strict=True)))
        current = _shrink(part, LEVEL_WEIGHTS[level], mean, ban)
        mean, ban = current.success.mean, current.ban
        yield current


def at_hour(estimate: Estimate, hour: HourEffect) -> Estimate:
    """Return the *estimate* for a site, blended with what the hour of the day says of it."""
    if not hour.weight:
        return estimate._replace(trial=hour.trial)
    own, own_ban = estimate.success.mean, estimate.ban
    for sums in (hour.earlier, hour.recent):
        strength = HOUR_STRENGTH + sums.successes + sums.failures
        own = (HOUR_STRENGTH * own + sums.successes) / strength
        own_ban = (HOUR_STRENGTH * own_ban + sums.bans) / strength
    seen = sum(x + y for x, y, _ in (hour.earlier, hour.recent))
    weight, of_site = hour.weight, estimate.success
    mean = weight * own + (1 - weight) * of_site.mean
    ban = weight * own_ban + (1 - weight) * estimate.ban
    strength = weight * (HOUR_STRENGTH + seen) + (1 - weight) * sum(of_site)
    success = Beta(mean * strength, (1 - mean) * strength)
    return Estimate(success, ban, mean if hour.is_new else 0.0)


def estimate_given(
    conditions: Mapping[str, str], sums_of: Callable[[Mapping[str, str]], Sums]
) -> Estimate:
    """Return P(success | *conditions*) for any conjunction of heuristics.

    The estimate starts with all attempts of the tier, continues with the levels that the
    conjunction implies, and ends with the attempts that meet all conditions.

    :param sums_of: the sums of the tier's attempts that meet some conditions
    """
    mean, ban = INITIAL_MEAN, 0.0
    steps: list[tuple[Mapping[str, str], Level]] = [({}, LEVEL_WEIGHTS[0])]
    for names, level in zip(LEVELS, LEVEL_WEIGHTS, strict=True):
        if conditions.keys() > set(names):
            steps.append(({name: conditions[name] for name in names}, level))
    if conditions:
        steps.append((conditions, LEVEL_WEIGHTS[-1]))
    for shared, level in steps:
        current = _shrink(sums_of(shared), level, mean, ban)
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
