"""What it takes to learn from many attempts, to read back what was learned, and to choose then.

    python bench/learning/latency.py [--attempts 1000000] [--domains 50000] [--database URL]

Attempts are spread over the domains as over ranks of a Zipf law, on four shapes of path each, and
over 115 days. They are learned from one by one and stored in a database, a file that is removed
afterwards unless another is named (one that is empty). A second process reads them back, as a new
crawl does. Where nothing else is said, times are CPU times, which other processes do not disturb.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING

if __name__ in {"__main__", "__mp_main__"}:  # run as a file
    sys.path.insert(0, str(Path(__file__).parents[2]))

from wikicrawler.learning.model.choice import Costs
from wikicrawler.learning.model.features import features_of
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome, outcome_of
from wikicrawler.learning.restore import read_evidence
from wikicrawler.store.attempts import FetchAttempt
from wikicrawler.store.database import Database
from wikicrawler.store.records import add_records
from wikicrawler.store.sites import TierChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.learning.model.evidence import Evidence
    from wikicrawler.store.records import Record

COSTS = Costs({"mediawiki": 1.0, "http": 1.0, "browser": 12.0}, ban=10.0, page=200.0, probe="http")
PATHS = ("/", "/blog/x", "/app/x/1", "/a.html")
TIERS = ("http", "browser")
FAILURES = ("js_shell", "blocked", "timeout")
START = 1_700_000_000.0
GAP = 10.0  # seconds from one attempt to the next
WORKS, ODD = (
    0.7,
    0.03,
)  # the share of tiers that work on a domain, and of attempts that end otherwise
AT_ONCE = 5_000
SAMPLE = 20_000


class Pages:
    """URLs by chance, and how the attempts at them end."""

    def __init__(self, domains: int, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - no secret
        self._domains = range(domains)
        self._ends = list(accumulate(1 / (rank + 1) for rank in self._domains))

    def url(self) -> str:
        host = self._chance.choices(self._domains, cum_weights=self._ends)[0]
        return f"https://www.site{host}.com{self._chance.choice(PATHS)}"

    def attempt(self, domain: str) -> tuple[str, str]:
        """Tier and reason."""
        tier = self._chance.choice(TIERS)
        works = random.Random(f"{domain} {tier}").random() < WORKS  # noqa: S311
        ok = works != (self._chance.random() < ODD)
        return tier, "ok" if ok else self._chance.choice(FAILURES)


def learned(database: Database, count: int, domains: int) -> float:
    """Learn from so many attempts and store them; the microseconds that one takes to learn from."""
    pages, learner = Pages(domains, 1), Learner(COSTS, random.Random(1))  # noqa: S311
    spent = 0
    records: list[tuple[int, Record]] = []
    for number in range(count):
        at, url = START + number * GAP, pages.url()
        features = features_of(url, is_wiki=False, configured="http")
        tier, reason = pages.attempt(features.domain)
        outcome = outcome_of(reason)
        start = time.process_time_ns()
        expected = learner.estimate(features, tier, at).success.mean
        change = learner.record(features, tier, outcome, at, expected)
        spent += time.process_time_ns() - start
        attempt = FetchAttempt(
            at=at,
            url=url,
            **features.named(),
            tier=tier,
            ok=reason == "ok",
            reason=reason,
            final=False,
            is_banned=outcome is Outcome.BAN,
            status=200,
            latency=0.2,
            size=20_000,
            cost=COSTS.tiers[tier],
            policy="learned",
            propensity=0.99,
            step=1,
            expected=expected,
            site=features.registered_domain,
        )
        records.append((number, attempt))
        if change is not None:
            told = (features.registered_domain, features.domain, tier, change.kept)
            records.append((number, TierChange(at, *told, better=reason == "ok")))
        if len(records) >= AT_ONCE or number == count - 1:
            with database.write() as connection:
                add_records(connection, 1, records)
            records = []
    return spent / count / 1000


async def read_beside_a_loop(database: Database, now: float) -> tuple[Evidence, float]:
    """What was learned, and the longest time for which the loop's thread could not work."""
    reading = asyncio.create_task(asyncio.to_thread(read_evidence, database, now))
    longest, last = 0.0, time.perf_counter()
    while not reading.done():
        await asyncio.sleep(0.001)
        longest, last = max(longest, time.perf_counter() - last), time.perf_counter()
    return await reading, longest


def restored(url: str, count: int, domains: int) -> list[str]:
    """What a new process has to report."""
    now = START + count * GAP
    before = peak_memory()
    cpu, wall = time.process_time(), time.perf_counter()
    evidence, longest = asyncio.run(read_beside_a_loop(Database(url), now))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    learner, pages = Learner(COSTS, random.Random(2), evidence), Pages(domains, 2)  # noqa: S311
    took = []
    for _ in range(SAMPLE):
        page = pages.url()
        took.append(
            timed(
                lambda page=page: learner.choose(
                    features_of(page, is_wiki=False), ("mediawiki", *TIERS), now
                )
            )
        )
    cuts = quantiles(took, n=100)
    return [
        f"read back: {cpu:.1f} s ({wall:.1f} s by the clock), {len(evidence):,} buckets; "
        f"the event loop waited {1000 * longest:.0f} ms at most",
        f"a choice among three: median {cuts[49]:.0f} µs, p95 {cuts[94]:.0f}, p99 {cuts[98]:.0f}",
        f"memory: {peak_memory() - before:.0f} MB",
    ]


def peak_memory() -> float:
    """Megabytes of this process, which ``getrusage`` would mix with those of its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def timed(call: Callable[[], object]) -> float:
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attempts", type=int, default=1_000_000)
    parser.add_argument("--domains", type=int, default=50_000)
    parser.add_argument("--database", metavar="URL")
    arguments = parser.parse_args()
    sizes = (arguments.attempts, arguments.domains)
    with tempfile.TemporaryDirectory() as folder:
        url = arguments.database or f"sqlite:///{folder}/db.sqlite"
        database = Database(url)
        print(f"{arguments.attempts:,} attempts on {arguments.domains:,} domains in {database}")
        print(f"an attempt learned from: {learned(database, *sizes):.0f} µs")
        database.close()
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            print(*fresh.submit(restored, url, *sizes).result(), sep="\n")


if __name__ == "__main__":
    main()
