"""``scrapy parquet`` in a process of its own."""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet

from tests import scrapy_runs
from tests.scrapy_runs import Running
from wikicrawler.feeds.parquet.journal import JournalLock, begin_journal, journal_of

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path


def complete(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return scrapy_runs.run(["parquet", *arguments], cwd=folder)


def killed(path: Path, count: int, text: str = "") -> None:
    """Leave what a killed crawl leaves after so many rows."""
    begin_journal(journal_of(path), replaces=False)
    with journal_of(path).open("a") as journal:
        journal.writelines(json.dumps({"n": n, "text": text}) + "\n" for n in range(count))
        journal.write('{"n": ')


def test_it_completes_the_file_of_a_killed_crawl(tmp_path: Path) -> None:
    killed(tmp_path / "a.parquet", 3)
    done = complete(tmp_path, "a.parquet")
    assert (done.returncode, done.stdout) == (0, "a.parquet: 3 rows\n")
    assert parquet.read_table(tmp_path / "a.parquet").column("n").to_pylist() == [0, 1, 2]
    again = complete(tmp_path, "a.parquet")
    assert again.returncode == 2
    assert again.stderr == (
        "scrapy parquet: error: a.parquet: has no journal a.parquet.journal: it is complete\n"
    )


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    assert "the file is needed" in complete(tmp_path).stderr
    missing = complete(tmp_path, "nowhere.parquet")
    assert missing.returncode == 2
    assert "no journal nowhere.parquet.journal: name the file of a crawl" in missing.stderr
    killed(tmp_path / "a.parquet", 1)
    with journal_of(tmp_path / "a.parquet").open("a") as journal:
        journal.write("damaged\n{}\n")
    damaged = complete(tmp_path, "a.parquet")
    assert damaged.returncode == 2
    assert "a.parquet.journal: has no row at byte " in damaged.stderr
    lock = JournalLock(journal_of(tmp_path / "a.parquet"))
    busy = complete(tmp_path, "a.parquet")
    lock.release()
    assert busy.returncode == 2
    assert "a.parquet: a crawl writes to it (let it end)" in busy.stderr
    killed(tmp_path / "b.parquet", 1)
    (tmp_path / "b.parquet.new").mkdir()
    full = complete(tmp_path, "b.parquet")
    assert full.returncode == 4
    assert "scrapy parquet: error: b.parquet: cannot be written: " in full.stderr


@pytest.mark.timeout(900)
def test_a_kill_at_any_moment_loses_and_doubles_no_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    seed = time.time_ns()
    chance = random.Random(seed)  # noqa: S311
    print(f"seed {seed}")  # noqa: T201
    began = time.monotonic()
    killed(path, 20_000, "word " * 400)
    assert complete(tmp_path, "a.parquet").returncode == 0
    seconds = time.monotonic() - began
    total, kills = 20_000, 0
    while kills < 8:
        if not journal_of(path).exists():
            killed(path, 1000, "word " * 400)
            total += 1000
        with (tmp_path / "log").open("a") as log:
            process = Running(["parquet", "a.parquet"], cwd=tmp_path, stdout=log, stderr=log)
        time.sleep(chance.uniform(0, seconds))
        if process.poll() is None:
            process.kill()
            kills += 1
        else:
            seconds *= 0.8  # the machine has become faster
        process.wait(120)
        assert parquet.read_metadata(path).num_rows >= total - 1000
    if journal_of(path).exists():
        assert complete(tmp_path, "a.parquet").returncode == 0
    assert parquet.read_metadata(path).num_rows == total
