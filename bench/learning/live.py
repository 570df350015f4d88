"""What learning the tiers saves in real crawls, beside what the simulation says of the same world.

    python bench/learning/live.py [--world FILE] [--seeds A-B] [--policies a,b] [--json OUT]

Makes the world of FILE (``worlds/live.yml``) and serves its sites on loopback, a browser that
crawl4ai's REST contract reaches among them. Each policy is a crawl of the project, a process of its
own, with a database of its own. Its figures are counted in the servers' log: what a page was asked
for by which tier. They stand beside those of the simulation, of the same policy and the very same
pages; where a policy draws lots, the mean of its simulations.
"""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

if __name__ == "__main__":  # run as a file
    sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.crawls.programs import own_environment
from bench.learning import given, simulate
from bench.learning import world as worlds
from bench.learning.metrics import Result, relearned
from bench.learning.policies import Oracle
from tests.servers.archetypes import Archetypes
from tests.servers.crawl4ai.scripted import FetchingCrawl4AI

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.learning.world import World
    from tests.servers.archetypes import Asked

ROOT = Path(__file__).parents[2]
POLICIES = ("static", "learned")
DRAWS = {"learned"}
"""Policies that draw lots …"""
SIMULATIONS = 20
"""… and so are simulated so often."""
AFTER = 25
"""Pages that a site must be asked for after a change, for that to count."""
SETTINGS = {
    # nothing but the choice of tiers takes time, and an attempt is one request
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
    "DOMAIN_THROTTLE_MAX_DELAY": "0",
    "WIKICRAWLER_RETRY": '{"429": [], "503": [], "timeout": [], "network": []}',
    "WIKICRAWLER_LONGEST_WAIT": "0",
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    "WIKICRAWLER_CONTENT_WORKERS": "0",
    "WIKICRAWLER_PROGRESS_ENABLED": "False",
    "WIKICRAWLER_RECORD_ATTEMPTS": "True",
}


def crawl(world: World, policy: str, folder: Path) -> tuple[list[Asked], set[str]]:
    """What the sites of *world* were asked for by a crawl with that policy, and the URLs of the
    pages that it brought.

    Raises:
        subprocess.CalledProcessError: the crawl failed; its log is in *folder*.
    """
    with Archetypes(world) as sites, FetchingCrawl4AI() as browser:
        sources, urls, feed = folder / "sources.yml", folder / "urls", folder / "pages.jsonl"
        sources.write_text(sites.sources(), "utf-8")
        urls.write_text("\n".join(sites.urls()), "utf-8")
        settings = SETTINGS | {
            "WIKICRAWLER_TIER_POLICY": policy,
            "WIKICRAWLER_CONFIG": str(sources),
            "WIKICRAWLER_DATABASE_URL": f"sqlite:///{folder / 'attempts.db'}",
            "CRAWL4AI_URL": browser.url(""),
            "CRAWL4AI_RENDERINGS": "1",  # the simulated browser fills a page at once
            "WIKICRAWLER_TIER_COSTS": json.dumps(costs_in(world)),
        }
        command = [
            *(sys.executable, "-m", "scrapy", "runspider", str(given.__file__)),
            *("-a", f"urls={urls}", "-O", str(feed), "--logfile", str(folder / "log")),
            *(word for name, value in settings.items() for word in ("-s", f"{name}={value}")),
        ]
        environment = own_environment() | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, cwd=ROOT, env=environment)
        brought = {json.loads(line)["url"] for line in feed.read_text("utf-8").splitlines()}
        return list(sites.log), brought


def costs_in(world: World) -> dict[str, float]:
    """What *world* says of costs, as ``WIKICRAWLER_TIER_COSTS`` has it."""
    return {**world.costs.tiers, "ban": world.costs.ban, "page": world.costs.page}


def result_of(world: World, log: Sequence[Asked]) -> Result:
    """The same figures as of a simulated crawl, of what the sites were asked for."""
    result, costs, oracle = Result(), world.costs, Oracle(world.costs, 0)
    by_page: dict[tuple[int, int], list[Asked]] = defaultdict(list)
    for asked in log:
        # What a wiki is, is asked beside its pages; where it does not say so, that was the attempt.
        if asked.page is None and not (asked.tier and asked.reason != "ok"):
            continue
        is_block = asked.reason in simulate.BLOCKS
        result.attempts += 1
        result.blocked += is_block
        result.cost += costs.tiers[asked.tier] + is_block * costs.ban
        if asked.page is not None:
            by_page[asked.site, asked.page].append(asked)
    numbers: dict[int, int] = defaultdict(int)
    for page in world.pages:
        number = numbers[page.host]
        numbers[page.host] += 1
        attempts = by_page[page.host, number]
        result.pages += not page.missing
        result.successes += any(asked.reason == "ok" for asked in attempts)
        if attempts:
            right = oracle.order(page)[0]
            result.first[page.host].append((page.at, attempts[0].tier, right))
    return result


def figures_of(world: World, result: Result) -> dict[str, float]:
    return {
        "cost a page": result.cost / max(1, result.successes),
        "blocked": float(result.blocked),
        "success": 100 * result.successes / max(1, result.pages),
        "attempts": float(result.attempts),
        **{
            f"pages after: {kind}": mean(counts)
            for kind, counts in relearned(world, result, AFTER).items()
        },
    }


def simulated(world: World, policy: str) -> dict[str, float]:
    """The mean figures of *policy* in simulated crawls."""
    runs = [
        figures_of(world, simulate.Crawl(world, simulate.POLICIES[policy](world, seed)).run())
        for seed in range(SIMULATIONS if policy in DRAWS else 1)
    ]
    return {name: mean(run[name] for run in runs if name in run) for name in runs[0]}


def compare(world: World, policies: Sequence[str], folder: Path) -> dict[str, dict[str, float]]:
    """The figures of each policy, live, simulated, and live as a share of simulated; the first two
    also beside the oracle's cost and the first policy.

    Raises:
        RuntimeError: a crawl recorded other pages than its sites say that they gave.
    """
    figures: dict[str, dict[str, float]] = {}
    least = simulated(world, "oracle")["cost a page"]
    for policy in policies:
        own = folder / policy
        own.mkdir()
        log, brought = crawl(world, policy, own)
        result = result_of(world, log)
        if result.successes != len(brought):
            raise RuntimeError(f"of {result.successes} pages {len(brought)} were recorded: {own}")
        live, expected = figures_of(world, result), simulated(world, policy)
        ratio = {k: live[k] / v for k, v in expected.items() if v and k in live}
        for of, found in (("live", live), ("simulated", expected)):
            figures[f"{policy}, {of}"] = found
            first = figures[f"{policies[0]}, {of}"]
            found["cost / oracle"] = found["cost a page"] / least
            found[f"blocked / {policies[0]}"] = found["blocked"] / max(1, first["blocked"])
            found[f"success - {policies[0]}"] = found["success"] - first["success"]
        figures[f"{policy}, ratio"] = ratio
    return figures


def main() -> None:
    default = Path(__file__).parent / "worlds" / "live.yml"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--world", type=Path, default=default)
    parser.add_argument("--seeds", default="1-4", help="A-B")
    parser.add_argument("--policies", default=",".join(POLICIES))
    parser.add_argument("--json", type=Path, help="where to write the figures of all seeds")
    parser.add_argument("--keep", type=Path, help="an empty folder for what the crawls leave")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)  # the simulation's, of APIs that are left alone
    first, _, last = arguments.seeds.partition("-")
    parameters, policies = worlds.read(arguments.world), arguments.policies.split(",")
    seeds, start = {}, time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        for seed in range(int(first), int(last or first) + 1):
            own = (arguments.keep or Path(temporary)) / str(seed)
            own.mkdir()
            seeds[seed] = compare(worlds.make(parameters, seed), policies, own)
    means = simulate.summary(list(seeds.values()))
    took = time.monotonic() - start
    print(f"## {parameters['name']}, {len(seeds)} seeds, {took:.0f} s\n\n{simulate.table(means)}")
    if arguments.json:
        report = {"world": parameters, "means": means, "seeds": seeds}
        arguments.json.write_text(json.dumps(report, indent=1), "utf-8")


if __name__ == "__main__":
    main()
