"""Whether a fleet loses a page, doubles one, or is impolite, when its processes are killed.

    make bench-fleet-kills [ARGS="--kills 10"]
    python -m bench.fleet_kills [--kills N] [--redis N] [--all N] [--every SECONDS] [--sites N]
                                [--pages N] [--workers N] [--lease SECONDS]

Real workers (``scrapy crawl wiki``) crawl many sites on this machine over a real Redis that appends
what it does to a file. Every so many seconds ``kill -9`` ends a random worker, and another one
joins; or Redis, which is started again; or all of them at once. A crawl that ends before all were
killed is followed by another one. What came of it is read from the log of the sites and from the
feeds as ``scrapy merge`` puts them together. Writes its section of RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.crawls import report
from bench.fleet import ROOT, Plan
from tests.servers.many_sites import ManySites
from tests.servers.redis import RealRedis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.many_sites import Exchange

KINDS = {"worker": "a worker", "redis": "Redis", "all": "everything at once"}
COMMITTED = 2.0
"""Seconds after which what a worker has done is in Redis, and what Redis has done is in its file,
whatever is killed."""
_STEP = 0.05
_REDIS_AWAY = (0.2, 3.0)  # seconds, from and to
_PATIENCE = 300.0  # seconds without a request after which a crawl hangs


class Storm(NamedTuple):
    """What is killed, and how often."""

    kind: str
    """A key of :data:`KINDS`."""
    kills: int
    every: float
    """Seconds."""
    workers: int
    lease: float
    """Seconds."""


@dataclass
class Outcome:
    """What one or several crawls did."""

    kills: int = 0
    crawls: int = 0
    seconds: float = 0.0
    requests: int = 0
    pages: int = 0
    under_way: int = 0
    """Requests under way that were cut by a kill."""
    early: int = 0
    """Requests that came sooner after the one before than the delay allows."""
    again: int = 0
    """Requests for what was requested before."""
    unexplained: int = 0
    """Of those, the ones for what was done for longer than :data:`COMMITTED` when its worker, or
    Redis, was killed."""
    lost: int = 0
    """Pages that the merged feed does not have."""
    doubled: int = 0
    """Pages that the merged feed has more than once."""
    rewritten: int = 0
    """Records of pages that another record has: scrapy merge has left them out."""
    notes: list[str] = field(default_factory=list)
    """What is to be looked at."""


class Fleet:
    """The workers of one crawl, which are killed and joined by others."""

    def __init__(self, plan: Plan, redis: RealRedis, folder: Path, storm: Storm) -> None:
        self._plan = plan
        self._redis = redis
        self._folder = folder
        self._storm = storm
        self.started = 0
        self.running: dict[int, subprocess.Popen[bytes]] = {}
        self.killed: dict[str, float] = {}
        """When each worker was killed, by the time of the sites."""
        self.redis_killed: list[float] = []
        self.failures: list[str] = []

    def start(self) -> None:
        number = self.started
        self.started += 1
        settings = self._plan.settings(self._redis) | {
            "WIKICRAWLER_FRONTIER_LEASE": self._storm.lease,
            "DEFAULT_REQUEST_HEADERS": json.dumps({"X-Worker": str(number)}),
            "LOG_LEVEL": "INFO",
        }
        command = [sys.executable, "-m", "scrapy", "crawl", "wiki"]
        command += ["-a", f"seeds={self._folder / 'seeds.txt'}"]
        command += [f"-s{name}={value}" for name, value in settings.items()]
        command += ["-O", f"{self._feed(number)}", "--logfile", f"{self._log(number)}"]
        with (self._folder / f"{number}.err").open("wb") as output:
            self.running[number] = subprocess.Popen(
                command,
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=output,
                stderr=output,
            )

    def kill(self, kind: str) -> None:
        """End what *kind* says, and have others in its place."""
        if kind == "worker":
            self._kill_worker(random.choice(list(self.running)))
            self.start()
            return
        workers = list(self.running) if kind == "all" else []
        self._redis.kill()
        self.redis_killed.append(time.monotonic())
        for number in workers:
            self._kill_worker(number)
        time.sleep(random.uniform(*_REDIS_AWAY))
        self._redis.start()
        for _ in workers:
            self.start()

    def _kill_worker(self, number: int) -> None:
        process = self.running.pop(number)
        process.kill()
        process.wait()
        self.killed[str(number)] = time.monotonic()

    def reap(self) -> None:
        """Take note of those that have ended."""
        for number, process in list(self.running.items()):
            if process.poll() is not None:
                del self.running[number]
                if process.returncode:
                    self.failures.append(
                        f"worker {number} ended with {process.returncode}: "
                        + (
                            self._log(number).read_text()[-1500:]
                            if self._log(number).exists()
                            else (self._folder / f"{number}.err").read_text()[-1500:]
                        )
                    )

    def end(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()

    def merged(self) -> Counter[str]:
        """Return how often each URL is in the feeds, as ``scrapy merge`` puts them together."""
        feeds = [self._feed(number) for number in range(self.started)]
        target = self._folder / "merged.jsonl"
        command = [sys.executable, "-m", "scrapy", "merge"]
        command += [str(feed) for feed in feeds if feed.exists()]
        subprocess.run([*command, "-O", str(target)], cwd=ROOT, check=True)
        return Counter(json.loads(line)["url"] for line in target.read_text("utf-8").splitlines())

    def records(self) -> int:
        """Count the whole lines of all feeds."""
        feeds = [self._feed(number) for number in range(self.started)]
        return sum(feed.read_bytes().count(b"\n") for feed in feeds if feed.exists())

    def logged(self, text: str) -> list[str]:
        """Return the lines of all logs that have *text*."""
        logs = [self._log(number) for number in range(self.started)]
        lines = [line for log in logs if log.exists() for line in log.read_text().splitlines()]
        return [line for line in lines if text in line]

    def _feed(self, number: int) -> Path:
        return self._folder / f"{number}.jsonl"

    def _log(self, number: int) -> Path:
        return self._folder / f"{number}.log"


def rage(plan: Plan, storm: Storm, outcome: Outcome, keep: Path | None = None) -> None:
    """Crawl once while *storm* rages, and add what came of it to *outcome*."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        RealRedis(appendonly="yes") as redis,
        ManySites(plan.sites, plan.pages, wait=plan.answer, are_patient=True) as sites,
    ):
        folder = keep or Path(scratch)
        (folder / "seeds.txt").write_text("".join(f"{url}\n" for url in sites.seeds()))
        fleet = Fleet(plan, redis, folder, storm)
        begun = time.monotonic()
        try:
            for _ in range(storm.workers):
                fleet.start()
            _drive(fleet, storm, sites, outcome)
        finally:
            fleet.end()
        outcome.crawls += 1
        outcome.seconds += time.monotonic() - begun
        judge(plan, sites, fleet, outcome)


def _drive(fleet: Fleet, storm: Storm, sites: ManySites, outcome: Outcome) -> None:
    while not sites.exchanges:
        time.sleep(_STEP)
    following = time.monotonic() + storm.every
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
        if fleet.running and outcome.kills < storm.kills and now >= following:
            fleet.kill(storm.kind)
            outcome.kills += 1
            # By chance, so that a kill meets any moment of what workers do at intervals.
            following = time.monotonic() + random.uniform(0.5, 1.5) * storm.every


def judge(plan: Plan, sites: ManySites, fleet: Fleet, outcome: Outcome) -> None:
    """Add to *outcome* what the log of *sites* and the feeds say."""
    for host, exchanges in sites.exchanges.items():
        ordered = sorted(exchanges, key=lambda one: one.start)
        for before, after in pairwise(ordered):
            end = _end_of(before, fleet)
            if after.start - end < plan.delay:
                outcome.early += 1
                outcome.notes.append(
                    f"{host}: {after.path} by {after.worker} began {after.start - end:.3f} s after "
                    f"{before.path} by {before.worker}"
                )
        by_path: dict[str, list[Exchange]] = {}
        for one in ordered:
            outcome.requests += 1
            outcome.under_way += one.end > fleet.killed.get(one.worker, float("inf"))
            by_path.setdefault(one.path, []).append(one)
        for path, found in by_path.items():
            for before, after in pairwise(found):
                outcome.again += 1
                if not _is_explained(before, after, fleet):
                    outcome.unexplained += 1
                    outcome.notes.append(
                        f"{host}: {path} by {before.worker} and {after.worker}, "
                        f"{after.start - before.end:.3f} s later"
                    )
    written = fleet.merged()
    outcome.pages += plan.sites * plan.pages
    outcome.lost += plan.sites * plan.pages - len(written)
    outcome.doubled += sum(times > 1 for times in written.values())
    outcome.rewritten += fleet.records() - written.total()
    outcome.notes += fleet.failures
    for text in ("Traceback", "given up", "no turn", "Redis has lost"):
        outcome.notes += fleet.logged(text)


def _end_of(exchange: Exchange, fleet: Fleet) -> float:
    """Return when *exchange* ended: at the latest when its worker was killed."""
    killed = fleet.killed.get(exchange.worker, float("inf"))
    return max(exchange.start, min(exchange.end, killed))


def _is_explained(before: Exchange, after: Exchange, fleet: Fleet) -> bool:
    """Return whether what was asked for *before* had to be asked for again *after*."""
    losses = [*fleet.redis_killed]
    if before.worker in fleet.killed:
        losses.append(fleet.killed[before.worker])
    return any(
        before.end - _STEP <= loss + COMMITTED
        and loss <= after.start
        and loss - before.end <= COMMITTED
        for loss in losses
    )


def section(plan: Plan, storms: Sequence[tuple[Storm, Outcome]], command: str) -> str:
    """Return the section of RESULTS.md."""
    columns = ["killed", "times", "crawls", "seconds", "requests", "cut off", "requested again"]
    columns += ["without a reason", "too early", "written twice", "pages", "lost", "doubled"]
    rows = []
    for storm, outcome in storms:
        row = [KINDS[storm.kind], str(outcome.kills), str(outcome.crawls)]
        row += [f"{outcome.seconds:.0f}", f"{outcome.requests:,}", str(outcome.under_way)]
        row += [str(outcome.again), str(outcome.unexplained), str(outcome.early)]
        row += [str(outcome.rewritten), f"{outcome.pages:,}", str(outcome.lost)]
        rows.append([*row, str(outcome.doubled)])
    storm = storms[0][0]
    about = (
        f"{storm.workers} workers, {plan.sites:,} sites of {plan.pages} pages each and their "
        f"robots.txt. An answer takes {plan.answer:g} s, a site is left alone for {plan.delay:g} s "
        f"after it, and a worker that was not heard of for {storm.lease:g} s is gone. *Lost* and "
        "*doubled* are of the feeds as `scrapy merge` puts them together, *written twice* are "
        "records that it leaves out. *Without a reason*: requested again though the first request "
        f"had ended {COMMITTED:g} s before its worker, or Redis, was killed."
    )
    title = report.head("Fleet under kills", command)
    return "\n\n".join([title, about, report.table(columns, rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="of a worker")
    parser.add_argument("--redis", type=int, default=10, help="kills of Redis")
    parser.add_argument("--all", type=int, default=5, help="kills of everything at once")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two workers'")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--lease", type=float, default=10.0, help="WIKICRAWLER_FRONTIER_LEASE")
    parser.add_argument("--sites", type=int, default=300)
    parser.add_argument("--pages", type=int, default=20, help="of each site")
    parser.add_argument("--delay", type=float, default=0.5, help="seconds between two requests")
    parser.add_argument("--answer", type=float, default=0.3, help="seconds that an answer takes")
    parser.add_argument("--places", type=int, default=8, help="CONCURRENT_REQUESTS of a worker")
    parser.add_argument("--seed", type=int, default=1, help="of what is killed when")
    parser.add_argument("--keep", type=Path, help="keep logs and feeds of the crawls there")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    arguments = parser.parse_args()
    plan = Plan(*(getattr(arguments, name) for name in Plan._fields))
    random.seed(arguments.seed)
    counts = {"worker": arguments.kills, "redis": arguments.redis, "all": arguments.all}
    found = []
    for kind, kills in counts.items():
        every = arguments.every * (1 if kind == "worker" else 4)
        storm, outcome = Storm(kind, kills, every, arguments.workers, arguments.lease), Outcome()
        while outcome.kills < kills:
            keep = arguments.keep and arguments.keep / f"{kind}-{outcome.crawls}"
            if keep:
                keep.mkdir(parents=True)
            rage(plan, storm, outcome, keep)
            print(kind, outcome, file=sys.stderr, flush=True)
        if kills:
            found.append((storm, outcome))
    text = section(plan, found, " ".join(["python -m bench.fleet_kills", *sys.argv[1:]]))
    report.write(arguments.results, "fleet-kills", text)
    print(text)


if __name__ == "__main__":
    main()
