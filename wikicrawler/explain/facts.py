"""The explanation of a page as data: numbers are not rounded, times are in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of attempts. Bans are also counted as failures."""

    successes: float
    failures: float
    bans: float


@dataclass(frozen=True, slots=True)
class Posterior:
    """Posterior of P(success): a Beta distribution, its mean and its central intervals."""

    a: float
    b: float
    mean: float
    interval_80: tuple[float, float]
    interval_95: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ExplainedLevel:
    """The posterior of a tier from the attempts that share some heuristics with the page."""

    heuristics: Mapping[str, str]
    """The shared heuristics."""
    seen: Weights
    """All of these attempts."""
    counted: Weights
    """The attempts that count at this level: without those of the next level, scaled to
    :attr:`cap`."""
    cap: float
    """Maximum weight of :attr:`counted`, in attempts."""
    strength: float
    """Weight of :attr:`prior`, in attempts."""
    prior: float
    """P(success) of the level above."""
    success: Posterior
    p_ban: float


@dataclass(frozen=True, slots=True)
class ExplainedSegment:
    """The difference between the path's first segment and all of them, on all sites. It shifts the
    estimate of the domain before the last level."""

    heuristics: Mapping[str, str]
    seen: Weights
    """The attempts at pages with this segment; each domain counts as three at most."""
    every: Weights
    """Those at all segments."""
    counted: Weights
    """:attr:`seen`, scaled to :attr:`cap`."""
    cap: float
    """Maximum weight of :attr:`counted`, in attempts."""
    strength: float
    """Weight of :attr:`every`, in attempts."""
    odds: float
    """Factor of the odds of success."""
    ban: float
    """Difference of P(ban)."""
    elsewhere: str | None
    """How the tier ends at the domain's other segments (``ok``, ``failed``, ``mixed``), if it was
    not tried at this one."""
    given: Weights
    """The attempts at this segment on domains of which :attr:`elsewhere` is the same."""
    given_counted: Weights
    """:attr:`given`, scaled to :attr:`cap`."""
    given_strength: float
    """Weight of the shifted estimate, in attempts, beside :attr:`given_counted`."""
    p_ok: float
    """P(success) after the shift, and with :attr:`given_counted`."""
    p_ban: float


@dataclass(frozen=True, slots=True)
class ExplainedHour:
    """What the hour of the day (UTC) says of the tier on the domain, which the last level does not
    include."""

    earlier: Weights
    """The attempts at about this hour of earlier days."""
    recent: Weights
    """Those of the last hour with any, if it is one of the last three."""
    strength: float
    """Weight of the last level, in attempts; and of both before :attr:`recent`."""
    weight: float
    """Probability that the hour of the day decides; 0 if nothing shows it."""
    trial: float
    """P(success) of a trial at this hour of the day; 0 if none is due."""
    success: Posterior
    """The estimate: the last level, blended with these attempts."""
    p_ban: float


@dataclass(frozen=True, slots=True)
class ExplainedTier:
    """The estimate for a tier on the page, and its costs in plain GETs."""

    tier: str
    levels: tuple[ExplainedLevel, ...]
    """From general to local; the last level is the estimate, but for the hour of the day."""
    segment: ExplainedSegment
    hour: ExplainedHour
    success: Posterior
    p_ban: float
    cost: float
    """Cost of an attempt."""
    expected_cost: float
    """Expected cost of an attempt, including bans."""
    cost_index: float
    """Expected cost of a page."""
    probability: float
    """Probability that the tier is tried first."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """A choice that explores a tier on a share of the pages."""

    tier: str
    probability: float
    order: tuple[str, ...]
    probing: str


@dataclass(frozen=True, slots=True)
class LeftOutTier:
    """A tier that is not tried."""

    tier: str
    why: str
    """``not_worth_it``: a page would cost more than it is worth; ``no_server``: a setting is
    missing; ``no_wiki``: no wiki is known for the URL; ``only_ours``: the site has a log-in or a
    proxy, which the tier does not use; ``not_configured``: the configured order
    does not contain the tier."""
    detail: str = ""
    """The missing setting, for ``no_server``; what the site has, for ``only_ours``."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The model's best choice."""

    order: tuple[str, ...]
    chosen: str
    """The chosen tier; a probe may precede it."""
    probability: float
    confidence: float
    """The value that P(success) of the chosen tier exceeds with a probability of 80 %."""
    confident_above: float
    """The confidence above which no probe is needed."""
    probing: str
    """The kind of probe: a :class:`~wikicrawler.learning.model.choice.Probing`."""
    stealth: bool
    """True if a browser hides that it is automated, also before a challenge."""
    stealth_tier: str
    """The tier of :attr:`order` that supports stealth; empty if none does."""
    explored: tuple[Exploration, ...]
    """The choices on the other pages."""


@dataclass(frozen=True, slots=True)
class WeighedAttempt:
    """A recorded attempt, and what it counts for in the estimates."""

    at: datetime
    url: str
    tier: str
    reason: str
    outcome: str
    """``success``, ``failure``, ``ban``, or ``none`` if it is no evidence."""
    status: int | None
    weight: float
    """Current weight on the levels of its own domain; 0 if it is no evidence."""
    policy: str
    propensity: float | None
    expected: float | None
    """P(success) that was estimated before it."""


@dataclass(frozen=True, slots=True)
class ExplainedBudget:
    """A politeness budget, with the recorded state of its site."""

    name: str
    is_known: bool
    """True if the database has a record of it."""
    is_paused: bool
    paused_until: datetime | None
    risk_level: int
    """Number of consecutive pauses without a successful page between them."""
    reason: str | None
    """Reason of the last pause."""
    attempt_count: int
    last_attempt_at: datetime | None


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """The explanation of the tiers chosen for a page."""

    url: str
    at: datetime
    """The time to which the explanation applies."""
    heuristics: Mapping[str, str]
    is_wiki: bool
    """True if the URL is considered a page of a wiki whose API may be used."""
    is_wiki_by: str
    """Source of that: ``configuration``; ``attempts``: the latest on its domain; or ``nothing``."""
    budget: ExplainedBudget
    """The politeness budget that the page is charged to."""
    policy: str
    """``WIKICRAWLER_TIER_POLICY``."""
    decided_by: str
    """What decides in a crawl: ``static``: the configured order; ``learned``: the choice; or the
    policy's class."""
    static_order: tuple[str, ...]
    """The configured order."""
    page_worth: float
    """Value of a page, in plain GETs."""
    ban_cost: float
    explore: float
    """Share of a page's cost to spend on exploring a tier: ``WIKICRAWLER_EXPLORE``."""
    tiers: tuple[ExplainedTier, ...]
    """By increasing cost index."""
    decision: Decision | None
    """The best choice by the evidence; None if no tier is usable."""
    left_out: tuple[LeftOutTier, ...]
    attempts: tuple[WeighedAttempt, ...]
    """The last attempts on its domain, newest first."""
    login: str | None
    """The log-in that requests to the page have, without its secret."""
    proxy: str | None
    """The proxy of the page's domain, without its password."""
