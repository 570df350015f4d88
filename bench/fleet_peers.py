"""A fleet beside others that share a crawl by Redis: speed, politeness, and what a kill costs.

    python -m bench.fleet_peers [--workers 1,2,4] [--only ours,scrapy-redis,cluster] [--sites N]
                                [--pages N] [--places N]

The same sites on this machine, whose answers take a while, are crawled by workers of this project,
of scrapy-redis, and of a model of scrapy-cluster's queues (``bench/peers/scrapy-redis``). One more
crawl of two workers has one of them killed when a third of the pages were asked for, and a third
one join at once. What came of it is read from the log of the sites, and from what the workers have
written. Writes its section of RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.crawls import report
from bench.environments import PEERS, Environment
from bench.fleet import ROOT, Plan
from tests.servers.many_sites import ManySites
from tests.servers.redis import RealRedis

if TYPE_CHECKING:
    from collections.abc import Mapping

PEER = Environment("scrapy-redis")
PROGRAMS = {
    "ours": "this project",
    "scrapy-redis": "scrapy-redis",
    "cluster": "scrapy-cluster's queues (model)",
}
TOLERANCE = 0.05
"""Seconds by which a request may come early: the delay of Scrapy counts from another moment."""
_LEASE = 10.0
_LONGEST = 400.0  # seconds of a crawl


class Outcome(NamedTuple):
    """What a crawl did."""

    requests: int
    seconds: float
    """From the first request to the last answer."""
    gaps: int
    """Between two requests to a site."""
    early: int
    """Those of them that are shorter than the delay."""
    early_pages: int
    """Those of these that are between two pages, neither of them robots.txt."""
    again: int
    """Requests for what was requested before."""
    lost: int
    """Pages that no worker has written."""
    twice: int
    """Pages that were written more than once."""

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


def crawl(
    program: str, plan: Plan, workers: int, redis: RealRedis, folder: Path, *, kills: bool = False
) -> Outcome:
    """Crawl with so many workers; *kills*: one of them is killed, and another one joins."""
    redis.empty()
    with ManySites(plan.sites, plan.pages, wait=plan.answer, are_patient=True) as sites:
        (folder / "seeds.txt").write_text("".join(f"{url}\n" for url in sites.seeds()))
        with redis.client() as client:
            client.rpush("pages:start_urls", *(json.dumps({"url": url}) for url in sites.seeds()))
        running = [_start(program, plan, redis, folder, number) for number in range(workers)]
        started = workers
        give_up = time.monotonic() + _LONGEST
        try:
            while any(one.poll() is None for one in running) and time.monotonic() < give_up:
                time.sleep(0.05)
                asked = sum(map(len, list(sites.exchanges.values())))
                if kills and asked > plan.sites * plan.pages / 3:
                    kills = False
                    running[0].kill()
                    running.append(_start(program, plan, redis, folder, started))
                    started += 1
        finally:
            for process in running:
                process.kill()
                process.wait()
        return _outcome(plan, sites, [folder / f"{number}.jsonl" for number in range(started)])


def _start(
    program: str, plan: Plan, redis: RealRedis, folder: Path, number: int
) -> subprocess.Popen[bytes]:
    out, log = f"{folder}/{number}.jsonl", f"{folder}/{number}.log"
    if program == "ours":
        settings = plan.settings(redis) | {"WIKICRAWLER_FRONTIER_LEASE": _LEASE}
        command = [sys.executable, "-m", "scrapy", "crawl", "wiki"]
        command += ["-a", f"seeds={folder}/seeds.txt", "-O", out, "--logfile", log]
        command += [f"-s{name}={value}" for name, value in settings.items()]
    else:
        # Their delay is from one request to the next, not from the end of the one before.
        pause = str(plan.delay + plan.answer)
        command = [PEER.python, str(PEERS / PEER.folder / "crawl.py"), redis.url, out, log]
        command += [str(number), pause, str(plan.places)]
        command += ["--cluster"] if program == "cluster" else []
    with (folder / f"{number}.err").open("wb") as output:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            command,
            cwd=ROOT if program == "ours" else folder,
            env=environment,
            stdout=output,
            stderr=output,
        )


def _outcome(plan: Plan, sites: ManySites, feeds: list[Path]) -> Outcome:
    hosts = list(sites.exchanges.values())
    all_of_them = [one for exchanges in hosts for one in exchanges]
    pairs = [
        pair
        for exchanges in hosts
        for pair in pairwise(sorted(exchanges, key=lambda one: one.start))
    ]
    early = [
        (before, after)
        for before, after in pairs
        if after.start - before.end < plan.delay - TOLERANCE
    ]
    asked = Counter((host, one.path) for host, found in sites.exchanges.items() for one in found)
    lines = [line for feed in feeds if feed.exists() for line in feed.read_text().splitlines()]
    # A worker that was killed may have torn its last line.
    written = Counter(json.loads(line)["url"] for line in lines if line.endswith("}"))
    return Outcome(
        requests=len(all_of_them),
        seconds=max(one.end for one in all_of_them) - min(one.start for one in all_of_them),
        gaps=len(pairs),
        early=len(early),
        early_pages=sum("/robots.txt" not in {one.path, other.path} for one, other in early),
        again=sum(times - 1 for times in asked.values()),
        lost=plan.sites * plan.pages - len(written),
        twice=sum(times > 1 for times in written.values()),
    )


def section(
    plan: Plan,
    speeds: Mapping[tuple[str, int], Outcome],
    kills: Mapping[str, Outcome],
    command: str,
) -> str:
    """Return the section of RESULTS.md; *speeds* are by program and number of workers."""
    columns = ["program", "workers", "requests/s", "of one", "gaps too short"]
    columns += ["between pages", "requested again", "pages lost", "written twice"]
    rows = []
    for (program, workers), outcome in speeds.items():
        first = next(found for (of, _), found in speeds.items() if of == program)
        row = [PROGRAMS[program], str(workers), f"{outcome.rate:.1f}"]
        rows.append([*row, f"{outcome.rate / first.rate:.2f}×", *_figures(outcome)])
    for program, outcome in kills.items():
        row = [PROGRAMS[program], "2, one killed, one joins", f"{outcome.rate:.1f}"]
        rows.append([*row, "", *_figures(outcome)])
    about = (
        f"{plan.sites:,} sites of {plan.pages} pages each, and their robots.txt. An answer takes "
        f"{plan.answer:g} s, the delay of a site is {plan.delay:g} s, and a worker has at most "
        f"{plan.places} requests under way. A gap is too short if it is more than {TOLERANCE:g} s "
        "below the delay."
    )
    versions = ", ".join(f"{name} {version}" for name, version in PEER.versions().items())
    parts = [report.head("Fleet beside others", command), about, report.table(columns, rows)]
    return "\n\n".join([*parts, f"Theirs with {versions}."])


def _figures(outcome: Outcome) -> list[str]:
    early = f"{outcome.early:,} of {outcome.gaps:,}"
    return [early, *map(str, (outcome.early_pages, outcome.again, outcome.lost, outcome.twice))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", default="1,2,4", help="how many, one crawl each")
    parser.add_argument("--only", default=",".join(PROGRAMS))
    parser.add_argument("--sites", type=int, default=150)
    parser.add_argument("--pages", type=int, default=5, help="of each site")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds between two requests")
    parser.add_argument("--answer", type=float, default=0.8, help="seconds that an answer takes")
    parser.add_argument("--places", type=int, default=8, help="CONCURRENT_REQUESTS of a worker")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    arguments = parser.parse_args()
    plan = Plan(*(getattr(arguments, name) for name in Plan._fields))
    PEER.prepare()
    speeds: dict[tuple[str, int], Outcome] = {}
    kills: dict[str, Outcome] = {}
    with RealRedis() as redis:
        for program in arguments.only.split(","):
            for workers in map(int, arguments.workers.split(",")):
                with tempfile.TemporaryDirectory() as folder:
                    outcome = crawl(program, plan, workers, redis, Path(folder))
                speeds[program, workers] = outcome
                print(program, workers, outcome, file=sys.stderr, flush=True)
            with tempfile.TemporaryDirectory() as folder:
                kills[program] = crawl(program, plan, 2, redis, Path(folder), kills=True)
            print(program, "kill", kills[program], file=sys.stderr, flush=True)
    text = section(plan, speeds, kills, " ".join(["python -m bench.fleet_peers", *sys.argv[1:]]))
    report.write(arguments.results, "fleet-peers", text)
    print(text)


if __name__ == "__main__":
    main()
