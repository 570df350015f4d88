"""What a policy did in a world, and what many worlds say of it."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import mean, stdev
from typing import TYPE_CHECKING

from wikicrawler.learning.model.beta import quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.learning.world import World
    from wikicrawler.learning.model.sums import Changed

RUN = 10
"""Pages in a row in which a policy has to begin with the right tier …"""
RIGHT = 8
"""… so many times, to have learned it; the others it may explore."""
AFTER = 200
"""Pages that a host must be asked for before and after a change, for that to count."""
BINS = 10


@dataclass
class Result:
    """What one policy did in one world."""

    cost: float = 0.0
    """Of attempts and bans."""
    attempts: int = 0
    blocked: int = 0
    successes: int = 0
    pages: int = 0
    """Those that were asked for, without those that are not there."""
    first: dict[int, list[tuple[float, str, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By host: when, which tier was tried first, and which the oracle would have tried."""
    predictions: Sequence[tuple[float, bool]] = ()
    changes: Sequence[Changed] = ()
    """Those that the policy told."""


def relearned(world: World, result: Result, after: int = AFTER) -> dict[str, list[int]]:
    """By kind of change: pages of a host until it is begun with the right tier again, one number a
    change after which it was asked for so many; all pages that were left where it never was."""
    found: dict[str, list[int]] = defaultdict(list)
    by_host: dict[int, list[tuple[float, str]]] = defaultdict(list)
    for turn in world.turns:
        by_host[turn.host].append((turn.at, turn.kind))
    for host, turns in by_host.items():
        firsts = result.first[host]
        ends = [*(at for at, _ in turns[1:]), math.inf]
        begins = [0.0, *(at for at, _ in turns[:-1])]
        for (at, kind), begin, end in zip(turns, begins, ends, strict=True):
            before = sum(begin <= when < at for when, _, _ in firsts)
            follow = [first == right for when, first, right in firsts if at <= when < end]
            if before >= after / 4 and len(follow) >= after:
                found[kind].append(_learned_at(follow))
    return found


def _learned_at(right: Sequence[bool]) -> int:
    for start in range(len(right) - RUN + 1):
        if sum(right[start : start + RUN]) >= RIGHT:
            return start
    return len(right)


def false_changes(world: World, result: Result) -> float:
    """Changes told of hosts that had not changed, for each 10,000 attempts."""
    turned: dict[str, float] = {}
    for turn in world.turns:
        turned.setdefault(world.hosts[turn.host], turn.at)
    false = sum(change.at < turned.get(change.domain, math.inf) for change in result.changes)
    return 10_000 * false / max(1, result.attempts)


def calibration_error(predictions: Sequence[tuple[float, bool]]) -> float:
    """The expected calibration error: |share of successes - mean belief| in bins of equal width,
    weighted by their size (Naeini et al., AAAI 2015)."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for believed, won in predictions:
        bins[min(BINS - 1, int(believed * BINS))].append((believed, won))
    gaps = (abs(sum(w for _, w in b) - sum(p for p, _ in b)) for b in bins.values())
    return sum(gaps) / max(1, len(predictions))


def interval(values: Iterable[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % confidence interval (Student's)."""
    values = list(values)
    if len(values) < 2:
        return mean(values) if values else math.nan, math.nan
    degrees = len(values) - 1
    x = quantile(0.05, degrees / 2, 0.5)  # P(|T| > t) = I_(d / (d + t^2))(d / 2, 1 / 2)
    t = math.sqrt(degrees * (1 - x) / x)
    return mean(values), t * stdev(values) / math.sqrt(len(values))
