"""Real crawls into a Parquet file that are killed or run out of space."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet

from tests import scrapy_runs
from tests.frontier.sites import Crawl, ManyPages
from tests.frontier.test_processes import fill, mounted
from wikicrawler.feeds.parquet.journal import journal_of

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 20
PAGES = 600
JOB = ("-s", "JOBDIR=job")


def in_file(path: Path) -> Counter[str]:
    """How often each URL is in the Parquet file."""
    if not path.exists():
        return Counter()
    return Counter(parquet.read_table(path, columns=["url"]).column("url").to_pylist())


def written(path: Path) -> int:
    """The rows in the file and in the journal."""
    journal = journal_of(path)
    if not journal.exists():
        return in_file(path).total()
    rows = journal.read_bytes().splitlines(keepends=True)[1:]
    found = [json.loads(row)["url"] for row in rows if row.endswith(b"\n")]
    return len(set(found) | set(in_file(path)))


def lines(path: Path) -> int:
    """The lines of the journal, its header included."""
    try:
        return journal_of(path).read_bytes().count(b"\n")
    except FileNotFoundError:  # it may be removed meanwhile
        return 0


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("option", ["-o", "-O"])
def test_a_crawl_that_is_killed_again_and_again_has_each_page_once(
    tmp_path: Path, option: str
) -> None:
    seed = os.environ.get("WIKICRAWLER_KILL_SEED") or str(time.time_ns())
    chance = random.Random(seed)  # noqa: S311
    print(f"WIKICRAWLER_KILL_SEED={seed}")  # noqa: T201
    output = (option, "pages.parquet")
    path = tmp_path / "pages.parquet"
    done = []
    with ManyPages(PAGES) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        for left in range(KILLS, 0, -1):
            before = written(path)
            more = chance.randint(1, max(1, 2 * (PAGES - before) // left))
            until = max(lines(path), 1) + more
            process = crawl.start(*JOB, output=output)
            crawl.wait_for(lambda end=until: lines(path) >= end, process)
            time.sleep(chance.uniform(0, 0.02))
            kind = chance.choice(["KILL", "KILL", "KILL", "TERM", "TERM and KILL"])
            if kind != "KILL":
                process.send_signal(signal.SIGTERM)
                if kind == "TERM":
                    process.wait(120)
                else:  # while it completes the file, say
                    time.sleep(chance.uniform(0, 0.7))
            process.kill()
            process.wait(120)
            if chance.random() < 0.2 and journal_of(path).exists():
                completed = scrapy_runs.run(["parquet", "pages.parquet"], cwd=tmp_path)
                assert completed.returncode == 0, completed.stderr
            assert written(path) >= before
            done.append((kind, in_file(path).total(), written(path)))
        print(done)  # noqa: T201
        assert crawl.run(*JOB, output=output) == 0, crawl.log[-3000:]
        assert set(in_file(path)) == site.urls()
        assert set(in_file(path).values()) == {1}
        assert crawl.run(*JOB, output=output) == 0, crawl.log[-3000:]  # it is done
        assert in_file(path).total() == PAGES
    assert not journal_of(path).exists()
    assert "Traceback" not in crawl.log


def test_the_rows_of_a_killed_crawl_can_be_read_without_going_on(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    with ManyPages(300, delay=0.01) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        process = crawl.start(output=("-O", "pages.parquet"))
        crawl.wait_for(lambda: lines(path) > 31, process)
        process.kill()
        process.wait()
    rows = written(path)
    assert 30 < rows < 300
    assert not path.exists()
    done = scrapy_runs.run(["parquet", "pages.parquet"], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"pages.parquet: {rows} rows\n")
    assert in_file(path).total() == len(in_file(path)) == rows


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_full_disk_stops_the_crawl_and_it_goes_on_when_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    path = disk / "pages.parquet"
    output = ("-o", str(path))
    with ManyPages(120, delay=0.02) as site, mounted(disk, "size=2m"):
        crawl = Crawl(tmp_path, f"{site.url}/0")
        process = crawl.start(*JOB, "-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=1200", output=output)
        crawl.wait_for(lambda: lines(path) > 6, process)
        fill(disk / "filler")
        assert process.wait(120) == 4, crawl.log[-2000:]
        assert "lacks rows, which are in pages.parquet.journal" in crawl.log
        assert 5 < written(path) < site.count
        (disk / "filler").unlink()
        assert crawl.run(*JOB, output=output) == 0, crawl.log[-2000:]
        assert set(in_file(path)) == site.urls()
        assert set(in_file(path).values()) == {1}
    assert "Traceback" not in crawl.log
