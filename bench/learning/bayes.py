"""A policy without foresight that knows what sites there are: how near to the oracle one can get.

It knows the parameters of the world (the archetypes, their shares, rates, paths, hours and
changes), but not which host is of which archetype. That it infers by Bayes' rule, per host, from
the paths and from the outcomes. The order of the tiers of a page minimises the expected cost of the
page and, by a lookahead of one page, of the host's later ones (:mod:`bench.learning.planning`).

Exact: the inference for hosts that do not change, of which a tier fails in one way. Approximate:
the rates of a host that changes, tiers that fail in several ways, other hosts of a site (the
nearest ones count), and the lookahead (later pages are planned one by one). What answers show is
not used.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.learning.planning import Belief, Outlook, Planner
from bench.learning.world import (
    DAY,
    PREFIXES,
    SITE_CONCENTRATION,
    START,
    archetype_at_hour,
    first_hours,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.learning.policies import Get
    from bench.learning.world import Page, Rates, World

_NEVER = 1e-6
"""Likelihood of what cannot be, by the parameters."""
_FINAL = {"ok", "missing"}


class Kind(NamedTuple):
    """What a host may be: an archetype, the hour when it changes, and the last drift."""

    archetype: str
    first_hour: int
    drift: str


class Bayes:
    """Knows the world's parameters, and nothing of single sites beforehand."""

    name = "bayes"

    def __init__(self, world: World) -> None:
        self._of: dict[str, Any] = world.parameters
        self._archetypes: dict[str, Any] = self._of["archetypes"]
        self._prior = dict(_kinds(self._of))
        self._hosts: dict[int, _Host] = {}
        self._sites: dict[str, list[int]] = {}
        self._planner = Planner(world.costs, self._outlook)
        self._mean_pages = len(world.pages) / len(world.hosts)

    def fetch(self, page: Page, get: Get) -> None:
        host = self._hosts.get(page.host)
        if host is None:
            self._sites.setdefault(page.part.features.registered_domain, []).append(page.host)
            host = self._hosts[page.host] = _Host(self._of, self._prior)
        host.reach(page.at)
        host.see_path(page)
        weights = self._weights(page, host)
        tiers, tried = page.tiers, 0
        belief = {kind: w for kind, w in weights.items() if w > 1e-4}
        outlook = {kind: host.outlook(kind, page.part.path, page.at, tiers) for kind in belief}
        later = self._later(host, page)
        while left := tuple(tier for tier in tiers if not tried >> tiers.index(tier) & 1):
            tier = self._planner.best(belief, outlook, left, later, page)
            if tier is None:
                break
            reason = get(tier)
            tried |= 1 << tiers.index(tier)
            host.see(page, tier, reason, weights)
            if reason in _FINAL:
                break
            belief = self._planner.after(belief, outlook, tier, reason)
        host.pages += 1

    def _weights(self, page: Page, host: _Host) -> Belief:
        """P(kind) of the host, given what is known of it and of the site's nearest others."""
        log = dict(host.log)
        if self._of["more_hosts"]:
            mates = self._sites[page.part.features.registered_domain]
            below = max((n for n in mates if n < page.host), default=None)
            above = min((n for n in mates if n > page.host), default=None)
            for near in (below, above):
                if near is not None:
                    alike = self._of["alike"] ** abs(near - page.host)
                    mate = self._hosts[near].posterior()
                    for kind, share in self._prior.items():
                        ratio = mate.get(kind, 0.0) / share if share else 0.0
                        log[kind] += math.log(max(_NEVER, alike * ratio + 1 - alike))
        return _normal(log)

    def _later(self, host: _Host, page: Page) -> float:
        """How many more pages of the host are to be expected."""
        seen = host.pages + 1
        if "site_pages" in self._of:
            first, last = self._of["site_pages"]
            possible = [n - seen for n in range(max(first, seen), last + 1)]
            return sum(possible) / max(1, len(possible))
        passed = min(0.99, max(0.02, (page.at - START) / (self._of["days"] * DAY)))
        return min(60.0, self._of["session"] / 2 + (seen + 1) / passed * (1 - passed))

    def _outlook(self, kind: Kind, page: Page) -> list[tuple[float, str, Outlook]]:
        """Of a host of that kind, at that hour, the kinds of pages: share, path and rates."""
        archetype = _active(self._archetypes, kind, page.at)
        of = self._archetypes[archetype]
        found = []
        for part in of.get("parts", [{}]):
            path = (of | part).get("path", "")
            rates = {t: (of | part).get(t, {}) for t in page.tiers}
            found.append((part.get("share", 1.0), str(path), rates))
        whole = sum(share for share, *_ in found)
        return [(share / whole, path, rates) for share, path, rates in found]


class _Host:
    """What is known of a host."""

    def __init__(self, parameters: dict[str, Any], prior: Belief) -> None:
        self._of = parameters
        self._archetypes = parameters["archetypes"]
        self.log = {k: math.log(share) if share else -60.0 for k, share in prior.items()}
        self.pages = 0
        self._at = START
        self._paths: set[str] = set()
        self._counts: dict[tuple[Kind, str, str, str], Counter[str]] = {}

    def posterior(self) -> Belief:
        return _normal(self.log)

    def reach(self, at: float) -> None:
        """Let the host change between the last page and this one, as drifts say."""
        begin, end = (self._at - START) / DAY, (at - START) / DAY
        self._at = at
        if not self._of["drift"] or begin == end:
            return
        weights = self.posterior()
        for drift in self._of["drift"]:
            first, last = drift["day"]
            back = drift.get("back_after", math.inf)
            for kind in list(weights):
                if kind.archetype == drift["from"] and not kind.drift:
                    to = Kind(drift["to"], kind.first_hour, drift["name"])
                    done, now = (drift["share"] * _uniform(first, last, t) for t in (begin, end))
                    _move(weights, kind, to, (now - done) / max(1e-9, 1 - done))
                elif kind.drift == drift["name"] and back < math.inf:
                    to = Kind(drift["from"], kind.first_hour, f"{drift['name']} back")
                    gone = _uniform(first, last, begin)
                    done, now = (_uniform(first + back, last + back, t) for t in (begin, end))
                    _move(weights, kind, to, (now - done) / max(1e-9, gone - done))
        self.log = {kind: math.log(max(1e-26, w)) for kind, w in weights.items()}

    def see_path(self, page: Page) -> None:
        """The kind of the next page's path, and whether it is a wiki's, tell something already."""
        path, is_wiki = page.part.path.partition("$1")[0], page.part.features.wiki == "wiki"
        for kind in self.log:
            of = self._archetypes[_active(self._archetypes, kind, page.at)]
            likely = _NEVER
            if of.get("wiki", False) == is_wiki:
                parts = of.get("parts", [{}])
                whole = sum(part.get("share", 1.0) for part in parts)
                for part in parts:
                    paths = (of | part).get("path", "/wiki/" if is_wiki else list(PREFIXES))
                    paths = paths if isinstance(paths, list) else [paths]
                    if path in paths and not self._paths & (set(paths) - {path}):
                        once = 1 if path in self._paths else len(paths)
                        likely += part.get("share", 1.0) / whole / once
            self.log[kind] += math.log(likely)
        self._paths.add(path)

    def outlook(self, kind: Kind, path: str, at: float, tiers: tuple[str, ...]) -> Outlook:
        """The expected rates of each tier for a page of *path*, if the host is of that kind."""
        found = {}
        archetype = _active(self._archetypes, kind, at)
        for tier in tiers:
            known = self._counts.get((kind, archetype, path, tier), Counter())
            found[tier] = _expected(self._rates(archetype, path, tier), known)
        return found

    def see(self, page: Page, tier: str, reason: str, before: Belief) -> None:
        """Learn from the end of an attempt."""
        reason = "ok" if reason == "missing" else reason
        if reason in self._of["noise"]:
            return
        for kind in self.log:
            archetype = _active(self._archetypes, kind, page.at)
            known = self._counts.setdefault((kind, archetype, page.part.path, tier), Counter())
            rates = _expected(self._rates(archetype, page.part.path, tier), known)
            p = 1 - sum(rates.values()) if reason == "ok" else rates.get(reason, 0.0)
            self.log[kind] += math.log(max(_NEVER, p))
            if self._of["drift"]:  # how likely it is that the host is of the kind now
                known[reason] += before.get(kind, 0.0)  # type: ignore[assignment]
            else:
                known[reason] += 1

    def _rates(self, archetype: str, path: str, tier: str) -> Rates:
        of, prefix = self._archetypes[archetype], path.partition("$1")[0]
        for part in of.get("parts", ()):
            paths = part.get("path", "")
            if prefix in (paths if isinstance(paths, list) else [paths]):
                of = of | part
        rates: Rates = of.get(tier, {})
        return rates


def _kinds(parameters: dict[str, Any]) -> Iterator[tuple[Kind, float]]:
    archetypes = parameters["archetypes"]
    for name, of in archetypes.items():
        firsts = first_hours(of["hours"]) if "hours" in of else [0]
        for first in firsts:
            yield Kind(name, first, ""), of["share"] / len(firsts)
    for drift in parameters["drift"]:
        firsts = first_hours(archetypes[drift["from"]].get("hours", {"from": 0}))
        for first in firsts:
            yield Kind(drift["to"], first, drift["name"]), 0.0
            if "back_after" in drift:
                yield Kind(drift["from"], first, f"{drift['name']} back"), 0.0


def _active(archetypes: dict[str, Any], kind: Kind, at: float) -> str:
    if "hours" in archetypes[kind.archetype]:
        return archetype_at_hour(archetypes, kind.archetype, kind.first_hour, at)
    return kind.archetype


def _expected(rates: Rates, known: Counter[str]) -> Rates:
    """The rates of a host that are to be expected after what is *known* of it."""
    seen = sum(known.values())
    if not seen:
        return rates
    strength = SITE_CONCENTRATION
    return {
        reason: (strength * p + known[reason]) / (strength + seen) if 0 < p < 1 else p
        for reason, p in rates.items()
    }


def _move(weights: Belief, kind: Kind, to: Kind, share: float) -> None:
    moved = weights[kind] * min(1.0, max(0.0, share))
    weights[kind] -= moved
    weights[to] += moved


def _uniform(first: float, last: float, day: float) -> float:
    return min(1.0, max(0.0, (day - first) / (last - first)))


def _normal(log: dict[Kind, float]) -> Belief:
    most = max(log.values())
    weights = {kind: math.exp(value - most) for kind, value in log.items()}
    whole = sum(weights.values())
    return {kind: weight / whole for kind, weight in weights.items()}
