"""Why a page is tried by the tiers by which it is: the evidence, the beliefs and the choice.

Asks no server and draws no lot: what a crawl would explore is told with its probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.config import TIERS, Config
from wikicrawler.learning.beta import Beta
from wikicrawler.learning.choice import CONFIDENT, chances_of, choice_of, options_of
from wikicrawler.learning.estimate import BELIEF, FIRST, Estimate, beliefs
from wikicrawler.learning.evidence import LEVELS, Row, sum_rows
from wikicrawler.learning.features import features_of
from wikicrawler.learning.outcomes import Outcome, outcome_of
from wikicrawler.store.attempts import find_attempts
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.plan import StaticPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scrapy.settings import BaseSettings
    from sqlalchemy import Connection

    from wikicrawler.learning.choice import Choice, Costs, Option
    from wikicrawler.learning.evidence import Changed, Evidence
    from wikicrawler.learning.features import Features
    from wikicrawler.store.attempts import FetchAttempt


@dataclass(frozen=True, slots=True)
class Weights:
    """Attempts by their weights; the bans are failures too."""

    successes: float
    failures: float
    bans: float


@dataclass(frozen=True, slots=True)
class Posterior:
    """What is believed of P(success): a Beta distribution, its mean and its central intervals."""

    a: float
    b: float
    mean: float
    interval_80: tuple[float, float]
    interval_95: tuple[float, float]


@dataclass(frozen=True, slots=True)
class LevelBelief:
    """What is believed of a tier by the attempts that share some heuristics with the page."""

    heuristics: Mapping[str, str]
    """What they share."""
    seen: Weights
    """All of them."""
    counted: Weights
    """What the level adds: without what the next one counts again, and at most :attr:`cap`."""
    cap: float
    strength: float
    """Attempts that :attr:`prior` is worth."""
    prior: float
    """P(success) by the level above."""
    success: Posterior
    p_ban: float


@dataclass(frozen=True, slots=True)
class TierBelief:
    """What is believed of a tier on the page, and what that makes it cost. Costs are in plain
    GETs."""

    tier: str
    levels: tuple[LevelBelief, ...]
    """From the general to the local; the last is what is believed."""
    success: Posterior
    p_ban: float
    cost: float
    """Of an attempt."""
    expected_cost: float
    """Of an attempt, with the ban that it may bring."""
    cost_index: float
    """What a page costs by it."""
    probability: float
    """With which it is chosen to come first."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """A choice that is made to learn from, on a share of the pages."""

    tier: str
    probability: float
    order: tuple[str, ...]
    probing: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tier that is not tried."""

    tier: str
    why: str
    """``not_worth_it``: it surely costs more than a page is worth; ``no_server``: ``CRAWL4AI_URL``
    is not set; ``no_wiki``: no wiki is known there; ``not_configured``: the configured order does
    not name it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The best choice, as the model makes it."""

    order: tuple[str, ...]
    chosen: str
    """The tier that is chosen; a probe may come before it."""
    probability: float
    confidence: float
    """What P(success) of the chosen tier exceeds with a probability of 80 %."""
    confident_above: float
    probing: str
    """Of :class:`~wikicrawler.learning.choice.Probing`: whether the page is looked at first."""
    explored: tuple[Exploration, ...]
    """What is chosen instead on the other pages."""


@dataclass(frozen=True, slots=True)
class PastAttempt:
    """An attempt behind the beliefs."""

    at: datetime
    url: str
    tier: str
    reason: str
    outcome: str
    """What it is evidence of: ``success``, ``failure``, ``ban``, or ``none``."""
    status: int | None
    weight: float
    """What it weighs now on the levels of its own domain; 0 where it says nothing of its tier."""
    policy: str
    propensity: float | None
    expected: float | None
    """P(success) that was believed before it."""


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """Why a page is tried by the tiers by which it is."""

    url: str
    at: datetime
    """The moment for which all of this holds."""
    heuristics: Mapping[str, str]
    is_wiki: bool
    """Whether it is taken for a page of a wiki whose API may be asked."""
    is_wiki_by: str
    """What says so: ``configuration``, ``attempts``: the latest on its domain, or ``nothing``."""
    site: str
    """The politeness budget that it is charged to."""
    policy: str
    """What decides in a crawl: ``WIKICRAWLER_TIER_POLICY``."""
    static_order: tuple[str, ...]
    """The order that is configured."""
    page_worth: float
    """What a page is worth, in plain GETs."""
    ban_cost: float
    tiers: tuple[TierBelief, ...]
    """By rising cost index."""
    decision: Decision | None
    """What the evidence suggests; none where no tier can be tried."""
    left_out: tuple[LeftOut, ...]
    attempts: tuple[PastAttempt, ...]
    """The last ones on its domain, the newest first."""


class PageExplainer:
    """Explains pages by what is known at a moment.

    :param connection: to the database, or None where there is none
    :param at: seconds since the epoch

    :raises ConfigError: the configuration is wrong
    """

    def __init__(
        self,
        settings: BaseSettings,
        evidence: Evidence,
        connection: Connection | None,
        costs: Costs,
        at: float,
    ) -> None:
        self._settings = settings
        self._config = Config.from_settings(settings)
        self._policy = StaticPolicy.from_settings(settings)
        self._browser = Crawl4AIConfig.from_settings(settings) is not None
        self._evidence = evidence
        self._connection = connection
        self._costs = costs
        self._at = at

    def explain(self, url: str, attempts: int) -> PageExplanation:
        """*url*, with at most so many of the *attempts* behind it."""
        domain = features_of(url, is_wiki=False).domain
        latest = self._latest(domain, max(1, attempts))
        is_wiki, by = self._is_wiki(url, latest)
        order = self._policy.plan(url, is_wiki=is_wiki)
        features = features_of(url, is_wiki=is_wiki, configured=order[0] if order else "")
        usable = [tier for tier in order if tier != "browser" or self._browser]
        levels = {tier: self._levels(features, tier) for tier in usable}
        believed = {tier: _estimate(of_tier[-1]) for tier, of_tier in levels.items()}
        options = options_of(believed, self._costs)
        chances = chances_of(options, self._costs) if options else []
        choices = [choice_of(pick, p, options, self._costs) for pick, p in chances]
        return PageExplanation(
            url=url,
            at=moment(self._at),
            heuristics=features.named(),
            is_wiki=is_wiki,
            is_wiki_by=by,
            site=self._config.budget_of(url),
            policy=str(self._settings.get("WIKICRAWLER_TIER_POLICY", "static")),
            static_order=order,
            page_worth=self._costs.page,
            ban_cost=self._costs.ban,
            tiers=tuple(self._tier(option, levels[option.tier], chances) for option in options),
            decision=_decision(choices) if choices else None,
            left_out=tuple(self._left_out(url, order, choices)),
            attempts=tuple(self._past(latest[:attempts], domain)),
        )

    def _latest(self, domain: str, number: int) -> list[FetchAttempt]:
        if self._connection is None:
            return []
        return list(
            find_attempts(self._connection, {"domain": domain}, newest_first=True, limit=number)
        )

    def _is_wiki(self, url: str, latest: Sequence[FetchAttempt]) -> tuple[bool, str]:
        if self._config.wiki_for(url) is not None:
            return True, "configuration"
        if not latest or not self._settings.getbool("WIKICRAWLER_DISCOVER_WIKIS", True):
            return False, "nothing"
        return latest[0].wiki == "wiki", "attempts"

    def _levels(self, features: Features, tier: str) -> tuple[LevelBelief, ...]:
        sums = self._evidence.sums(features, tier, self._at)
        named, prior, found = features.named(), FIRST, []
        for names, seen, level, belief in zip(LEVELS, sums, BELIEF, beliefs(sums), strict=True):
            found.append(
                LevelBelief(
                    heuristics={name: named[name] for name in names},
                    seen=Weights(*seen),
                    counted=Weights(*belief.counted),
                    cap=level.cap,
                    strength=level.strength,
                    prior=prior,
                    success=_posterior(belief.success),
                    p_ban=belief.ban,
                )
            )
            prior = belief.success.mean
        return tuple(found)

    def _tier(
        self,
        option: Option,
        levels: tuple[LevelBelief, ...],
        chances: Sequence[tuple[Option, float]],
    ) -> TierBelief:
        return TierBelief(
            tier=option.tier,
            levels=levels,
            success=levels[-1].success,
            p_ban=option.estimate.ban,
            cost=self._costs.tiers[option.tier],
            expected_cost=option.cost,
            cost_index=option.cost_index,
            probability=sum(p for pick, p in chances if pick is option),
        )

    def _left_out(
        self, url: str, order: Sequence[str], choices: Sequence[Choice]
    ) -> Iterable[LeftOut]:
        """The tiers that the best choice leaves out."""
        for tier in TIERS:
            if tier not in self._policy.plan(url, is_wiki=True):
                yield LeftOut(tier, "not_configured")
            elif tier not in order:
                yield LeftOut(tier, "no_wiki")
            elif tier == "browser" and not self._browser:
                yield LeftOut(tier, "no_server")
            elif choices and tier not in choices[0].order:
                yield LeftOut(tier, "not_worth_it")

    def _past(self, latest: Sequence[FetchAttempt], domain: str) -> Iterable[PastAttempt]:
        changes: list[Changed] = []
        for one in latest:
            outcome = meaning_of(one.reason, final=one.final)
            row = Row(one.at, one.tier, outcome, {"domain": domain})
            weights = sum_rows([row], one.tier, {"domain": domain}, self._at, changes)
            yield PastAttempt(
                at=moment(one.at),
                url=one.url,
                tier=one.tier,
                reason=one.reason,
                outcome=outcome.value,
                status=one.status,
                weight=weights.successes + weights.failures,
                policy=one.policy,
                propensity=one.propensity,
                expected=None,
            )


def moment(seconds: float) -> datetime:
    """The time of so many *seconds* since the epoch, in UTC."""
    return datetime.fromtimestamp(seconds, UTC)


def meaning_of(reason: str, *, final: bool) -> Outcome:
    """What a stored attempt is evidence of; nothing where its reason is one of another version."""
    try:
        return outcome_of(reason, final=final)
    except (ValueError, KeyError):
        return Outcome.NONE


def _estimate(last: LevelBelief) -> Estimate:
    return Estimate(Beta(last.success.a, last.success.b), last.p_ban)


def _posterior(success: Beta) -> Posterior:
    low, lower, upper, high = (success.quantile(q) for q in (0.025, 0.1, 0.9, 0.975))
    return Posterior(success.a, success.b, success.mean, (lower, upper), (low, high))


def _decision(choices: Sequence[Choice]) -> Decision:
    best, *others = choices
    return Decision(
        order=best.order,
        chosen=best.chosen,
        probability=best.propensity,
        confidence=best.confidence,
        confident_above=CONFIDENT,
        probing=best.probing.value,
        explored=tuple(
            Exploration(one.chosen, one.propensity, one.order, one.probing.value) for one in others
        ),
    )
