"""Which tier to try first: the one that costs least for each page that it brings.

The cost index of a tier is ``(cost + P(ban) · cost of a ban) / P(success)``: what a page costs by
it when it is tried until it works. Trying tiers by rising index is the cheapest order where their
successes are independent (L. G. Mitten, *An analytic solution to the least cost testing sequence
problem*, Journal of Industrial Engineering 11, 1960). A part of the cost, ``Costs.explore``, is
spent on looking whether a tier that would be cheaper works after all: else no site that turned back
would be noticed.
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
"""The share of a page's cost that usually may go into exploring each tier."""
OFTENEST = 0.2
"""A tier is explored at most on this share of the pages."""
WORTH_A_LOOK = 0.8
"""A tier is explored if, always working, it would cost at most this share of the best."""
CONFIDENT = 0.6
"""A tier is used without a probe where P(success) exceeds this with a probability of 80 %."""
DOUBT = 0.2
FEW = 2.0
"""Attempts, by weight, on pages of a site alike; where fewer are known, the next one tells much."""


class Costs(NamedTuple):
    """What things cost, in units of a plain GET."""

    tiers: Mapping[str, float]
    """One attempt of each tier."""
    ban: float
    """A ban: the harm that it does to what is crawled later."""
    page: float
    """What a page is worth: a tier that surely costs more for each page it brings is left out."""
    explore: float = EXPLORE
    """The share of a page's cost that may go into exploring each tier; 0: none is explored."""
    probe: str = ""
    """The tier that is a plain GET; empty if there is none."""


class Option(NamedTuple):
    """A tier that could be tried."""

    tier: str
    cost: float
    """Of an attempt, with the ban that it may bring."""
    estimate: Estimate
    cost_index: float
    """What a page costs by it."""


class Probing(StrEnum):
    """Whether a page is looked at before the chosen tier is relied on."""

    CONFIDENT = "confident"  # no: it is believed in enough
    ITSELF = "itself"  # yes: by the chosen tier, which costs no more than a plain GET
    PLAIN_GET = "plain_get"  # yes: a plain GET comes before the chosen tier
    HOPELESS = "hopeless"  # no: a plain GET fails too often to be worth it
    IMPOSSIBLE = "impossible"  # no: a plain GET is none of the tiers


@dataclass(frozen=True, slots=True)
class Choice:
    """The order in which tiers are to be tried for a page, and why."""

    order: tuple[str, ...]
    """Never empty; the first is the probe where :attr:`probe` is true."""
    chosen: str
    """The tier that was chosen to come first."""
    probing: Probing
    explored: bool
    """Whether the choice is not the best as far as is known, but one to learn from."""
    propensity: float
    """The probability with which this choice was made."""
    options: tuple[Option, ...]
    """All tiers by rising cost index."""

    @property
    def probe(self) -> bool:
        """Whether the first tier of the order is tried to look what the page is, and by no more
        time than a probe has."""
        return self.probing in {Probing.ITSELF, Probing.PLAIN_GET}

    @property
    def is_telling(self) -> bool:
        """Whether what becomes of it tells much of the next page of its site."""
        chosen = next(option for option in self.options if option.tier == self.chosen)
        return self.probing is not Probing.CONFIDENT or sum(chosen.estimate.success) < FEW

    @property
    def confidence(self) -> float:
        """What P(success) of :attr:`chosen` exceeds with a probability of 80 %."""
        chosen = next(option for option in self.options if option.tier == self.chosen)
        return chosen.estimate.success.quantile(DOUBT)


def options_of(estimates: Mapping[str, Estimate], costs: Costs) -> tuple[Option, ...]:
    """The tiers by rising cost index; of equals, the one that is named first in *estimates*."""
    found = []
    for tier, estimate in estimates.items():
        cost = costs.tiers[tier] + estimate.ban * costs.ban
        found.append(Option(tier, cost, estimate, cost / estimate.success.mean))
    return tuple(sorted(found, key=lambda option: option.cost_index))


def choose(estimates: Mapping[str, Estimate], costs: Costs, random: Random) -> Choice:
    """The order of the tiers of *estimates*, of which there is at least one."""
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
    """The tiers that may be chosen, with the probability of each: the best, then those that could
    be cheaper, which are explored."""
    best = options[0]
    explored = [
        (option, min(OFTENEST, costs.explore * best.cost_index / option.cost))
        for option in options[1:]
        if costs.tiers[option.tier] < WORTH_A_LOOK * best.cost_index
    ]
    return [(best, 1 - sum(rate for _, rate in explored)), *explored]


def choice_of(pick: Option, propensity: float, options: tuple[Option, ...], costs: Costs) -> Choice:
    """What follows where *pick* is chosen of the *options*, as it is with that probability."""
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
    """Whether a tier may bring a page for what that is worth, even if its next attempt, which is
    not made yet, were a success: a few failures do not rule a tier out."""
    a, b = option.estimate.success
    return option.cost * (a + b + 1) / (a + 1) <= costs.page


def _probing(pick: Option, options: Sequence[Option], costs: Costs) -> Probing:
    if cdf(CONFIDENT, *pick.estimate.success) < DOUBT:  # its quantile exceeds CONFIDENT
        return Probing.CONFIDENT
    if pick.tier == costs.probe or pick.cost <= costs.tiers.get(costs.probe, 0.0):
        return Probing.ITSELF
    probe = next((option for option in options if option.tier == costs.probe), None)
    if probe is None:
        return Probing.IMPOSSIBLE
    # it may yet turn out cheaper, unless it is known to fail
    at_best = probe.cost / probe.estimate.success.quantile(1 - DOUBT)
    return Probing.PLAIN_GET if at_best < pick.cost_index else Probing.HOPELESS
