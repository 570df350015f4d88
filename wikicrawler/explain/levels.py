"""The explanation of an estimate: the evidence of each level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.explain.facts import (
    ExplainedHour,
    ExplainedLevel,
    ExplainedSegment,
    Posterior,
    Weights,
)
from wikicrawler.learning.model.beta import Beta
from wikicrawler.learning.model.estimate import (
    HOUR_STRENGTH,
    INITIAL_MEAN,
    LEVEL_WEIGHTS,
    Estimate,
    at_hour,
    level_estimates,
)
from wikicrawler.learning.model.segment_effect import (
    ALL_STRENGTH,
    GIVEN_STRENGTH,
    SEGMENT_CAP,
    counted,
    effect_of,
)
from wikicrawler.learning.model.sums import DOMAIN_LEVEL, LEAF_LEVEL, LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.learning.model.evidence import Evidence
    from wikicrawler.learning.model.features import Features


def explain_levels(
    evidence: Evidence, features: Features, tier: str, at: float
) -> tuple[ExplainedLevel, ...]:
    """Return the levels of *tier* for pages with *features*, as of *at*."""
    sums = evidence.sums(features, tier, at)
    effect = effect_of(evidence.segments.sums(features, tier, at))
    named, prior, ban, found = features.named(), INITIAL_MEAN, 0.0, []
    for number, (names, seen, level, current) in enumerate(
        zip(LEVELS, sums, LEVEL_WEIGHTS, level_estimates(sums, effect), strict=True)
    ):
        if number == LEAF_LEVEL:
            prior, ban = effect.shift(prior, ban)
        found.append(
            ExplainedLevel(
                heuristics={name: named[name] for name in names},
                seen=Weights(*seen),
                counted=Weights(*current.counted),
                cap=level.cap,
                strength=level.strength,
                prior=prior,
                success=posterior(current.success),
                p_ban=current.ban,
            )
        )
        prior, ban = current.success.mean, current.ban
    return tuple(found)


def explain_segment(
    evidence: Evidence, features: Features, tier: str, levels: Sequence[ExplainedLevel], at: float
) -> ExplainedSegment:
    """Return the effect of the first segment on the estimate of the domain in *levels*."""
    sums = evidence.segments.sums(features, tier, at)
    effect, domain = effect_of(sums), levels[DOMAIN_LEVEL]
    p_ok, p_ban = effect.shift(domain.success.mean, domain.p_ban)
    return ExplainedSegment(
        heuristics={"wiki": features.wiki, "segment": features.segment},
        seen=Weights(*sums.own),
        every=Weights(*sums.every),
        counted=Weights(*counted(sums.own)),
        cap=SEGMENT_CAP,
        strength=ALL_STRENGTH,
        odds=effect.odds,
        ban=effect.ban,
        elsewhere=sums.elsewhere,
        given=Weights(*sums.given),
        given_counted=Weights(*effect.given),
        given_strength=GIVEN_STRENGTH,
        p_ok=p_ok,
        p_ban=p_ban,
    )


def explain_hour(
    evidence: Evidence, features: Features, tier: str, last: ExplainedLevel, at: float
) -> tuple[ExplainedHour, Estimate]:
    """Return what the hour of the day changes in the estimate of the *last* level, and the
    estimate."""
    effect = evidence.rhythms.effect(features, tier, at)
    found = at_hour(Estimate(Beta(last.success.a, last.success.b), last.p_ban), effect)
    hour = ExplainedHour(
        earlier=Weights(*effect.earlier),
        recent=Weights(*effect.recent),
        strength=HOUR_STRENGTH,
        weight=effect.weight,
        trial=found.trial,
        success=posterior(found.success),
        p_ban=found.ban,
    )
    return hour, found


def posterior(success: Beta) -> Posterior:
    """Return *success* with its intervals."""
    low, lower, upper, high = (success.quantile(q) for q in (0.025, 0.1, 0.9, 0.975))
    return Posterior(success.a, success.b, success.mean, (lower, upper), (low, high))
