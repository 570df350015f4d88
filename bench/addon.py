"""Time of other projects' crawls with the ADDONS line, beside that without.

::

    python -m bench.addon [--latency 0.3] [--rounds 3] [PROJECT…]

The projects are those of ``tests/projects``. A time is from the first request for a page to the
last; the shortest of the rounds counts, which others on the machine disturbed least.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.projects.crawls import SPIDERS, crawl
from tests.projects.sites import Site


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=", ".join(SPIDERS))
    parser.add_argument("--latency", type=float, default=0.3, help="seconds of each answer")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if unknown := set(asked.projects) - {*SPIDERS}:
        parser.error(f"no such project: {', '.join(sorted(unknown))} (one of {', '.join(SPIDERS)})")
    Site.latency = asked.latency
    print(f"{'project':12}{'pages':>6}{'without':>10}{'with':>10}{'ratio':>8}")
    for name in asked.projects or SPIDERS:
        shortest = {}
        for addon in (False, True):
            times = []
            for _ in range(asked.rounds):
                with tempfile.TemporaryDirectory() as folder:
                    done = crawl(name, Path(folder), addon=addon)
                times.append(done.seconds)
            shortest[addon] = min(times)
        pages = sum(done.requests.values())
        without, with_it = shortest[False], shortest[True]
        print(f"{name:12}{pages:6}{without:9.2f}s{with_it:9.2f}s{with_it / without:8.2f}")


if __name__ == "__main__":
    main()
