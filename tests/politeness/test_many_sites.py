"""A real crawl of many sites at once keeps the delay of every site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.servers.many_sites import SECONDS, WAYS, ManySites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.many_sites import Exchange

ROOT = Path(__file__).parents[2]
SITES = 1000
PAGES = 5
GAP = 0.3
TOLERANCE = 0.02  # seconds
SETTINGS = {
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60 / GAP,
    "WIKICRAWLER_RETRY": '{"429": [0], "503": [0]}',  # only the server's Retry-After counts
    "WIKICRAWLER_DISCOVER_WIKIS": False,
    "WIKICRAWLER_PROGRESS_ENABLED": False,
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    "TWISTED_DNS_RESOLVER": "bench.crawls.loopback.LoopbackResolver",
    "CONCURRENT_REQUESTS": 64,
}


def too_early(number: int, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield a line for each request sent sooner after the previous response than allowed."""
    for before, after in pairwise(exchanges):
        wait = SECONDS if WAYS.get(number, "").endswith(("delay", "rate")) else GAP
        if before.status != 200:
            wait = SECONDS
        gap = after.start - before.end
        if gap < wait - TOLERANCE:
            yield f"site{number} {before.path} {before.status} -> {after.path}: {gap:.3f} of {wait}"


@pytest.mark.timeout(1300)
def test_no_site_of_a_thousand_is_requested_too_soon(tmp_path: Path) -> None:
    with ManySites(SITES, PAGES) as sites:
        seeds = tmp_path / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in sites.seeds()))
        settings = [f"-s{name}={value}" for name, value in SETTINGS.items()]
        done = subprocess.run(
            [
                *(sys.executable, "-m", "scrapy", "crawl", "wiki", "-a", f"seeds={seeds}"),
                *settings,
                *("-O", str(tmp_path / "pages.jsonl"), "--logfile", str(tmp_path / "log")),
            ],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            timeout=1200,
            check=False,
        )
    assert done.returncode == 0, (tmp_path / "log").read_text()[-3000:]
    records = (tmp_path / "pages.jsonl").read_text("utf-8").splitlines()
    assert len({json.loads(line)["url"] for line in records}) == len(records) == SITES * PAGES
    asked = {
        url: sites.exchanges[f"site{n}.com:{sites.port}"] for n, url in enumerate(sites.seeds())
    }
    waited = [x for exchanges in asked.values() for x in exchanges if x.status != 200]
    assert len(waited) == SITES * 2 // 10  # sites that ask for a pause with a status, once each
    early = [text for n, url in enumerate(asked) for text in too_early(n % 10, asked[url])]
    assert early == []
