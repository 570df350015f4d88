"""A crawl over watched sources that is killed at random moments, and started again.

``WIKICRAWLER_SOURCE_KILLS`` says how often, ``WIKICRAWLER_KILL_SEED`` repeats a run.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.scrapy_runs import Running
from tests.servers.regulations import RegulationSite, section
from tests.sources.watching import Watch, source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KILLS = int(os.environ.get("WIKICRAWLER_SOURCE_KILLS") or 8)
FAST = {
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
    "WIKICRAWLER_CONTENT_WORKERS": "0",
    "WIKICRAWLER_TIERS": "http",
    "WIKICRAWLER_DISCOVER_WIKIS": "False",
    "WIKICRAWLER_PROGRESS_ENABLED": "False",
}
SOURCES = 3
SECTIONS = 12


def crawl(watched: Watch, folder: Path) -> Running:
    settings = FAST | {name: str(value) for name, value in watched.settings.items()}
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = ["crawl", "sources", "-a", f"manifest={watched.file}"]
    with (folder / "crawl.log").open("ab") as log:
        return Running([*command, *options], stdout=log, stderr=log)


def wait_for(condition: Callable[[], bool], process: Running) -> None:
    while process.poll() is None and not condition():
        time.sleep(0.01)


@pytest.mark.timeout(900)
def test_each_due_source_is_staged_once(tmp_path: Path) -> None:
    seed = os.environ.get("WIKICRAWLER_KILL_SEED") or str(time.time_ns())
    print(f"WIKICRAWLER_KILL_SEED={seed}")  # noqa: T201
    chance = random.Random(seed)  # noqa: S311
    sites = [RegulationSite(f"127.0.0.{n + 20}", SECTIONS) for n in range(SOURCES)]
    try:
        for site in sites:
            site.__enter__()
        watched = Watch(tmp_path, *(source(s.url("/"), f"s{n}") for n, s in enumerate(sites)))
        total = SOURCES * (SECTIONS + 1)
        for left in range(KILLS, 0, -1):
            done = len(watched.index()) if watched.staged.exists() else 0
            until = done + chance.randint(0, max(1, 2 * (total - done) // left))
            process = crawl(watched, tmp_path)
            wait_for(
                lambda end=until: watched.staged.exists() and count(watched) >= end,  # type: ignore[misc]
                process,
            )
            time.sleep(chance.uniform(0, 0.03))
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert crawl(watched, tmp_path).wait() == 0, (tmp_path / "crawl.log").read_text()
        staged = Counter(line["url"] for line in watched.index())
        assert staged == {url: 1 for s in sites for url in map(s.url, s.documents)}
        assert len(watched.envelopes()) == total
        for site in sites:
            site.put("/1024/3/", section(3, days=2))
            site.exchanges.clear()
        assert crawl(watched, tmp_path).wait() == 0
        assert all(not site.exchanges for site in sites), "each was visited in its window"
    finally:
        for site in sites:
            site.__exit__(None, None, None)


def count(watched: Watch) -> int:
    """Number of envelopes so far; a line may be half written."""
    index = watched.staged / "_index.jsonl"
    return index.read_bytes().count(b"\n") if index.exists() else 0
