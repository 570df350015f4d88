"""A world of sites: what each tier brings of each page, and when what is asked for.

Made from a file (``worlds/*.yml``, whose first explains the keys) and a seed; the same for every
policy, down to the chance of each attempt.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from wikicrawler.learning.model.choice import Costs
from wikicrawler.learning.model.features import Features, features_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TIERS = ("mediawiki", "http", "browser")
DAY = 86_400.0
START = 1_700_000_000.0
PREFIXES = ("/", "/p/", "/docs/", "/en/articles/", "/2024/05/")
_SUFFIXES = ("", "", "", ".html", ".php")
SITE_CONCENTRATION = 40.0
"""How close the rates of a site are to those of its archetype (as so many attempts)."""
_ENDINGS = ("com", "org", "net", "de", "co.uk")

Rates = dict[str, float]
"""Probability by reason; what is left is ``ok``."""


@dataclass(frozen=True, slots=True)
class Part:
    """The pages of a host that behave alike, for as long as they do."""

    path: str
    """Of its pages, ``$1`` being what differs."""
    features: Features
    rates: dict[str, Rates]
    """By tier; a tier that is not there cannot be tried."""
    limits: dict[str, tuple[list[float], list[str]]]
    """Per tier, upper ends of the intervals of chance and the reason of each."""
    shows: tuple[tuple[str, str], ...] = ()
    """Type and value of what each answer shows of the host, such as its server."""

    def success(self, tier: str) -> float:
        """The true P(success) of *tier*, of attempts that are evidence."""
        return 1 - sum(self.rates[tier].values())


class Page(NamedTuple):
    """A page that is asked for."""

    at: float
    host: int
    part: Part
    missing: bool
    chance: tuple[float, ...]
    """One number for each of :data:`TIERS`, that decides what an attempt brings."""

    @property
    def tiers(self) -> tuple[str, ...]:
        return tuple(self.part.rates)

    def reason(self, tier: str) -> str:
        """What an attempt of *tier* ends with."""
        ends, reasons = self.part.limits[tier]
        reason = reasons[bisect_right(ends, self.chance[TIERS.index(tier)])]
        return "missing" if self.missing and reason == "ok" else reason


class Turn(NamedTuple):
    """A host that changes its archetype."""

    at: float
    host: int
    kind: str
    """Name of the drift, as in the file; ``… back`` where it ends."""


@dataclass
class World:
    """All that policies share."""

    name: str
    costs: Costs
    hosts: list[str] = field(default_factory=list)
    """Their names, in the order of their numbers."""
    pages: list[Page] = field(default_factory=list)
    """In the order of time."""
    turns: list[Turn] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    """Those that it was made with: for policies that know what sites there are."""
    as_crawled: bool = False
    """Whether it is crawled as by the project: an API that keeps failing is left alone, and a page
    is planned while the one before it on its site is on its way."""


class _Host:
    """A host while the world is made: its parts by archetype, and when it is which."""

    def __init__(self, name: str, archetype: str) -> None:
        self.name = name
        self.times = [0.0]
        self.archetypes = [archetype]
        self.parts: dict[str, tuple[list[float], list[Part]]] = {}

    def archetype_at(self, at: float) -> str:
        return self.archetypes[bisect_right(self.times, at) - 1]

    def become(self, archetype: str, at: float) -> None:
        self.times.append(at)
        self.archetypes.append(archetype)


def read(path: Path) -> dict[str, Any]:
    """The parameters in a file of YAML, and so of JSON."""
    parameters: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return parameters


def make(parameters: dict[str, Any], seed: int) -> World:
    """The world with those parameters that *seed* makes."""
    chance = random.Random(f"{parameters['name']} {seed}")  # noqa: S311 - no secret
    costs = dict(parameters["costs"])
    world = World(
        parameters["name"],
        Costs(costs, ban=costs.pop("ban"), page=costs.pop("page"), probe="http"),
        parameters=parameters,
        as_crawled=parameters.get("as_crawled", False),
    )
    hosts = _hosts(parameters, chance)
    world.hosts = [host.name for host in hosts]
    days = parameters["days"]
    for number, host in enumerate(hosts):
        for drift in parameters["drift"]:
            world.turns += [
                turn._replace(host=number) for turn in _turns(host, drift, days, chance)
            ]
    for at, number in _visits(parameters, len(hosts), chance):
        host = hosts[number]
        archetype = at_hour(parameters["archetypes"], host.archetype_at(at), host.name, START + at)
        parts_ends, parts = _parts(host, archetype, parameters, chance)
        part = parts[bisect_right(parts_ends, chance.random() * parts_ends[-1])]
        draws = (chance.random(), chance.random(), chance.random())
        missing = chance.random() < parameters["missing"]
        world.pages.append(Page(START + at, number, part, missing, draws))
    world.turns = [Turn(START + turn.at, *turn[1:]) for turn in sorted(world.turns)]
    return world


def _hosts(parameters: dict[str, Any], chance: random.Random) -> list[_Host]:
    archetypes = parameters["archetypes"]
    if "sites" not in parameters:  # as many of each archetype as it says
        kinds = [name for name, of in archetypes.items() for _ in range(of.get("sites", 0))]
        return [_Host(f"h0.site{n}.{_ENDINGS[0]}", kind) for n, kind in enumerate(kinds)]
    names, shares = list(archetypes), [a["share"] for a in archetypes.values()]
    hosts = []
    for site in range(parameters["sites"]):
        ending = chance.choice(_ENDINGS)
        archetype = chance.choices(names, shares)[0]
        number = 1
        while chance.random() < parameters["more_hosts"]:
            number += 1
        for host in range(number):
            if host and chance.random() > parameters["alike"]:
                archetype = chance.choices(names, shares)[0]
            hosts.append(_Host(f"h{host}.site{site}.{ending}", archetype))
    return hosts


def _turns(
    host: _Host, drift: dict[str, Any], days: float, chance: random.Random
) -> Iterator[Turn]:
    """Let *host* change as *drift* says, if it does."""
    first, last = drift["day"]
    at = chance.uniform(first, last) * DAY
    before = host.archetype_at(at)
    if before != drift["from"] or chance.random() > drift["share"]:
        return
    host.become(drift["to"], at)
    yield Turn(at, 0, drift["name"])
    back = at + drift.get("back_after", days) * DAY
    if back < days * DAY:
        host.become(before, back)
        yield Turn(back, 0, f"{drift['name']} back")


def _visits(
    parameters: dict[str, Any], hosts: int, chance: random.Random
) -> list[tuple[float, int]]:
    """When which host is asked for a page: in sessions, of which several go on at a time."""
    visits: list[tuple[float, int]] = []

    def session(host: int, longest: float) -> int:
        at = chance.random() * parameters["days"] * DAY
        number = int(min(longest, 1 + int(chance.expovariate(1 / parameters["session"]))))
        for _ in range(number):
            visits.append((at, host))
            at += chance.expovariate(1 / parameters["gap"])
        return number

    if "site_pages" in parameters:
        for host in range(hosts):
            left = chance.randint(*parameters["site_pages"])
            while left:
                left -= session(host, left)
        return sorted(visits)[: parameters["pages"]]
    weights = [1 / (rank + 1) ** parameters["popularity"] for rank in range(hosts)]
    chance.shuffle(weights)
    ends = list(accumulate(weights))
    while len(visits) < parameters["pages"]:
        session(bisect_right(ends, chance.random() * ends[-1]), math.inf)
    return sorted(visits[: parameters["pages"]])


def at_hour(archetypes: dict[str, Any], archetype: str, name: str, at: float) -> str:
    """What a host called *name* is at that time, if it is *archetype*, by its ``hours``."""
    hours = archetypes[archetype].get("hours")
    if hours is None:
        return archetype
    first = random.Random(f"{name} hours").choice(first_hours(hours))  # noqa: S311
    return archetype_at_hour(archetypes, archetype, first, at)


def first_hours(hours: dict[str, Any]) -> list[int]:
    """The hours of the day (UTC) at one of which, by the host, the others' time begins."""
    first = hours["from"]
    return list(first) if isinstance(first, list) else [first]


def archetype_at_hour(archetypes: dict[str, Any], archetype: str, first: int, at: float) -> str:
    """What a host of *archetype* is at that time, if it changes at the hour *first*."""
    hours = archetypes[archetype]["hours"]
    since = (at / 3600 - first) % 24
    other: str = hours["as"]
    return other if since < hours["for"] else archetype


def _parts(
    host: _Host, archetype: str, parameters: dict[str, Any], chance: random.Random
) -> tuple[list[float], list[Part]]:
    """Upper ends of the shares of the host's parts, and the parts; a host that turns back to an
    archetype is what it was."""
    if archetype not in host.parts:
        of = parameters["archetypes"][archetype]
        parts = [
            _part(host.name, of | part, parameters["noise"], chance)
            for part in of.get("parts", [{}])
        ]
        shares = [part.get("share", 1.0) for part in of.get("parts", [{}])]
        host.parts[archetype] = list(accumulate(shares)), parts
    return host.parts[archetype]


def _part(name: str, of: dict[str, Any], noise: Rates, chance: random.Random) -> Part:
    is_wiki = of.get("wiki", False)
    prefix = of.get("path", "/wiki/" if is_wiki else random.Random(name).choice(PREFIXES))  # noqa: S311
    if isinstance(prefix, list):
        prefix = random.Random(f"{name} {prefix}").choice(prefix)  # noqa: S311
    suffix = "" if is_wiki else random.Random(name).choice(_SUFFIXES)  # noqa: S311
    rates, limits = {}, {}
    for tier in TIERS[0 if is_wiki else 1 :]:
        rates[tier] = {r: _of_site(p, chance) for r, p in of.get(tier, {}).items()}
        left = 1 - sum(noise.values())
        shares = [*noise.values(), *(left * p for p in rates[tier].values())]
        limits[tier] = list(accumulate(shares)), [*noise, *rates[tier], "ok"]
    path = f"{prefix}$1{suffix}"
    url = f"https://{name}{path.replace('$1', 'a-page')}"
    features = features_of(url, is_wiki=is_wiki, configured=next(iter(rates)))
    return Part(path, features, rates, limits, tuple(_shown(name, of.get("shows", {}))))


def _shown(name: str, shows: dict[str, Rates]) -> Iterator[tuple[str, str]]:
    for kind, shares in shows.items():
        drawn = random.Random(f"{name} {kind}")  # noqa: S311 - the same for all parts of a host
        yield kind, drawn.choices([*shares, ""], [*shares.values(), 1 - sum(shares.values())])[0]


def _of_site(p: float, chance: random.Random) -> float:
    """The rate of one site, where those of its archetype have *p* on average."""
    if not 0 < p < 1:
        return p
    return chance.betavariate(SITE_CONCENTRATION * p, SITE_CONCENTRATION * (1 - p))
