"""The background writer, with databases that work, fail or are killed."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from tests.store.samples import attempt
from wikicrawler.store.database import Database
from wikicrawler.store.sites import Site, SitePause, TierChange, find_changes, find_site
from wikicrawler.store.tables import attempt_heuristics, attempts, runs
from wikicrawler.store.writer import BATCH, MOST_WAITING, AttemptWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from sqlalchemy import Connection

    from tests.servers.postgres import RealPostgres

ROOT = Path(__file__).parents[2]


@contextmanager
def writing(database: Database, seconds: float = 60) -> Iterator[AttemptWriter]:
    """Start a writer, and close it at the end."""
    writer = AttemptWriter(database, "sample")
    writer.start()
    yield writer
    writer.close(seconds)


def put(writer: AttemptWriter, count: int) -> None:
    for n in range(count):
        writer.put(attempt(url=f"{n}"))


def count_of(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(attempts)) or 0


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "db.sqlite"


@pytest.fixture
def sqlite(file: Path) -> Database:
    return Database(f"sqlite:///{file}")


# A working database


def test_all_attempts_are_written(database: Database) -> None:
    with writing(database) as writer:
        put(writer, 2 * BATCH + 7)
    assert (writer.written, writer.lost) == (2 * BATCH + 7, 0)
    assert count_of(database) == 2 * BATCH + 7


def test_pauses_and_changes_are_written_in_order_and_do_not_count_as_attempts(
    database: Database,
) -> None:
    changes = [
        TierChange(n, "example.org", "en.example.org", "http", 0.5, better=n > 1) for n in (1, 2)
    ]
    with writing(database) as writer:
        writer.put(SitePause(1.0, "a", 9e9, 1, "blocked"))
        writer.put(changes[0])
        for n in range(BATCH):
            writer.put(attempt(site="a", at=float(n)))
        writer.put(SitePause(2.0, "a", None, 0, ""))
        writer.put(changes[1])
        wait_until(lambda: writer.written == BATCH)
    assert (writer.begun, writer.written, writer.lost) == (BATCH, BATCH, 0)
    with database.read() as connection:
        assert find_changes(connection) == changes
        site = find_site(connection, "a")
    assert site == Site("a", None, 0, BATCH, BATCH - 1.0, "blocked")


def test_an_incomplete_batch_is_written_after_a_while(database: Database) -> None:
    with writing(database) as writer:
        put(writer, 3)
        wait_until(lambda: count_of(database) == 3)


def test_a_run_is_recorded_with_its_end(database: Database) -> None:
    with writing(database) as writer:
        put(writer, 5)
    with database.read() as connection:
        (run,) = connection.execute(select(runs)).mappings()
    assert run["spider"] == "sample"
    assert run["started"] <= run["ended"] <= time.time()
    assert (run["begun"], run["lost"]) == (5, 0)


def test_an_ended_run_leaves_no_file_behind(sqlite: Database, file: Path) -> None:
    with writing(sqlite) as writer:
        put(writer, 5)
    assert {path.name for path in file.parent.iterdir()} == {"db.sqlite"}


def test_a_run_without_problems_logs_nothing(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with writing(database) as writer:
        put(writer, 5)
    assert [r for r in caplog.records if r.name.startswith("wikicrawler")] == []


def test_two_processes_write_concurrently(database: Database, url: str, tmp_path: Path) -> None:
    with process(tmp_path, url, "3000") as one, process(tmp_path, url, "3000") as other:
        assert (one.wait(120), other.wait(120)) == (0, 0)
    assert count_of(database) == 6000
    with database.read() as connection:
        rows = connection.scalar(select(func.count()).select_from(attempt_heuristics))
    assert rows == 12_000


# A database that is unavailable


def test_the_writer_waits_for_a_locked_database(
    sqlite: Database, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with sqlite.write():
        pass
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with writing(sqlite) as writer:
        put(writer, 2 * BATCH)
        wait_until(lambda: bool(warnings(caplog)))
        other.execute("COMMIT")
        wait_until(lambda: count_of(sqlite) == 2 * BATCH)
    other.close()
    assert writer.lost == 0
    (warning,) = warnings(caplog)
    assert "not recorded until the database can be used" in warning
    assert "db.sqlite: database is locked" in warning


def test_the_wait_at_the_end_of_a_crawl_is_limited(
    sqlite: Database, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with sqlite.write():
        pass
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with writing(sqlite, seconds=0.5) as writer:
        put(writer, 10)
    other.close()
    assert (writer.begun, writer.written, writer.lost) == (10, 0, 10)
    assert len(warnings(caplog)) == 1


def test_records_beyond_the_limit_are_lost_and_counted(sqlite: Database, file: Path) -> None:
    with sqlite.write():
        pass
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with writing(sqlite) as writer:
        put(writer, MOST_WAITING + 30)
        other.execute("COMMIT")
        other.close()
    assert (writer.written, writer.lost) == (MOST_WAITING, 30)
    assert count_of(sqlite) == MOST_WAITING


@pytest.mark.parametrize("what", ["damaged", "folder", "below a file"])
def test_an_unusable_database_is_reported_once(
    what: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "db.sqlite"
    if what == "damaged":
        file.write_bytes(b"this is no database, but it is longer than its header is" * 100)
    elif what == "folder":
        file.mkdir()
    else:
        file.write_text("a file")
        file = file / "db.sqlite"
    with writing(Database(f"sqlite:///{file}"), seconds=2) as writer:
        put(writer, 10)
    assert writer.lost == 10
    (warning,) = warnings(caplog)
    assert str(file) in warning


def test_a_damaged_database_is_used_again_after_its_replacement(
    sqlite: Database, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.write_bytes(b"this is no database, but it is longer than its header is" * 100)
    with writing(sqlite) as writer:
        put(writer, 10)
        wait_until(lambda: bool(warnings(caplog)))
        file.unlink()
    assert writer.lost == 0
    assert count_of(sqlite) == 10


def test_the_writer_survives_a_full_disk(tmp_path: Path) -> None:
    """To SQLite, a file that cannot grow is the same as a full disk."""
    program = """
import resource, sys
from pathlib import Path
from tests.store.samples import attempt
from tests.store.test_writer import wait_until
from wikicrawler.store.database import Database
from wikicrawler.store.writer import AttemptWriter

writer = AttemptWriter(Database("sqlite:///db.sqlite"), "sample")
writer.start()
writer.put(attempt())
wait_until(lambda: writer.written == 1)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
for n in range(2000):
    writer.put(attempt(url=f"http://127.0.0.1/{n}"))
wait_until(lambda: writer._warned)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
writer.close(60)
print(writer.written, writer.lost)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "2001 0\n", done.stderr
    assert count_of(Database(f"sqlite:///{tmp_path}/db.sqlite")) == 2001


def test_a_restart_of_the_server_loses_nothing(
    postgres: RealPostgres, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(postgres.empty_database(), tmp_path)
    with writing(database) as writer:
        put(writer, 10)
        wait_until(lambda: writer.written == 10)
        postgres.stop()
        put(writer, 500)
        wait_until(lambda: bool(warnings(caplog)))
        postgres.start()
    assert writer.lost == 0
    assert count_of(database) == 510
    assert len(warnings(caplog)) == 1
    database.close()


def test_a_rejected_record_does_not_affect_others(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    broken: dict[str, Any] = {"tier": None}
    with writing(database) as writer:
        put(writer, 5)
        writer.put(attempt(url="broken\n", **broken))
        put(writer, 5)
    assert (writer.written, writer.lost) == (10, 1)
    assert count_of(database) == 10
    (error,) = [w for w in warnings(caplog) if "attempt" in w]
    assert "an attempt at broken\\n cannot be written: " in error
    assert "example.org" not in error  # no values of the row


def test_a_rejected_pause_does_not_affect_attempts(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    broken: dict[str, Any] = {"risk_level": None}
    with writing(database) as writer:
        put(writer, 3)
        writer.put(SitePause(1.0, "a", 2.0, 1, "busy")._replace(**broken))
        put(writer, 3)
    assert (writer.written, writer.lost) == (6, 0)
    (error,) = [w for w in warnings(caplog) if "pause" in w]
    assert "a pause of a cannot be written: " in error


def test_a_writer_that_fails_unexpectedly_logs_the_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Database):
        def write(self) -> AbstractContextManager[Connection]:
            raise ZeroDivisionError

    with writing(Broken(f"sqlite:///{tmp_path}/db.sqlite")) as writer:
        put(writer, 3)
    (message,) = warnings(caplog)
    assert message.endswith("db.sqlite: attempts are no longer recorded")
    assert "ZeroDivisionError" in caplog.text
    assert writer.lost == 3


# A crawl that is killed


@contextmanager
def process(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a crawl in its own process, and kill it at the end."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.store.writing", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


def test_a_kill_loses_only_the_last_batch_and_the_next_crawl_counts_it(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    begun = 2 * BATCH + 50
    with process(tmp_path, url, f"{begun}", "wait") as crawl:
        assert crawl.stdout
        assert crawl.stdout.readline() == f"written {2 * BATCH}\n"
    database = Database(url, tmp_path / "folder")
    kept = count_of(database)  # the last batch may have been written in the meantime
    assert kept >= 2 * BATCH
    with writing(database) as writer:
        put(writer, 1)
    assert writer.lost_before == begun - kept
    assert [w.partition(": ")[2] for w in warnings(caplog)] == [
        f"a crawl that was killed had not written {begun - kept} of its {begun} attempts"
    ] * (kept < begun)
    with database.read() as connection:
        killed, own = connection.execute(select(runs).order_by(runs.c.started)).mappings()
    assert (killed["begun"], killed["lost"]) == (begun, begun - kept)
    assert own["lost"] == 0
    with writing(database) as another:  # it is reported once
        pass
    assert another.lost_before == 0
    database.close()


def test_a_running_crawl_is_not_taken_for_a_killed_one(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with process(tmp_path, url, "250", "wait") as crawl:
        assert crawl.stdout
        crawl.stdout.readline()
        database = Database(url, tmp_path / "folder")
        with writing(database) as writer:
            put(writer, 1)
        assert writer.lost_before == 0
        assert warnings(caplog) == []
    database.close()


def test_a_killed_run_is_reported_even_if_the_database_is_unavailable_at_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "db.sqlite"
    with process(tmp_path, f"sqlite:///{file}", "250", "wait") as crawl:
        assert crawl.stdout
        crawl.stdout.readline()
    kept = count_of(Database(f"sqlite:///{file}"))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with writing(Database(f"sqlite:///{file}")) as writer:
        wait_until(lambda: bool(warnings(caplog)))
        other.execute("COMMIT")
    other.close()
    assert writer.lost_before == 250 - kept
