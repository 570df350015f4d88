"""How much faster a crawl is on several workers, and whether all of them together are polite.

    python -m bench.fleet [--workers 1,2,4] [--sites N] [--pages N] [--places N]

Many sites on this machine whose answers take a while are crawled by one worker, by two and by four,
each a process of its own, over one Redis. Each worker has few places for requests under way
(``CONCURRENT_REQUESTS``), so that these are the limit, neither the processor nor the pace of the
sites. The time is that of the server, from the first request to the last answer; the workers are
ready before. Writes its section of RESULTS.md.
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
from tests.servers.many_sites import ManySites
from tests.servers.redis import RealRedis

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[1]
_WAITING = "Waiting for a worker of this crawl that has its seeds"
_START_SECONDS = 120.0


class Plan(NamedTuple):
    """What is crawled, and how."""

    sites: int
    pages: int
    """Of each site."""
    delay: float
    """Seconds between two requests to a site."""
    answer: float
    """Seconds that an answer takes."""
    places: int
    """``CONCURRENT_REQUESTS`` of a worker."""

    def settings(self, redis: RealRedis) -> dict[str, object]:
        return {
            "WIKICRAWLER_FRONTIER": redis.url,
            "WIKICRAWLER_FRONTIER_JOB": "bench",
            "CONCURRENT_REQUESTS": self.places,
            "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60 / self.delay,
            "TWISTED_DNS_RESOLVER": "bench.crawls.loopback.LoopbackResolver",
            "WIKICRAWLER_CONTENT_WORKERS": 0,
            "WIKICRAWLER_DISCOVER_WIKIS": False,
            "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
            "WIKICRAWLER_PROGRESS_ENABLED": False,
            "WIKICRAWLER_TIERS": "http",
        }


class Outcome(NamedTuple):
    """What a crawl did, by the log of the server and the feeds."""

    requests: int
    seconds: float
    early: int
    """Requests that came sooner after the answer before than the delay allows."""
    again: int
    """Requests for a page, or a robots.txt, that was requested before."""
    lost: int
    """Pages that no feed has."""
    twice: int
    """Pages that the feeds have more than once."""
    cpu: float
    """Seconds of processor time of all workers, from their start."""

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


def crawl(plan: Plan, workers: int, redis: RealRedis, folder: Path) -> Outcome:
    redis.empty()
    with ManySites(plan.sites, plan.pages, wait=plan.answer, are_patient=True) as sites:
        seeds = folder / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in sites.seeds()))
        running: list[subprocess.Popen[bytes]] = []
        try:
            running += [_start(plan, redis, folder, number, []) for number in range(workers - 1)]
            for number in range(workers - 1):
                _wait_for_log(folder / f"{number}.log", running[number])
            running.append(_start(plan, redis, folder, workers - 1, ["-a", f"seeds={seeds}"]))
            cpu = sum(_end(process, folder / f"{n}.log") for n, process in enumerate(running))
        finally:
            for process in running:
                if process.returncode is None:
                    process.kill()
                    process.wait()
        return _outcome(plan, sites, _written(folder, workers), cpu)


def _start(
    plan: Plan, redis: RealRedis, folder: Path, number: int, seeds: list[str]
) -> subprocess.Popen[bytes]:
    settings = [f"-s{name}={value}" for name, value in plan.settings(redis).items()]
    command = [sys.executable, "-m", "scrapy", "crawl", "wiki", *seeds, *settings]
    command += ["-O", f"{folder}/{number}.jsonl", "--logfile", f"{folder}/{number}.log"]
    return subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})


def _wait_for_log(log: Path, process: subprocess.Popen[bytes]) -> None:
    give_up = time.monotonic() + _START_SECONDS
    while not log.exists() or _WAITING not in log.read_text():
        if process.poll() is not None or time.monotonic() > give_up:
            sys.exit(f"a worker did not start:\n{log.read_text()[-2000:] if log.exists() else ''}")
        time.sleep(0.05)


def _end(process: subprocess.Popen[bytes], log: Path) -> float:
    """Wait for its end, and return its processor time in seconds."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"a worker ended with {process.returncode}:\n{log.read_text()[-2000:]}")
    return usage.ru_utime + usage.ru_stime


def _written(folder: Path, workers: int) -> Counter[str]:
    """Return how often each URL is in the feeds."""
    feeds = [folder / f"{number}.jsonl" for number in range(workers)]
    texts = [feed.read_text("utf-8") for feed in feeds if feed.exists()]
    return Counter(json.loads(line)["url"] for text in texts for line in text.split("\n") if line)


def _outcome(plan: Plan, sites: ManySites, written: Counter[str], cpu: float) -> Outcome:
    hosts = list(sites.exchanges.values())
    all_of_them = [one for exchanges in hosts for one in exchanges]
    asked = Counter((host, one.path) for host, found in sites.exchanges.items() for one in found)
    return Outcome(
        requests=len(all_of_them),
        seconds=max(one.end for one in all_of_them) - min(one.start for one in all_of_them),
        early=sum(
            after.start - before.end < plan.delay
            for exchanges in hosts
            for before, after in pairwise(sorted(exchanges, key=lambda one: one.start))
        ),
        again=sum(times - 1 for times in asked.values()),
        lost=plan.sites * plan.pages - len(written),
        twice=sum(times > 1 for times in written.values()),
        cpu=cpu,
    )


def section(plan: Plan, outcomes: Mapping[int, Outcome], command: str) -> str:
    """Return the section of RESULTS.md; *outcomes* are by the number of workers."""
    first = next(iter(outcomes.values()))
    columns = ["workers", "requests", "seconds", "requests/s", f"of {next(iter(outcomes))}"]
    columns += ["processor busy", "too early", "requested again", "pages lost", "written twice"]
    rows = []
    for workers, outcome in outcomes.items():
        busy = outcome.cpu / outcome.seconds / len(os.sched_getaffinity(0))
        row = [str(workers), f"{outcome.requests:,}", f"{outcome.seconds:.1f}"]
        row += [f"{outcome.rate:.1f}", f"{outcome.rate / first.rate:.2f}×", f"{busy:.0%}"]
        row += map(str, (outcome.early, outcome.again, outcome.lost, outcome.twice))
        rows.append(row)
    about = (
        f"{plan.sites:,} sites of {plan.pages} pages each, and their robots.txt. An answer takes "
        f"{plan.answer:g} s, a site is left alone for {plan.delay:g} s after it, and a worker has "
        f"at most {plan.places} requests under way."
    )
    return "\n\n".join([report.head("Fleet", command), about, report.table(columns, rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", default="1,2,4", help="how many, one crawl each")
    parser.add_argument("--sites", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=4, help="of each site")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds between two requests")
    parser.add_argument("--answer", type=float, default=0.8, help="seconds that an answer takes")
    parser.add_argument("--places", type=int, default=8, help="CONCURRENT_REQUESTS of a worker")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    arguments = parser.parse_args()
    plan = Plan(*(getattr(arguments, name) for name in Plan._fields))
    counts = [int(part) for part in arguments.workers.split(",")]
    outcomes: dict[int, Outcome] = {}
    with RealRedis() as redis:
        for workers in counts:
            with tempfile.TemporaryDirectory() as folder:
                outcomes[workers] = crawl(plan, workers, redis, Path(folder))
            print(workers, outcomes[workers], file=sys.stderr, flush=True)
    text = section(plan, outcomes, " ".join(["python -m bench.fleet", *sys.argv[1:]]))
    report.write(arguments.results, "fleet", text)
    print(text)


if __name__ == "__main__":
    main()
