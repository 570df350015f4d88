"""A real crawl that is killed at random moments and goes on, until it is done.

``WIKICRAWLER_KILLS`` says how often (50 in CI, else 10), ``WIKICRAWLER_KILL_SEED`` repeats a run.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from tests.frontier.sites import Crawl, ManyPages

if TYPE_CHECKING:
    from pathlib import Path

KILLS = int(os.environ.get("WIKICRAWLER_KILLS") or (50 if os.environ.get("CI") == "true" else 10))
PAGES = 2000
JOB = ("-s", "JOBDIR=job", "-s", "WIKICRAWLER_SKIPPED_FILE=skipped.jsonl")
HOLES = 50


def integrity(folder: Path) -> str:
    database = sqlite3.connect(folder / "job" / "frontier.sqlite")
    try:
        return str(database.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        database.close()


@pytest.mark.timeout(1800)
def test_a_crawl_that_is_killed_again_and_again_loses_and_doubles_nothing(tmp_path: Path) -> None:
    seed = os.environ.get("WIKICRAWLER_KILL_SEED") or str(time.time_ns())
    chance = random.Random(seed)  # noqa: S311
    print(f"WIKICRAWLER_KILL_SEED={seed}")  # noqa: T201
    done = []
    with ManyPages(PAGES, redirects=7, holes=HOLES) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        for left in range(KILLS, 0, -1):
            lines = len(crawl.lines())
            share = (PAGES - lines) // left  # so that the last kill still meets a crawl
            until = lines + chance.randint(1, max(1, 2 * share))
            early = chance.random() < 0.1  # while it starts
            process = crawl.start(*JOB)
            if not early:
                crawl.wait_for(lambda end=until: len(crawl.lines()) >= end, process)
            time.sleep(chance.uniform(0, 1 if early else 0.02))
            kind = chance.choice(["KILL", "KILL", "TERM", "TERM twice"])
            process.send_signal(signal.SIGKILL if kind == "KILL" else signal.SIGTERM)
            if kind == "TERM twice":
                time.sleep(chance.uniform(0, 0.3))
                process.send_signal(signal.SIGTERM)
            process.wait(120)
            done.append((kind, len(crawl.lines())))
        print(done)  # noqa: T201
        assert crawl.run(*JOB) == 0, crawl.log[-3000:]
        written = crawl.written()
        assert set(written) == site.urls()
        assert set(written.values()) == {1}
        skipped = [json.loads(line) for line in (tmp_path / "skipped.jsonl").open("rb")]
        missing = [line["url"] for line in skipped if line["reason"] == "missing"]
        assert sorted(missing) == sorted(f"{site.url}/missing-{n}" for n in range(0, PAGES, HOLES))
        assert integrity(tmp_path) == "ok"
        assert "Traceback" not in crawl.log
