"""What a million queued requests cost: memory of Redis and of a worker, and time of an exchange.

    python -m bench.fleet_queue [--sizes 10000,100000,1000000] [--sites 1000,1] [--pops N]

A worker's frontier over a real Redis, without downloads: so many requests of pages are pushed, on
so many sites; then some are leased, popped and done, as a crawl does it four times a second and
more often, with each as many requests to be leased as it leases at most. Each case is a process of
its own. Writes its section of RESULTS.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from bench.crawls import report
from bench.fleet import ROOT
from tests.frontier.contract import Downloader
from tests.servers.redis import RealRedis
from wikicrawler.frontier.redis.frontier import RedisFrontier
from wikicrawler.frontier.sqlite.database import CrawlDatabase

_BATCH = 5_000
"""Requests after which the pushes are waited for: a crawl does not push faster for long."""
_NEW = 5
"""Links that a page brings."""


class Case(NamedTuple):
    """What was measured of so many requests on so many sites."""

    queued: int
    sites: int
    pushed: float
    """Requests a second."""
    bytes_each: float
    """Of Redis a request, what it needs for the sites included."""
    growth: float
    """Bytes of the worker a request."""
    popped: float
    """Requests a second that were leased, popped and done, each with some links pushed."""
    middle: float
    """Seconds of an exchange that leases, the median."""
    high: float
    """The 99th percentile of that."""
    pops: int


def request_of(number: int, site: int) -> bytes:
    """Return a request of a page, as the spider of a wiki writes it."""
    name = blake2b(str(number).encode(), digest_size=5).hexdigest()
    host = f"wiki{site}.example.org"
    found = {
        "v": 1,
        "url": f"https://{host}/wiki/Title_of_page_{name}_{number}",
        "headers": {"Referer": [f"https://{host}/wiki/Title_of_page_{number // 40}"]},
        "meta": {
            "page_depth": 3,
            "guarded_link": True,
            "frontier_kind": "page",
            "depth": 3,
            "download_slot": host,
        },
        "callback": "parse",
        "errback": "skipped",
        "priority": -3,
    }
    return json.dumps(found, separators=(",", ":")).encode()


async def measure(url: str, folder: Path, queued: int, sites: int, pops: int) -> Case:
    frontier = RedisFrontier(url, "bench", CrawlDatabase.open(folder), folder, places=64)
    await frontier.open(Downloader(64))
    memory = _redis_memory(url)
    own = _own_memory()
    number = 0

    def push() -> None:
        nonlocal number
        site = number % sites
        frontier.push(
            f"wiki{site}.example.org",
            6,
            lambda: request_of(number, site),
            fingerprint=number.to_bytes(20),
            kind="page",
        )
        number += 1

    begin = time.perf_counter()
    while number < queued:
        push()
        if number % _BATCH == 0:
            await frontier.renew()
    await frontier.renew()
    pushed = queued / (time.perf_counter() - begin)
    bytes_each = (_redis_memory(url) - memory) / queued
    growth = (_own_memory() - own) / queued
    seconds = []
    done = 0
    begin = time.perf_counter()
    while done < pops:
        before = time.perf_counter()
        await frontier.prefetch()
        seconds.append(time.perf_counter() - before)
        while (lease := frontier.pop()) is not None:
            for _ in range(_NEW):
                push()
            frontier.done(lease.number)
            done += 1
    popped = done / (time.perf_counter() - begin)
    await frontier.close()
    seconds.sort()
    middle, high = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.99)]
    return Case(queued, sites, pushed, bytes_each, growth, popped, middle, high, done)


def _redis_memory(url: str) -> int:
    from redis import Redis  # noqa: PLC0415

    with Redis.from_url(url) as client:
        return int(client.info("memory")["used_memory"])


def _own_memory() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def section(cases: list[Case], command: str) -> str:
    """Return the section of RESULTS.md."""
    columns = ["queued", "sites", "pushed/s", "bytes of Redis each", "worker grows by, each"]
    columns += ["leased, popped and done/s", "exchange p50", "p99"]
    rows = [
        [
            f"{case.queued:,}",
            f"{case.sites:,}",
            f"{case.pushed:,.0f}",
            f"{case.bytes_each:.0f}",
            f"{case.growth:.0f} B",
            f"{case.popped:,.0f}",
            f"{case.middle * 1000:.1f} ms",
            f"{case.high * 1000:.1f} ms",
        ]
        for case in cases
    ]
    about = (
        "Requests of pages in Redis, by one worker without downloads. An exchange takes the "
        f"changes of the pops before it, with {_NEW} new links of each page, and leases up to 64 "
        "requests, which are then popped in the worker. Bytes are those of the queue, the filter "
        "of duplicates and all else that Redis keeps of the crawl."
    )
    return "\n\n".join(
        [report.head("Queue of a fleet", command), about, report.table(columns, rows)]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--sites", default="1000,1")
    parser.add_argument("--pops", type=int, default=20_000)
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        url, *numbers = arguments.child
        with tempfile.TemporaryDirectory() as folder:
            case = asyncio.run(measure(url, Path(folder), *map(int, numbers)))  # type: ignore[arg-type]
        print(json.dumps(case))
        return
    cases = []
    with RealRedis() as redis:
        for sites in arguments.sites.split(","):
            for size in arguments.sizes.split(","):
                redis.empty()
                command = [sys.executable, "-m", "bench.fleet_queue", "--child", redis.url]
                command += [size, sites, str(arguments.pops)]
                done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
                cases.append(Case(*json.loads(done.stdout)))
                print(cases[-1], file=sys.stderr, flush=True)
    text = section(cases, " ".join(["python -m bench.fleet_queue", *sys.argv[1:]]))
    report.write(arguments.results, "fleet-queue", text)
    print(text)


if __name__ == "__main__":
    main()
