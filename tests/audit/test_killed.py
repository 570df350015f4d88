"""Audited crawls that are killed, interrupted, or share a database, as processes.

``WIKICRAWLER_AUDIT_KILLS`` says how often one is killed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.frontier.sites import Crawl, ManyPages
from wikicrawler.audit.verification import Verification, verify
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.store.audit_writer import BATCH
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

KILLS = int(os.environ.get("WIKICRAWLER_AUDIT_KILLS") or 20)


def audited(file: Path) -> tuple[str, ...]:
    settings = ("WIKICRAWLER_AUDIT=True", f"WIKICRAWLER_DATABASE_URL=sqlite:///{file}")
    return tuple(part for setting in settings for part in ("-s", setting))


def verified(file: Path) -> Verification:
    database = Database(f"sqlite:///{file}")
    with database.read() as connection:
        found = verify(connection, with_sums=True)
    database.close()
    return found


def recorded(file: Path) -> Counter[str]:
    """Number of operations by URL."""
    if not file.exists():
        return Counter()
    connection = sqlite3.connect(file)
    try:
        rows = connection.execute("SELECT text FROM audit").fetchall()
    except sqlite3.OperationalError:  # killed before there were tables
        return Counter()
    finally:
        connection.close()
    records = [json.loads(text) for (text,) in rows]
    return Counter(record["url"] for record in records if record["kind"] == "request")


def test_a_crawl_that_is_killed_at_any_moment_leaves_a_whole_chain(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite"
    seed = random.randrange(2**32)  # noqa: S311 - not for secrets
    rng = random.Random(seed)  # noqa: S311
    print("seed", seed)  # noqa: T201 - shown where the test fails
    before: Counter[str] = Counter()
    for _ in range(KILLS):
        with ManyPages(10_000) as site:
            crawl = Crawl(tmp_path, f"{site.url}/0")
            pages = rng.randrange(1, 600)
            process = crawl.start(*audited(file))
            crawl.wait_for(lambda site=site, pages=pages: len(site.asked) >= pages, process)  # type: ignore[misc]
            process.kill()
            process.wait()
            asked = Counter(site.url + path for path in site.asked)
        found = verified(file)
        assert found.faults == []
        now = recorded(file)
        new = now - before
        assert not new - asked, "a record of what the server has not seen"
        # One batch that was being written, and one that was waiting.
        assert (asked - new).total() <= 2 * BATCH + 32
        before = now
    assert len(verified(file).unfinished) >= KILLS // 2


def test_a_crawl_that_is_interrupted_has_written_everything(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite"
    with ManyPages(10_000) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        process = crawl.start(*audited(file))
        crawl.wait_for(lambda: len(site.asked) > 300, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert recorded(file) == Counter(site.url + path for path in site.asked)
    assert (verified(file).faults, verified(file).unfinished) == ([], [])


def test_crawls_at_once_write_one_chain(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite"
    asked: Counter[str] = Counter()
    with ManyPages(150) as one, ManyPages(150) as other:
        sites = (one, other)
        crawls = []
        for number, site in enumerate(sites):
            folder = tmp_path / str(number)
            folder.mkdir()
            crawls.append(Crawl(folder, f"{site.url}/0").start(*audited(file)))
        assert [process.wait(120) for process in crawls] == [0, 0]
        for site in sites:
            asked += Counter(site.url + path for path in site.asked)
    assert recorded(file) == asked
    assert (verified(file).faults, verified(file).unfinished) == ([], [])


@pytest.mark.parametrize("patience", ["0", "1"])
def test_a_crawl_without_its_database_says_so_and_has_a_code(tmp_path: Path, patience: str) -> None:
    file = tmp_path / "nowhere" / "db.sqlite"
    file.parent.write_text("no folder")
    with ManyPages(5) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        code = crawl.run(*audited(file), "-s", f"WIKICRAWLER_AUDIT_PATIENCE={patience}")
        assert code == ExitCode.AUDIT_FAILED
        assert site.asked == []
    assert "The audit log cannot be written" in crawl.log
    assert str(file) in crawl.log
    assert "Traceback" not in crawl.log
