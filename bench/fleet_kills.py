"""Whether a fleet loses a page, doubles one, or is impolite, when faults happen to it.

    make bench-fleet-kills [ARGS="--only worker --scale 0.1"]
    python -m bench.fleet_kills [--only worker,redis,…] [--scale X] [--every SECONDS]
                                [--workers N] [--lease SECONDS] [--sites N] [--pages N]

Real workers (``scrapy crawl wiki``) crawl many sites on this machine over a real Redis that appends
what it does to a file. Every so often ``kill -9`` ends a random worker, and another one joins; or
Redis, which is started again; or all of them at once; or a worker stands still, or is cut from
Redis by a proxy in between. In one crawl the clocks are wrong and Redis is slow. A crawl that ends
before all has happened is followed by another one. What came of it is read from the log of the
sites and from the feeds as ``scrapy merge`` puts them together. Writes its section of RESULTS.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.crawls import report
from bench.fleet import ROOT, Plan
from bench.fleet_workers import COMMITTED, Fleet, Weather
from tests.servers.many_sites import ManySites
from tests.servers.redis import RealRedis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.servers.many_sites import Exchange

_STEP = 0.05
_PATIENCE = 300.0  # seconds without a request after which a crawl hangs
_WORTH_A_LOOK = ("Traceback", "given up", "Redis has lost", "cut off")


class Storm(NamedTuple):
    """A fault that happens again and again."""

    what: str
    times: int
    every: float
    """What the seconds between two are multiplied by."""
    happen: Callable[[Fleet], None]
    weather: Weather


@dataclass
class Outcome:
    """What one or several crawls did."""

    faults: int = 0
    crawls: int = 0
    seconds: float = 0.0
    requests: int = 0
    pages: int = 0
    cut_off: int = 0
    """Requests under way when their worker was killed."""
    early: int = 0
    """Requests that came sooner after the one before than the delay allows."""
    again: int = 0
    """Requests for what was requested before."""
    unexplained: int = 0
    """Those of them that no fault explains."""
    lost: int = 0
    """Pages that the merged feed does not have."""
    doubled: int = 0
    """Pages that the merged feed has more than once."""
    rewritten: int = 0
    """Records of pages that another record has: scrapy merge leaves them out."""
    notes: list[str] = field(default_factory=list)
    """What is to be looked at."""


def storms(lease: float) -> dict[str, Storm]:
    """Return what can happen, by name."""
    calm, ways = Weather(lease), Weather(lease, by_proxy=True)
    slow = Weather(lease, by_proxy=True, delay=0.025, clocks=(60.0, -60.0, 0.0))
    still = 1.5 * lease
    return {
        "worker": Storm("kill -9 of a worker", 100, 1, Fleet.kill_worker, calm),
        "redis": Storm("kill -9 of Redis", 10, 4, Fleet.kill_redis, calm),
        "all": Storm("kill -9 of everything", 5, 10, Fleet.kill_all, calm),
        "still": Storm(
            f"a worker stands still for {still:g} s", 5, 2, lambda x: x.stand_still(still), calm
        ),
        "cut": Storm("a worker is cut from Redis for 10 s", 3, 2, lambda x: x.cut(10.0), ways),
        "cut-long": Storm("the same for 40 s", 2, 2, lambda x: x.cut(40.0), ways),
        "slow": Storm(
            "Redis is 50 ms away, clocks are a minute off, kill -9 of a worker",
            10,
            2,
            Fleet.kill_worker,
            slow,
        ),
    }


def rage(
    plan: Plan, storm: Storm, outcome: Outcome, folder: Path, *, workers: int, every: float
) -> None:
    """Crawl once while *storm* rages, and add what came of it to *outcome*."""
    chance = random.Random(outcome.crawls)  # noqa: S311 - the same each time
    with (
        RealRedis(appendonly="yes") as redis,
        ManySites(plan.sites, plan.pages, wait=plan.answer, are_patient=True) as sites,
    ):
        (folder / "seeds.txt").write_text("".join(f"{url}\n" for url in sites.seeds()))
        begun = time.monotonic()
        with Fleet(plan, redis, folder, storm.weather, chance) as fleet:
            for _ in range(workers):
                fleet.start()
            _drive(fleet, storm, sites, outcome, every=every * storm.every, chance=chance)
        outcome.crawls += 1
        outcome.seconds += time.monotonic() - begun
        judge(plan, sites, fleet, outcome)


def _drive(
    fleet: Fleet,
    storm: Storm,
    sites: ManySites,
    outcome: Outcome,
    *,
    every: float,
    chance: random.Random,
) -> None:
    while not sites.exchanges:
        time.sleep(_STEP)
    following = time.monotonic() + every
    heard, answered = time.monotonic(), 0
    while fleet.running:
        time.sleep(_STEP)
        fleet.reap()
        now = time.monotonic()
        if (count := sum(map(len, list(sites.exchanges.values())))) != answered:
            heard, answered = now, count
        if now - heard > _PATIENCE:
            outcome.notes.append(f"no request for {_PATIENCE:.0f} s")
            return
        if fleet.running and outcome.faults < storm.times and now >= following:
            storm.happen(fleet)
            outcome.faults += 1
            # By chance, so that it meets any moment of what workers do at intervals.
            following = time.monotonic() + chance.uniform(0.5, 1.5) * every


def judge(plan: Plan, sites: ManySites, fleet: Fleet, outcome: Outcome) -> None:
    """Add to *outcome* what the log of *sites* and the feeds say."""
    for host, exchanges in sites.exchanges.items():
        ordered = sorted(exchanges, key=lambda one: one.start)
        for before, after in pairwise(ordered):
            gap = after.start - fleet.end_of(before)
            if gap < plan.delay:
                outcome.early += 1
                outcome.notes.append(_told(host, before, after, gap))
        by_path: defaultdict[str, list[Exchange]] = defaultdict(list)
        for one in ordered:
            outcome.requests += 1
            outcome.cut_off += one.end > fleet.killed.get(one.worker, float("inf"))
            by_path[one.path].append(one)
        for found in by_path.values():
            for before, after in pairwise(found):
                outcome.again += 1
                if not fleet.explains(before, after):
                    outcome.unexplained += 1
                    told = _told(host, before, after, after.start - before.end)
                    outcome.notes.append(
                        f"{told}, {fleet.until_fault(before):.1f} s before a fault"
                    )
    written = fleet.merged()
    outcome.pages += plan.sites * plan.pages
    outcome.lost += plan.sites * plan.pages - len(written)
    outcome.doubled += sum(times > 1 for times in written.values())
    outcome.rewritten += fleet.records() - written.total()
    outcome.notes += fleet.failures
    for text in _WORTH_A_LOOK:
        outcome.notes += fleet.logged(text)


def _told(host: str, before: Exchange, after: Exchange, gap: float) -> str:
    return (
        f"{host}: {after.path} by worker {after.worker} {gap:.3f} s after {before.path} by "
        f"{before.worker}"
    )


def section(
    plan: Plan,
    workers: int,
    lease: float,
    found: Mapping[str, tuple[Storm, Outcome]],
    command: str,
) -> str:
    """Return the section of RESULTS.md."""
    columns = ["what happens", "times", "crawls", "seconds", "requests", "under way when killed"]
    columns += ["requested again", "without a reason", "too early", "written twice", "pages"]
    rows = []
    for storm, outcome in found.values():
        row = [storm.what, str(outcome.faults), str(outcome.crawls), f"{outcome.seconds:.0f}"]
        row += [f"{outcome.requests:,}", *map(str, (outcome.cut_off, outcome.again))]
        row += map(str, (outcome.unexplained, outcome.early, outcome.rewritten))
        rows.append([*row, f"{outcome.pages:,}", str(outcome.lost), str(outcome.doubled)])
    about = (
        f"{workers} workers, {plan.sites:,} sites of {plan.pages} pages each and their robots.txt. "
        f"An answer takes {plan.answer:g} s, a site is left alone for {plan.delay:g} s after it, "
        f"and a worker that was not heard of for {lease:g} s is gone. *Lost* and *doubled* are of "
        "the feeds as `scrapy merge` puts them together, *written twice* are records that it "
        "leaves out. *Without a reason*: requested again, though the first request had ended "
        f"{COMMITTED:g} s before anything happened to its worker, or to Redis. *Too early*: sooner "
        "than the delay after the request before, whichever worker sent it."
    )
    title = report.head("Fleet under faults", command)
    return "\n\n".join([title, about, report.table([*columns, "lost", "doubled"], rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(storms(1)), help="what happens")
    parser.add_argument("--scale", type=float, default=1.0, help="how often, times that")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two workers'")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--lease", type=float, default=10.0, help="WIKICRAWLER_FRONTIER_LEASE")
    parser.add_argument("--sites", type=int, default=300)
    parser.add_argument("--pages", type=int, default=20, help="of each site")
    parser.add_argument("--delay", type=float, default=0.5, help="seconds between two requests")
    parser.add_argument("--answer", type=float, default=0.3, help="seconds that an answer takes")
    parser.add_argument("--places", type=int, default=8, help="CONCURRENT_REQUESTS of a worker")
    parser.add_argument("--keep", type=Path, help="keep logs and feeds of the crawls there")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    arguments = parser.parse_args()
    plan = Plan(*(getattr(arguments, name) for name in Plan._fields))
    found = {}
    for name in arguments.only.split(","):
        storm, outcome = storms(arguments.lease)[name], Outcome()
        storm = storm._replace(times=max(1, round(storm.times * arguments.scale)))
        while outcome.faults < storm.times:
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch)
                if arguments.keep:
                    folder = arguments.keep / f"{name}-{outcome.crawls}"
                    folder.mkdir(parents=True)
                rage(
                    plan,
                    storm,
                    outcome,
                    folder,
                    workers=arguments.workers,
                    every=arguments.every,
                )
            print(name, outcome, file=sys.stderr, flush=True)
        found[name] = storm, outcome
    command = " ".join(["python -m bench.fleet_kills", *sys.argv[1:]])
    text = section(plan, arguments.workers, arguments.lease, found, command)
    report.write(arguments.results, "fleet-kills", text)
    print(text)


if __name__ == "__main__":
    main()
