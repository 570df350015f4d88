"""What is told of a page: plain facts, figures unrounded, times in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


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
    """``not_worth_it``: it surely costs more than a page is worth; ``no_server``: the settings lack
    what it needs; ``no_wiki``: no wiki is known there; ``not_configured``: the configured order
    does not name it."""
    detail: str = ""
    """What the settings lack, with ``no_server``."""


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
    """A :class:`~wikicrawler.learning.model.choice.Probing`: whether a probe comes first."""
    stealth: bool
    """Whether a browser, if it is tried, hides that it is driven."""
    stealth_tier: str
    """The tier of :attr:`order` that can do so; empty if none can."""
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
class Budget:
    """A politeness budget, and what is known of the site that shares it."""

    name: str
    is_known: bool
    """Whether anything was ever recorded of it."""
    is_paused: bool
    paused_until: datetime | None
    risk_level: int
    """Pauses in a row without a page between."""
    reason: str | None
    """Why it was paused last."""
    attempt_count: int
    last_attempt_at: datetime | None


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
    budget: Budget
    """That it is charged to."""
    policy: str
    """``WIKICRAWLER_TIER_POLICY``."""
    decided_by: str
    """What decides in a crawl: ``static``: the configured order, ``learned``: the choice, or the
    policy's class."""
    static_order: tuple[str, ...]
    """The order that is configured."""
    page_worth: float
    """What a page is worth, in plain GETs."""
    ban_cost: float
    explore: float
    """The share of a page's cost that may go into exploring a tier: ``WIKICRAWLER_EXPLORE``."""
    tiers: tuple[TierBelief, ...]
    """By rising cost index."""
    decision: Decision | None
    """What the evidence suggests; none where no tier can be tried."""
    left_out: tuple[LeftOut, ...]
    attempts: tuple[PastAttempt, ...]
    """The last ones on its domain, the newest first."""
