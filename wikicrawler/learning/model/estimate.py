"""P(success | heuristics): what was seen locally, shrunk towards what was seen in general.

Each level is a Beta belief whose prior is the mean of the level above, worth ``strength`` attempts:

    mean_i = (strength_i · mean_(i-1) + successes_i) / (strength_i + successes_i + failures_i)

(the beta-binomial shrinkage of Gelman et al., *Bayesian Data Analysis*, 3rd edition, section 5.1,
level by level). A level counts without what the next one counts again, where it holds all of that,
and its evidence is scaled down to ``cap`` attempts: a level that has seen thousands is still to be
convinced of something new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.learning.model.beta import Beta
from wikicrawler.learning.model.sums import DOMAIN_LEVEL, LEVELS, SITE_LEVEL, Sums, sum_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wikicrawler.learning.model.sums import Changed, Row


class Level(NamedTuple):
    """How much a level is believed."""

    strength: float
    """Attempts that the belief of the level above is worth."""
    cap: float
    """Attempts that its own evidence is worth at most."""


FIRST = 0.5
"""The probability of success of a tier of which nothing was ever seen."""

#: Of each of :data:`~wikicrawler.learning.model.sums.LEVELS`.
BELIEF = (Level(2, 50), Level(10, 50), Level(1, 20), Level(0.5, 40), Level(0.2, 40))

_HOLDS_NEXT = {0, SITE_LEVEL, DOMAIN_LEVEL}  # levels that hold all attempts of the next one


class Estimate(NamedTuple):
    """What is believed of a tier on a page."""

    success: Beta
    """P(success), of attempts that are evidence."""
    ban: float
    """P(ban), its mean."""


class Belief(NamedTuple):
    """What is believed of a tier at a level."""

    counted: Sums
    """What the level adds: without what the next one counts again, and scaled down to its cap."""
    success: Beta
    ban: float


def estimate(sums: Sequence[Sums]) -> Estimate:
    """The belief that follows from the sums of all levels (``Evidence.sums``)."""
    *_, last = beliefs(sums)
    return Estimate(last.success, last.ban)


def beliefs(sums: Sequence[Sums]) -> Iterator[Belief]:
    """The same, level by level."""
    mean, ban = FIRST, 0.0
    for level, own in enumerate(sums):
        part = own
        if level in _HOLDS_NEXT:
            part = Sums(*(max(0.0, x - y) for x, y in zip(own, sums[level + 1], strict=True)))
        belief = _shrink(part, BELIEF[level], mean, ban)
        mean, ban = belief.success.mean, belief.ban
        yield belief


def estimate_given(
    rows: Iterable[Row],
    tier: str,
    conditions: Mapping[str, str],
    at: float,
    changes: Iterable[Changed] = (),
) -> Estimate:
    """P(success | *conditions*) for any conjunction of heuristics, from the attempts themselves.

    Shrunk towards all attempts of the tier, through those of the levels that the conjunction
    implies, and at last by the attempts that fulfil all of it.
    """
    rows, changes = tuple(rows), tuple(changes)
    mean, ban = FIRST, 0.0
    steps: list[tuple[Mapping[str, str], Level]] = [({}, BELIEF[0])]
    for names, level in zip(LEVELS, BELIEF, strict=True):
        if conditions.keys() > set(names):
            steps.append(({name: conditions[name] for name in names}, level))
    if conditions:
        steps.append((conditions, BELIEF[-1]))
    for shared, level in steps:
        belief = _shrink(sum_rows(rows, tier, shared, at, changes), level, mean, ban)
        mean, ban = belief.success.mean, belief.ban
    return Estimate(belief.success, ban)


def _shrink(sums: Sums, level: Level, mean: float, ban: float) -> Belief:
    seen = sums.successes + sums.failures
    scale = level.cap / seen if seen > level.cap else 1.0
    counted = Sums(sums.successes * scale, sums.failures * scale, sums.bans * scale)
    strength = level.strength
    success = Beta(strength * mean + counted.successes, strength * (1 - mean) + counted.failures)
    return Belief(counted, success, (strength * ban + counted.bans) / (strength + seen * scale))
