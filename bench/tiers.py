"""What the tiers cost on a wiki: the same pages by its API and as HTML, side by side.

    python bench/tiers.py https://wiki.example/wiki/Main_Page [--pages N] [--rate PER_MINUTE]

Crawls the wiki once by each tier, one after the other, and prints a Markdown table: records,
requests, bytes received, seconds, CPU seconds of the whole crawl, and how many pages have the same
Markdown by both. The wiki must be one that you may crawl at that rate.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIERS = ("mediawiki", "http")


def crawl(tier: str, arguments: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Crawl with *tier* alone; the figures of the crawl and its records by URL."""
    order = ["mediawiki", "http"] if tier == "mediawiki" else ["http"]
    out, log = folder / f"{tier}.jsonl", folder / f"{tier}.log"
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        [
            *(sys.executable, "-m", "scrapy", "crawl", "wiki"),
            *("-a", f"seeds={arguments.seed}", "-a", f"max_pages={arguments.pages}"),
            *("-s", f"WIKICRAWLER_TIERS={','.join(order)}", "-O", str(out)),
            *("-s", f"DOMAIN_THROTTLE_REQUESTS_PER_MINUTE={arguments.rate}"),
            *("-s", "DOMAIN_THROTTLE_MAX_DELAY=0", "--logfile", str(log)),
        ],
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    stats = log.read_text("utf-8")
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return {
        "seconds": time.monotonic() - start,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "requests": _stat(stats, "downloader/request_count"),
        "bytes": _stat(stats, "downloader/response_bytes"),
        "records": {record["url"]: record for record in records},
    }


def _stat(log: str, name: str) -> int:
    found = re.search(rf"'{name}': (\d+)", log)
    return int(found[1]) if found else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=6000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = {tier: crawl(tier, arguments, Path(folder)) for tier in TIERS}
    print("| tier | pages | requests | MB received | seconds | CPU seconds |")
    print("|---|---|---|---|---|---|")
    for tier, run in runs.items():
        print(
            f"| `{tier}` | {len(run['records'])} | {run['requests']} | {run['bytes'] / 1e6:.1f} "
            f"| {run['seconds']:.0f} | {run['cpu']:.0f} |"
        )
    api, html = (runs[tier]["records"] for tier in TIERS)
    both = api.keys() & html.keys()
    same = sum(api[url]["content_hash"] == html[url]["content_hash"] for url in both)
    print(f"\n{same} of the {len(both)} pages that both brought have the same Markdown.")
    for url in sorted(both):
        if api[url]["content_hash"] != html[url]["content_hash"]:
            print(f"differs: {url}", file=sys.stderr)
    for name, missing in (("API", html.keys() - api.keys()), ("HTML", api.keys() - html.keys())):
        for url in sorted(missing):
            print(f"not by {name}: {url}", file=sys.stderr)


if __name__ == "__main__":
    main()
