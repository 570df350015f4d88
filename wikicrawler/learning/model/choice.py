"""Choice of the tier to try first: the one with the lowest cost per fetched page.

The cost index of a tier is ``(cost + P(ban) · cost of a ban) / P(success)``: the expected cost of a
page if the tier is tried until it succeeds. Trying tiers by increasing index is the cheapest order
if their successes are independent (L. G. Mitten, *An analytic solution to the least cost testing
sequence problem*, Journal of Industrial Engineering 11, 1960). A share of the cost,
``Costs.explore``, is spent on exploring cheaper tiers that are expected to fail. Otherwise a site
that changes back would go unnoticed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler import options
from wikicrawler.learning.model.beta import cdf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from wikicrawler.learning.model.estimate import Estimate

EXPLORE = options.EXPLORE.default
"""Default share of a page's cost to spend on exploring each tier."""
MAX_EXPLORATION = 0.2
"""Maximum share of the pages on which a tier is explored."""
EXPLORE_BELOW = 0.8
"""A tier is explored if its cost, assuming it always works, is below this share of the best cost
index."""
MIN_CONFIDENCE = 0.6
"""A tier is used without a probe if P(success) exceeds this with a probability of 80 %."""
CONFIDENCE_QUANTILE = 0.2
"""The quantile of P(success) that is called confidence."""
TRIAL_PAGES = 5.0
"""Pages for which a trial at an unknown hour of the day is made."""
TRIAL_SHARE = 0.8
"""Share of the pages on which a tier that is worth a trial is tried first."""
BENEFIT = 0.2
"""Weight of the hypothetical success with which a tier is judged to be worth its cost."""
FEW_ATTEMPTS = 2.0
"""Total weight of the attempts on similar pages of a site below which the next one is
informative."""


class Costs(NamedTuple):
    """Costs in units of a plain GET."""

    tiers: Mapping[str, float]
    """Cost of an attempt of each tier."""
    ban: float
    """Cost of a ban: its harm to the rest of the crawl."""
    page: float
    """Value of a page: a tier that certainly costs more per page is left out."""
    explore: float = EXPLORE
    """Share of a page's cost to spend on exploring each tier; 0: no exploration."""
    probe: str = ""
    """The tier that is a plain GET; empty if there is none."""


class Option(NamedTuple):
    """A tier that can be tried."""

    tier: str
    cost: float
    """Expected cost of an attempt, including bans."""
    estimate: Estimate
    cost_index: float
    """Expected cost of a page."""


class Probing(StrEnum):
    """The kind of probe that precedes the chosen tier."""

    CONFIDENT = "confident"  # no probe: the confidence in the chosen tier is high enough
    ITSELF = "itself"  # the chosen tier is the probe: it costs no more than a plain GET
    PLAIN_GET = "plain_get"  # a plain GET precedes the chosen tier
    HOPELESS = "hopeless"  # no probe: a plain GET fails too often to be worth it
    IMPOSSIBLE = "impossible"  # no probe: no tier is a plain GET


@dataclass(frozen=True, slots=True)
class Choice:
    """The order of the tiers for a page, and how it was chosen."""

    order: tuple[str, ...]
    """Never empty. The first tier is the probe if :attr:`probe` is true."""
    chosen: str
    """The tier that was chosen as the first one."""
    probing: Probing
    explored: bool
    """True if the chosen tier is not the best one, but explored."""
    propensity: float
    """The probability of this choice."""
    options: tuple[Option, ...]
    """All tiers by increasing cost index."""

    @property
    def probe(self) -> bool:
        """True if the first tier of the order is a probe, with a probe's time limit."""
        return self.probing in {Probing.ITSELF, Probing.PLAIN_GET}

    @property
    def is_informative(self) -> bool:
        """True if the outcome says much about the site's next page."""
        chosen = next(option for option in self.options if option.tier == self.chosen)
        return self.probing is not Probing.CONFIDENT or sum(chosen.estimate.success) < FEW_ATTEMPTS

    @property
    def confidence(self) -> float:
        """The value that P(success) of :attr:`chosen` exceeds with a probability of 80 %."""
        chosen = next(option for option in self.options if option.tier == self.chosen)
        return chosen.estimate.success.quantile(CONFIDENCE_QUANTILE)


def options_of(estimates: Mapping[str, Estimate], costs: Costs) -> tuple[Option, ...]:
    """Return the tiers by increasing cost index; ties keep the order of *estimates*."""
    found = []
    for tier, estimate in estimates.items():
        cost = costs.tiers[tier] + estimate.ban * costs.ban
        found.append(Option(tier, cost, estimate, cost / estimate.success.mean))
    return tuple(sorted(found, key=lambda option: option.cost_index))


def choose(estimates: Mapping[str, Estimate], costs: Costs, random: Random) -> Choice:
    """Choose the order of the tiers in *estimates*, which must not be empty."""
    options = options_of(estimates, costs)
    (pick, propensity), *explored = chances_of(options, costs)
    draw = random.random()
    for option, rate in explored:
        if draw < rate:
            pick, propensity = option, rate
            break
        draw -= rate
    return choice_of(pick, propensity, options, costs)


def chances_of(options: Sequence[Option], costs: Costs) -> list[tuple[Option, float]]:
    """Return the tiers that may be chosen, with their probabilities: the best one, then the
    explored ones."""
    best = options[0]
    explored = [
        (option, _exploration(option, best, costs))
        for option in options[1:]
        if costs.tiers[option.tier] < EXPLORE_BELOW * best.cost_index
    ]
    scale = min(1.0, TRIAL_SHARE / max(TRIAL_SHARE, sum(rate for _, rate in explored)))
    explored = [(option, rate * scale) for option, rate in explored]
    return [(best, 1 - sum(rate for _, rate in explored)), *explored]


def _exploration(option: Option, best: Option, costs: Costs) -> float:
    """Return the share of the pages on which *option* is explored."""
    trial, cost = option.estimate.trial, costs.tiers[option.tier]
    if costs.explore and trial * TRIAL_PAGES * (best.cost_index - cost) > (1 - trial) * option.cost:
        return TRIAL_SHARE
    return min(MAX_EXPLORATION, costs.explore * best.cost_index / option.cost)


def choice_of(pick: Option, propensity: float, options: tuple[Option, ...], costs: Costs) -> Choice:
    """Return the choice of *pick* among *options*, which has the probability *propensity*."""
    rest = [option for option in options if option is not pick and is_worth_it(option, costs)]
    order = [pick.tier, *(option.tier for option in rest)]
    probing = _probing(pick, options, costs)
    if probing is Probing.PLAIN_GET:
        order = [costs.probe, *(tier for tier in order if tier != costs.probe)]
    return Choice(
        order=tuple(order),
        chosen=pick.tier,
        probing=probing,
        explored=pick is not options[0],
        propensity=propensity,
        options=options,
    )


def is_worth_it(option: Option, costs: Costs) -> bool:
    """Return True if a page through the tier would not cost more than it is worth.

    The estimate includes a hypothetical success of a small weight, so that the first failures do
    not rule a tier out.
    """
    a, b = option.estimate.success
    return option.cost * (a + b + BENEFIT) / (a + BENEFIT) <= costs.page


def _probing(pick: Option, options: Sequence[Option], costs: Costs) -> Probing:
    if (
        cdf(MIN_CONFIDENCE, *pick.estimate.success) < CONFIDENCE_QUANTILE
    ):  # confidence exceeds MIN_CONFIDENCE
        return Probing.CONFIDENT
    if pick.tier == costs.probe or pick.cost <= costs.tiers.get(costs.probe, 0.0):
        return Probing.ITSELF
    probe = next((option for option in options if option.tier == costs.probe), None)
    if probe is None:
        return Probing.IMPOSSIBLE
    # Probe if the plain GET could still be cheaper: use an optimistic estimate.
    at_best = probe.cost / probe.estimate.success.quantile(1 - CONFIDENCE_QUANTILE)
    return Probing.PLAIN_GET if at_best < pick.cost_index else Probing.HOPELESS
