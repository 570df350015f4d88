"""How long a choice takes, and what is held in memory, after many attempts.

    python bench/learning/latency.py [--attempts 1000000] [--domains 50000]

Attempts are spread over the domains as over ranks of a Zipf law, on four shapes of path each.
Prints CPU microseconds, which other processes do not disturb.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from itertools import accumulate
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING

if __name__ == "__main__":  # run as a file
    sys.path.insert(0, str(Path(__file__).parents[2]))

from wikicrawler.learning.choice import Costs
from wikicrawler.learning.features import features_of
from wikicrawler.learning.learner import Learner
from wikicrawler.learning.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

COSTS = Costs({"mediawiki": 1.0, "http": 1.0, "browser": 12.0}, ban=10.0, page=200.0)
PATHS = ("/", "/blog/x", "/app/x/1", "/a.html")
SAMPLE = 20_000


def timed(call: Callable[[], object]) -> float:
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attempts", type=int, default=1_000_000)
    parser.add_argument("--domains", type=int, default=50_000)
    arguments = parser.parse_args()
    chance = random.Random(1)  # noqa: S311 - no secret
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    learner = Learner(COSTS, chance)
    ends = list(accumulate(1 / (rank + 1) for rank in range(arguments.domains)))

    def url() -> str:
        host = chance.choices(range(arguments.domains), cum_weights=ends)[0]
        return f"https://www.site{host}.com{chance.choice(PATHS)}"

    start = time.process_time()
    for number in range(arguments.attempts):
        features = features_of(url(), is_wiki=False)
        tier = chance.choice(("http", "browser"))
        outcome = chance.choice((Outcome.SUCCESS, Outcome.SUCCESS, Outcome.FAILURE, Outcome.BAN))
        learner.record(features, tier, outcome, number * 10.0)
    spent = time.process_time() - start
    now = arguments.attempts * 10.0
    took = []
    for _ in range(SAMPLE):
        page = url()
        took.append(
            timed(
                lambda page=page: learner.choose(
                    features_of(page, is_wiki=False), ("mediawiki", "http", "browser"), now
                )
            )
        )
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cuts = quantiles(took, n=100)
    print(f"{arguments.attempts:,} attempts, {len(learner.evidence):,} buckets")
    print(f"an attempt recorded: {1e6 * spent / arguments.attempts:.0f} µs")
    print(f"a choice among three: median {cuts[49]:.0f} µs, p95 {cuts[94]:.0f}, p99 {cuts[98]:.0f}")
    print(f"memory: {(after - before) / 1024:.0f} MB")


if __name__ == "__main__":
    main()
