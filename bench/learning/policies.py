"""The policies that are compared. Each crawls a page by asking for attempts until it is content."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Protocol

from scrapy.settings import Settings

from wikicrawler.errors import Reason
from wikicrawler.learning.model.choice import Choice, Probing, is_worth_it, options_of
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import OUTCOMES, Outcome, outcome_of
from wikicrawler.learning.model.sums import decay
from wikicrawler.tiers.adapting import after_probe
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.learning.world import Page
    from wikicrawler.learning.model.choice import Costs
    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.sums import Changed

    Get = Callable[[str], str]
    """Makes an attempt of a tier, and has it paid for: the reason with which it ends."""

FINAL = {"ok", "missing"}
"""Reasons after which no further tier is tried."""

_REGISTRY = TierRegistry.from_settings(Settings())
PROBE, CLASSES = _REGISTRY.probe, _REGISTRY.classes


class Policy(Protocol):
    name: str

    def fetch(self, page: Page, get: Get) -> None:
        """Crawl *page*."""


def try_in_order(tiers: Iterable[str], get: Get) -> None:
    for tier in tiers:
        if get(tier) in FINAL:
            return


class Static:
    """The project's fixed order: the API where there is one, plain HTTP, a browser."""

    name = "static"

    def __init__(self, costs: Costs, seed: int) -> None:
        pass

    def fetch(self, page: Page, get: Get) -> None:
        try_in_order(page.tiers, get)


class Oracle:
    """Knows the true probabilities of the moment, though not the chance of an attempt: the order of
    least expected cost, without what is not worth it."""

    name = "oracle"

    def __init__(self, costs: Costs, seed: int) -> None:
        self._costs = costs

    def fetch(self, page: Page, get: Get) -> None:
        try_in_order(self.order(page), get)

    def order(self, page: Page) -> tuple[str, ...]:
        index = {}
        for tier, rates in page.part.rates.items():
            bans = sum(p for reason, p in rates.items() if OUTCOMES[reason] is Outcome.BAN)
            cost = self._costs.tiers[tier] + bans * self._costs.ban
            index[tier] = cost / max(page.part.success(tier), 1e-9)
        best, *rest = sorted(index, key=index.__getitem__)
        return best, *(tier for tier in rest if index[tier] <= self._costs.page)


class Literal:
    """The rule as it is often proposed, to the letter: the tier of the highest P(success |
    heuristics), of the attempts on the host's files of that suffix, else on the host, decayed by
    0.5^(days / 30); where that is not above 0.6, a probe. What it has never tried it does not know,
    and what is cheap it does not ask."""

    name = "literal"

    def __init__(self, costs: Costs, seed: int) -> None:
        self._sums: dict[tuple[str, ...], tuple[float, float, float]] = {}

    def fetch(self, page: Page, get: Get) -> None:
        believed = {tier: self._probability(page, tier) for tier in page.tiers}
        best = max(believed, key=lambda tier: believed[tier] or 0.0)
        probe = (believed[best] or 0.0) <= 0.6
        first = PROBE if probe else best
        reason = self._attempt(page, first, get)
        if reason in FINAL:
            return
        rest = [tier for tier in page.tiers if tier != first]
        rest.sort(key=lambda tier: -(0.5 if believed[tier] is None else believed[tier]))
        if probe and reason != Reason.TIMEOUT:
            rest = list(
                after_probe(PROBE, reason, rest, CLASSES, is_wiki="mediawiki" in page.tiers)
            )
        try_in_order(rest, lambda tier: self._attempt(page, tier, get))

    def _attempt(self, page: Page, tier: str, get: Get) -> str:
        reason = get(tier)
        outcome = outcome_of(reason)
        if outcome is not Outcome.NONE:
            for key in self._keys(page, tier):
                good, all_, at = self._sums.get(key, (0.0, 0.0, page.at))
                weight = decay(page.at - at)
                won = outcome is Outcome.SUCCESS
                self._sums[key] = good * weight + won, all_ * weight + 1, page.at
        return reason

    def _probability(self, page: Page, tier: str) -> float | None:
        for key in self._keys(page, tier):
            if key in self._sums:
                return self._sums[key][0] / self._sums[key][1]
        return None

    def _keys(self, page: Page, tier: str) -> tuple[tuple[str, ...], ...]:
        features = page.part.features
        return (tier, features.domain, features.suffix), (tier, features.domain)


class Learned:
    """Ours. With *thompson* the tiers are ordered by a draw from each belief, the usual alternative
    to its mean and a budget for exploring."""

    def __init__(self, costs: Costs, seed: int, *, thompson: bool = False) -> None:
        self.name = "thompson" if thompson else "learned"
        chance = random.Random(seed)  # noqa: S311 - no secret
        self._learner = _Thompson(costs, chance) if thompson else Learner(costs, chance)
        self.predictions: list[tuple[float, bool]] = []
        """P(success) that was believed, and whether it was one."""
        self.changes: list[Changed] = []
        self.plans_ahead = False
        """Whether a page is planned while the one before it on its host is on its way; where little
        is known, after the first attempt at that one."""
        self._on_its_way: dict[int, list[tuple[Page, str, Outcome]]] = {}

    def fetch(self, page: Page, get: Get) -> None:
        features = page.part.features
        choice = self._learner.choose(features, page.tiers, page.at)
        for before in self._on_its_way.pop(page.host, ()):
            self._record(*before)
        reason = self._attempt(page, choice.order[0], get, choice)
        rest = choice.order[1:]
        if reason in FINAL:
            return
        if choice.probe and choice.order[0] == PROBE:
            is_wiki = features.wiki == "wiki"
            rest = after_probe(PROBE, reason, rest, CLASSES, is_wiki=is_wiki, chosen=choice.chosen)
        try_in_order(rest, lambda tier: self._attempt(page, tier, get, choice))

    def _attempt(self, page: Page, tier: str, get: Get, choice: Choice) -> str:
        reason = get(tier)
        outcome = outcome_of(reason)
        if outcome is not Outcome.NONE:
            believed = next(o.estimate.success for o in choice.options if o.tier == tier)
            self.predictions.append((believed.mean, outcome is Outcome.SUCCESS))
        is_waited_for = tier == choice.order[0] and choice.is_informative
        if self.plans_ahead and not is_waited_for:
            self._on_its_way.setdefault(page.host, []).append((page, tier, outcome))
        else:
            self._record(page, tier, outcome)
        return reason

    def _record(self, page: Page, tier: str, outcome: Outcome) -> None:
        changed = self._learner.record(page.part.features, tier, outcome, page.at)
        if changed:
            self.changes.append(changed)


class _Thompson(Learner):
    """Thompson sampling (W. R. Thompson, Biometrika 25, 1933) over the same estimates and costs."""

    def __init__(self, costs: Costs, chance: random.Random) -> None:
        super().__init__(costs, chance)
        self._of, self._chance = costs, chance

    def choose(self, features: Features, tiers: Sequence[str], at: float) -> Choice:
        options = options_of({t: self.estimate(features, t, at) for t in tiers}, self._of)
        drawn = {
            option: option.cost / max(1e-9, self._chance.betavariate(*option.estimate.success))
            for option in options
        }
        first, *rest = sorted(drawn, key=drawn.__getitem__)
        order = [first, *(option for option in rest if is_worth_it(option, self._of))]
        return Choice(
            order=tuple(option.tier for option in order),
            chosen=first.tier,
            probing=Probing.CONFIDENT,
            explored=first is not options[0],
            propensity=0.0,
            options=options,
        )
