"""What learning the tiers saves, in simulated worlds.

    python bench/learning/simulate.py --world FILE [--seeds 1-20] [--policies a,b] [--json OUT]

Makes the world of FILE (see ``worlds/mixed.yml``) once for each seed and crawls it by each policy,
and prints means over the seeds with 95 % confidence intervals, beside what is aimed at.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # run as a file
    sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.learning import world as worlds
from bench.learning.bayes import Bayes
from bench.learning.crawlee import Crawlee
from bench.learning.metrics import (
    Result,
    calibration_error,
    false_changes,
    interval,
    relearned,
)
from bench.learning.policies import FINAL, Learned, Literal, Oracle, Static
from wikicrawler.errors import Reason
from wikicrawler.learning.model.outcomes import OUTCOMES, Outcome
from wikicrawler.pages import Failure
from wikicrawler.politeness.pauses import SitePauses
from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.learning.policies import Policy
    from bench.learning.world import Page, World

POLICIES: dict[str, Callable[[World, int], Policy]] = {
    "static": lambda world, seed: Static(world.costs, seed),
    "literal": lambda world, seed: Literal(world.costs, seed),
    "crawlee": lambda world, seed: Crawlee(world.costs, seed),
    "thompson": lambda world, seed: Learned(world.costs, seed, thompson=True),
    "learned": lambda world, seed: Learned(world.costs, seed),
    "bayes": lambda world, _: Bayes(world),
    "oracle": lambda world, seed: Oracle(world.costs, seed),
}
BLOCKS = {reason for reason, outcome in OUTCOMES.items() if outcome is Outcome.BAN}


class Crawl:
    """One policy in one world, with the project's pauses of sites that block everything."""

    def __init__(self, world: World, policy: Policy) -> None:
        self._world, self._policy = world, policy
        self._oracle = Oracle(world.costs, 0)
        self._now = 0.0
        self._pauses = SitePauses(clock=lambda: self._now)
        self._ended: dict[str, set[str]] = {}  # by site: reasons of the page that is on its way
        if isinstance(policy, Learned):
            policy.plans_ahead = world.as_crawled
        self._apis: dict[int, KnownWiki] = defaultdict(lambda: KnownWiki("", ""))
        self.result = Result()

    def run(self) -> Result:
        for page in self._world.pages:
            self._now = page.at
            self.result.pages += not page.missing
            site = page.part.features.registered_domain
            paused = self._pauses.remaining(site)
            self._heed(site, self._ended.pop(site, set()))
            if not paused:
                self._fetch(page)
        if isinstance(self._policy, Learned):
            self.result.predictions = self._policy.predictions
            self.result.changes = self._policy.changes
        return self.result

    def _fetch(self, page: Page) -> None:
        result, costs = self.result, self._world.costs
        made: dict[str, str] = {}

        def get(tier: str) -> str:
            if tier == "mediawiki" and self._rests(page):
                return Reason.NO_TIER
            reason = made[tier] = page.reason(tier)
            is_block = reason in BLOCKS
            result.attempts += 1
            result.blocked += is_block
            result.cost += costs.tiers[tier] + is_block * costs.ban
            return reason

        self._policy.fetch(page, get)
        reasons = set(made.values())
        result.successes += "ok" in reasons
        site = page.part.features.registered_domain
        if self._world.as_crawled:
            self._ended[site] = reasons
        else:
            self._heed(site, reasons)
        right = self._oracle.order(page)[0]
        if made:
            result.first[page.host].append((page.at, next(iter(made)), right))

    def _heed(self, site: str, reasons: set[str]) -> None:
        """Have *site* paused, or not any more, for what its page ended with."""
        if reasons and reasons <= BLOCKS:
            self._pauses.blocked(site)
        elif reasons & {"ok", Reason.MISSING}:
            self._pauses.answered(site)

    def _rests(self, page: Page) -> bool:
        """Whether the API of the page's wiki is left alone; if not, it is asked now."""
        if not self._world.as_crawled:
            return False
        wiki = self._apis[page.host]
        if wiki.off is not None:
            return True
        reason = page.reason("mediawiki")
        if reason in FINAL:
            wiki.succeeded()
        elif reason == Reason.API_OFF and not wiki.siteinfo_requested:  # no siteinfo either
            wiki.switch_off(Failure(Reason.API_OFF, ""), math.inf)
        else:
            wiki.failed(Failure(Reason(reason), ""))
        wiki.siteinfo_requested = True
        return False


def crawl(parameters: dict[str, Any], seed: int, names: list[str]) -> dict[str, dict[str, float]]:
    """The figures of each policy in the world of *seed*."""
    world = worlds.make(parameters, seed)
    figures = {}
    for name in names:
        result = Crawl(world, POLICIES[name](world, seed)).run()
        figures[name] = {
            "cost": result.cost / max(1, result.successes),
            "blocked": float(result.blocked),
            "success": 100 * result.successes / max(1, result.pages),
            "attempts": result.attempts / len(world.pages),
        }
        for kind, counts in relearned(world, result).items():
            figures[name][f"pages after: {kind}"] = sum(counts) / len(counts)
        if result.predictions:
            figures[name]["calibration error"] = calibration_error(result.predictions)
            figures[name]["false changes"] = false_changes(world, result)
    for own in figures.values():
        if "oracle" in figures:
            own["cost / oracle"] = own["cost"] / figures["oracle"]["cost"]
        if "static" in figures:
            if figures["static"]["blocked"]:
                own["blocked / static"] = own["blocked"] / figures["static"]["blocked"]
            own["success - static"] = own["success"] - figures["static"]["success"]
    return figures


def summary(seeds: list[dict[str, dict[str, float]]]) -> dict[str, dict[str, list[float]]]:
    """By policy and figure: the mean, half its interval, and the number of seeds that have it."""
    found: dict[str, dict[str, list[float]]] = {}
    for name in seeds[0]:
        keys = dict.fromkeys(key for seed in seeds for key in seed[name])
        found[name] = {}
        for key in keys:
            values = [seed[name][key] for seed in seeds if key in seed[name]]
            found[name][key] = [*interval(values), len(values)]
    return found


def table(means: dict[str, dict[str, list[float]]]) -> str:
    keys = list(dict.fromkeys(key for own in means.values() for key in own))
    lines = [f"| policy | {' | '.join(keys)} |", "|---" * (len(keys) + 1) + "|"]
    for name, own in means.items():
        cells = [f"{own[k][0]:.4g} ± {own[k][1]:.2g}" if k in own else "" for k in keys]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--world", type=Path, required=True)
    parser.add_argument("--seeds", default="1-20", help="A-B")
    parser.add_argument("--policies", default=",".join(POLICIES))
    parser.add_argument("--json", type=Path, help="where to write the figures of all seeds")
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("-")
    parameters, names = worlds.read(arguments.world), arguments.policies.split(",")
    seeds = [crawl(parameters, seed, names) for seed in range(int(first), int(last or first) + 1)]
    means = summary(seeds)
    print(f"## {parameters['name']}, {len(seeds)} seeds\n\n{table(means)}")
    if arguments.json:
        report = {"world": parameters, "means": means, "seeds": dict(enumerate(seeds, int(first)))}
        arguments.json.write_text(json.dumps(report, indent=1), "utf-8")


if __name__ == "__main__":
    main()
