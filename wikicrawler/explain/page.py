"""Explanation of the tiers chosen for a page: the evidence, the estimates and the choice.

It sends no request and makes no random choice: explored tiers are reported with their
probabilities.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.explain.facts import (
    Decision,
    ExplainedBudget,
    ExplainedHour,
    ExplainedLevel,
    ExplainedTier,
    Exploration,
    LeftOutTier,
    PageExplanation,
    WeighedAttempt,
)
from wikicrawler.explain.levels import explain_hour, explain_levels, explain_segment
from wikicrawler.learning.learned_policy import is_learned, wants_stealth
from wikicrawler.learning.model.choice import MIN_CONFIDENCE, chances_of, choice_of, options_of
from wikicrawler.learning.model.features import features_of
from wikicrawler.learning.model.outcomes import Outcome, outcome_of
from wikicrawler.learning.model.sums import Changed, Observation, sum_observations
from wikicrawler.store.attempts import find_attempts
from wikicrawler.store.sites import find_changes, find_site
from wikicrawler.tiers.policy import StaticPolicy, check_policy
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy.settings import BaseSettings
    from sqlalchemy import Connection

    from wikicrawler.learning.model.choice import Choice, Costs, Option
    from wikicrawler.learning.model.evidence import Evidence
    from wikicrawler.learning.model.features import Features
    from wikicrawler.store.attempts import FetchAttempt


class PageExplainer:
    """Explains pages from the evidence at a point in time.

    :param connection: connection to the database, if there is one
    :param at: time in seconds since the epoch
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
        self._static = StaticPolicy.from_settings(settings)
        self._mode = check_policy(settings)
        self._split = options.TIER_SPLIT.read(settings)
        self._registry = TierRegistry.from_settings(settings)
        self._evidence = evidence
        self._connection = connection
        self._costs = costs
        self._at = at

    def explain(self, url: str, attempts: int) -> PageExplanation:
        """Return the explanation of *url*, with at most *attempts* recorded attempts."""
        domain = features_of(url, is_wiki=False).domain
        latest = self._latest(domain, max(1, attempts))
        is_wiki, by = self._is_wiki(url, latest)
        order = self._static.plan(url, is_wiki=is_wiki)
        features = features_of(url, is_wiki=is_wiki, configured=order[0] if order else "")
        usable = [tier for tier in order if not self._unusable(tier, url)]
        levels = {tier: explain_levels(self._evidence, features, tier, self._at) for tier in usable}
        hours = {
            tier: explain_hour(self._evidence, features, tier, of_tier[-1], self._at)
            for tier, of_tier in levels.items()
        }
        estimates = {tier: found for tier, (_, found) in hours.items()}
        options = options_of(estimates, self._costs)
        chances = chances_of(options, self._costs) if options else []
        choices = [choice_of(pick, p, options, self._costs) for pick, p in chances]
        login, proxy = self._config.access_of(url)
        return PageExplanation(
            url=url,
            at=moment(self._at),
            heuristics=features.named(),
            is_wiki=is_wiki,
            is_wiki_by=by,
            budget=read_budget(self._connection, self._config.budget_of(url), self._at),
            policy=self._mode,
            decided_by=self._decided_by(features.registered_domain),
            static_order=order,
            page_worth=self._costs.page,
            ban_cost=self._costs.ban,
            explore=self._costs.explore,
            tiers=tuple(
                self._tier(option, features, levels[option.tier], hours[option.tier][0], chances)
                for option in options
            ),
            decision=self._decision(url, choices) if choices else None,
            left_out=tuple(self._left_out(url, order, choices)),
            attempts=tuple(self._past(latest[:attempts], domain)),
            login=login,
            proxy=proxy,
        )

    def _unusable(self, tier: str, url: str) -> str:
        """Return why *tier* cannot be used for *url*; empty if it can."""
        missing = self._registry.missing(tier)
        elsewhere = self._registry.classes[tier].sends_elsewhere
        return missing or (self._config.only_ours(url) if elsewhere else "")

    def _decided_by(self, site: str) -> str:
        if self._mode == "split":
            return "learned" if is_learned(site, self._split) else "static"
        return "static" if self._mode == "shadow" else self._mode

    def _latest(self, domain: str, number: int) -> list[FetchAttempt]:
        if self._connection is None:
            return []
        return list(
            find_attempts(self._connection, {"domain": domain}, newest_first=True, limit=number)
        )

    def _is_wiki(self, url: str, latest: Sequence[FetchAttempt]) -> tuple[bool, str]:
        if self._config.wiki_for(url) is not None:
            return True, "configuration"
        if not latest or not options.DISCOVER_WIKIS.read(self._settings):
            return False, "nothing"
        return latest[0].wiki == "wiki", "attempts"

    def _tier(
        self,
        option: Option,
        features: Features,
        levels: tuple[ExplainedLevel, ...],
        hour: ExplainedHour,
        chances: Sequence[tuple[Option, float]],
    ) -> ExplainedTier:
        return ExplainedTier(
            tier=option.tier,
            levels=levels,
            segment=explain_segment(self._evidence, features, option.tier, levels, self._at),
            hour=hour,
            success=hour.success,
            p_ban=option.estimate.ban,
            cost=self._costs.tiers[option.tier],
            expected_cost=option.cost,
            cost_index=option.cost_index,
            probability=sum(p for pick, p in chances if pick is option),
        )

    def _left_out(
        self, url: str, order: Sequence[str], choices: Sequence[Choice]
    ) -> Iterable[LeftOutTier]:
        """Yield the tiers that the best choice leaves out."""
        for tier in self._registry.classes:
            if tier not in self._static.plan(url, is_wiki=True):
                if tier in options.TIERS.default:  # of the others nobody expects to be tried
                    yield LeftOutTier(tier, "not_configured")
            elif tier not in order:
                yield LeftOutTier(tier, "no_wiki")
            elif missing := self._registry.missing(tier):
                yield LeftOutTier(tier, "no_server", missing)
            elif why := self._unusable(tier, url):
                yield LeftOutTier(tier, "only_ours", why)
            elif choices and tier not in choices[0].order:
                yield LeftOutTier(tier, "not_worth_it")

    def _decision(self, url: str, choices: Sequence[Choice]) -> Decision:
        best, *others = choices
        stealth = self._config.domain_for(url).stealth or options.STEALTH.read(self._settings)
        return Decision(
            order=best.order,
            chosen=best.chosen,
            probability=best.propensity,
            confidence=best.confidence,
            confident_above=MIN_CONFIDENCE,
            probing=best.probing.value,
            stealth=stealth == "always"
            or (stealth != "never" and wants_stealth(best.options, self._costs.probe)),
            stealth_tier=next((n for n in best.order if self._registry.classes[n].stealth_key), ""),
            explored=tuple(
                Exploration(one.chosen, one.propensity, one.order, one.probing.value)
                for one in others
                if one.propensity
            ),
        )

    def _past(self, latest: Sequence[FetchAttempt], domain: str) -> Iterable[WeighedAttempt]:
        changes: list[Changed] = []
        if self._connection is not None:
            changes += (
                Changed(change.at, change.tier, change.domain, change.kept)
                for change in find_changes(self._connection, domain=domain)
            )
        for one in latest:
            risks_ban = one.tier not in self._registry.harmless
            outcome = stored_outcome(one.reason, final=one.final, risks_ban=risks_ban)
            seen = Observation(one.at, one.tier, outcome, {"domain": domain})
            weights = sum_observations([seen], one.tier, {"domain": domain}, self._at, changes)
            yield WeighedAttempt(
                at=moment(one.at),
                url=one.url,
                tier=one.tier,
                reason=one.reason,
                outcome=outcome.value,
                status=one.status,
                weight=weights.successes + weights.failures,
                policy=one.policy,
                propensity=one.propensity,
                expected=one.expected,
            )


def read_budget(connection: Connection | None, name: str, at: float) -> ExplainedBudget:
    """Return the politeness budget *name*, with its state in the database, if any."""
    found = find_site(connection, name) if connection is not None else None
    if found is None:
        return ExplainedBudget(name, False, False, None, 0, None, 0, None)
    return ExplainedBudget(
        name=name,
        is_known=True,
        is_paused=found.paused_until is not None and found.paused_until > at,
        paused_until=_moment(found.paused_until),
        risk_level=found.risk_level,
        reason=found.reason,
        attempt_count=found.attempt_count,
        last_attempt_at=_moment(found.last_attempt_at),
    )


def moment(seconds: float) -> datetime:
    """Return the UTC time *seconds* after the epoch."""
    return datetime.fromtimestamp(seconds, UTC)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else moment(seconds)


def stored_outcome(reason: str, *, final: bool, risks_ban: bool = True) -> Outcome:
    """Return the outcome of a stored attempt; ``NONE`` if its reason is unknown to this version."""
    try:
        return outcome_of(reason, final=final, risks_ban=risks_ban)
    except (ValueError, KeyError):
        return Outcome.NONE
