"""State folders that lost what a crawl wrote to them are refused; no other is."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.frontier.sites import ROOT, Crawl, ManyPages
from wikicrawler.errors import StateError
from wikicrawler.frontier.sqlite.commit_mark import read_mark
from wikicrawler.frontier.sqlite.loss import refuse_loss

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

JOB = ("-s", "JOBDIR=job")
PAGES = 60
WAL = "frontier.sqlite-wal"


class HeldPages(ManyPages):
    """A site that answers half of its pages, and the others when it is set free."""

    def __init__(self) -> None:
        super().__init__(PAGES, delay=0.1)
        self.free = threading.Event()
        self.free.set()

    def answer(self, path: str) -> tuple[int, str, str]:
        if len(self.asked) > PAGES // 2 + 8:
            self.free.wait(60)
        return super().answer(path)


class Stopped(NamedTuple):
    """A crawl that was ended halfway, and its site."""

    crawl: Crawl
    site: ManyPages

    def copy(self, folder: Path) -> Crawl:
        shutil.copytree(self.crawl.folder, folder, dirs_exist_ok=True)
        return Crawl(folder, self.crawl.seeds)


def halfway(crawl: Crawl, site: HeldPages, number: signal.Signals) -> None:
    """End *crawl* by a signal after half of the pages, and a commit that only the -wal has."""

    def is_halfway() -> bool:
        # The commit that adds the feed is forced into the main file; the third one is not.
        mark = read_mark(crawl.folder / "job")
        return len(crawl.lines()) >= PAGES // 2 and mark is not None and mark.commits > 2

    site.asked.clear()
    site.free.clear()
    process = crawl.start(*JOB)
    crawl.wait_for(is_halfway, process)
    process.send_signal(number)
    if number == signal.SIGKILL:
        process.wait()
    site.free.set()
    assert process.wait(120) in {-number, 128 + number}
    assert PAGES // 2 <= len(crawl.lines()) < PAGES


@pytest.fixture(scope="module")
def site() -> Iterator[HeldPages]:
    with HeldPages() as site:
        yield site


@pytest.fixture(scope="module")
def killed(site: HeldPages, tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    crawl = Crawl(tmp_path_factory.mktemp("killed"), f"{site.url}/0")
    halfway(crawl, site, signal.SIGKILL)
    return Stopped(crawl, site)


@pytest.fixture(scope="module")
def terminated(site: HeldPages, tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    crawl = Crawl(tmp_path_factory.mktemp("terminated"), f"{site.url}/0")
    halfway(crawl, site, signal.SIGTERM)
    return Stopped(crawl, site)


def refused(crawl: Crawl) -> str:
    """The error of a start, which leaves everything as it was."""
    before = crawl.feed.read_bytes()
    process = crawl.start(*JOB, stderr=subprocess.PIPE)
    output = process.communicate(timeout=120)[1]
    assert process.returncode == 6, output[-2000:]
    assert "Traceback" not in output
    assert crawl.feed.read_bytes() == before
    error = output[output.index("scrapy crawl wiki: error: ") :]
    assert len(error.splitlines()) <= 3
    assert re.search(r"(?i)restore .*another JOBDIR and -O", error)
    with pytest.raises(StateError) as again:
        refuse_loss(crawl.folder / "job")
    own = str(crawl.folder) + "/"  # the process names the folder as its command line does
    assert str(again.value).replace(own, "") == error.split("error: ", 1)[1].strip()
    return error


def goes_on(crawl: Crawl, site: ManyPages) -> None:
    """All pages are in the feed, each once."""
    assert crawl.run(*JOB) == 0, crawl.log[-2000:]
    written = crawl.written()
    assert set(written) == site.urls()
    assert set(written.values()) == {1}


# What is done to a folder


def database(folder: Path) -> Path:
    return folder / "frontier.sqlite"


def remove_database(folder: Path) -> None:
    database(folder).unlink()


def remove_all_of_sqlite(folder: Path) -> None:
    for path in folder.glob("frontier.sqlite*"):
        path.unlink()


def empty_database(folder: Path) -> None:
    os.truncate(database(folder), 0)


def cut_database(folder: Path) -> None:
    os.truncate(database(folder), database(folder).stat().st_size // 2)


def overwrite_head(folder: Path) -> None:
    with database(folder).open("rb+") as file:
        file.write(b"x" * 100)


def overwrite_pages(folder: Path) -> None:
    size = database(folder).stat().st_size
    with database(folder).open("rb+") as file:
        file.seek(4096)
        file.write(b"\x5a" * (size - 4096))


def remove_wal(folder: Path) -> None:
    (folder / WAL).unlink()


def remove_wal_and_shm(folder: Path) -> None:
    remove_wal(folder)
    (folder / "frontier.sqlite-shm").unlink()


def empty_wal(folder: Path) -> None:
    os.truncate(folder / WAL, 0)


def cut_wal(folder: Path) -> None:
    os.truncate(folder / WAL, 1000)  # within its first page


def overwrite_wal(folder: Path) -> None:
    (folder / WAL).write_bytes(b"\x5a" * (folder / WAL).stat().st_size)


def remove_shm(folder: Path) -> None:
    (folder / "frontier.sqlite-shm").unlink()


def overwrite_shm(folder: Path) -> None:
    (folder / "frontier.sqlite-shm").write_bytes(b"\x5a" * 32768)


def remove_mark(folder: Path) -> None:
    (folder / "commits").unlink()


def overwrite_mark(folder: Path) -> None:
    (folder / "commits").write_bytes(b"\0" * 200)


# Refused


@pytest.mark.parametrize(
    ("spoil", "finding"),
    [
        (remove_database, "frontier.sqlite is missing, but commits is from a crawl"),
        (remove_all_of_sqlite, "frontier.sqlite is missing, but commits is from a crawl"),
        (empty_database, "frontier.sqlite is empty, but commits is from a crawl"),
        (cut_database, r"frontier.sqlite: cannot be used: .*\(the file is damaged"),
        (overwrite_pages, r"frontier.sqlite: cannot be used: .*\(the file is damaged"),
        (remove_wal, r"lacks the last \d+ of the crawl's \d+ commits"),
        (remove_wal_and_shm, r"lacks the last \d+ of the crawl's \d+ commits"),
        (empty_wal, r"lacks the last \d+ of the crawl's \d+ commits"),
        (cut_wal, r"lacks the last \d+ of the crawl's \d+ commits"),
        (overwrite_wal, r"lacks the last \d+ of the crawl's \d+ commits"),
    ],
)
def test_the_folder_of_a_killed_crawl_that_lost_something_is_refused(
    killed: Stopped, tmp_path: Path, spoil: Callable[[Path], None], finding: str
) -> None:
    crawl = killed.copy(tmp_path)
    spoil(tmp_path / "job")
    assert re.search(finding, refused(crawl))


@pytest.mark.parametrize(
    ("spoil", "finding"),
    [
        (remove_database, "frontier.sqlite is missing, but commits is from a crawl"),
        (empty_database, "frontier.sqlite is empty, but commits is from a crawl"),
        (cut_database, r"frontier.sqlite: cannot be used: .*\(the file is damaged"),
        (overwrite_head, r"frontier.sqlite: cannot be used: .*\(the file is damaged"),
        (overwrite_pages, r"frontier.sqlite: cannot be used: .*\(the file is damaged"),
    ],
)
def test_the_folder_of_a_stopped_crawl_that_lost_something_is_refused(
    terminated: Stopped, tmp_path: Path, spoil: Callable[[Path], None], finding: str
) -> None:
    crawl = terminated.copy(tmp_path)
    spoil(tmp_path / "job")
    assert re.search(finding, refused(crawl))


def test_the_database_of_another_crawl_is_refused(
    site: HeldPages, killed: Stopped, tmp_path: Path
) -> None:
    crawl = killed.copy(tmp_path / "this")
    other = Crawl(tmp_path, killed.crawl.seeds)
    halfway(other, site, signal.SIGTERM)
    remove_all_of_sqlite(crawl.folder / "job")
    shutil.copy(database(tmp_path / "job"), crawl.folder / "job")
    assert "frontier.sqlite is of another crawl than commits" in refused(crawl)


def test_an_older_copy_of_the_database_is_refused_until_it_is_wanted(
    terminated: Stopped, tmp_path: Path
) -> None:
    crawl = terminated.copy(tmp_path)
    shutil.copy(database(tmp_path / "job"), tmp_path / "copy")
    goes_on(crawl, terminated.site)
    shutil.copy(tmp_path / "copy", database(tmp_path / "job"))
    assert "remove job/commits to go on from the older state" in refused(crawl)
    remove_mark(tmp_path / "job")
    goes_on(crawl, terminated.site)


def test_a_folder_that_is_restored_goes_on(killed: Stopped, tmp_path: Path) -> None:
    crawl = killed.copy(tmp_path)
    (tmp_path / "job" / WAL).rename(tmp_path / "wal")
    refused(crawl)
    (tmp_path / "wal").rename(tmp_path / "job" / WAL)
    goes_on(crawl, killed.site)


def test_without_its_wal_a_crawl_goes_on_where_that_is_wanted_and_doubles_nothing(
    killed: Stopped, tmp_path: Path
) -> None:
    crawl = killed.copy(tmp_path)
    remove_wal(tmp_path / "job")
    remove_mark(tmp_path / "job")
    goes_on(crawl, killed.site)


# Refused, in a folder that an earlier version wrote


def make_older(folder: Path) -> None:
    """Make *folder* what an earlier version of the project would have left: no mark, and no count
    in the database; nothing of that was in its main file before it was closed."""
    remove_mark(folder)
    old = sqlite3.connect(database(folder), isolation_level=None)
    old.execute("DELETE FROM about WHERE name IN ('crawl', 'commits')")
    old.close()


@pytest.mark.parametrize("spoil", [remove_database, empty_database])
def test_what_else_is_in_the_folder_shows_that_there_was_a_crawl(
    terminated: Stopped, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    crawl = terminated.copy(tmp_path)
    make_older(tmp_path / "job")
    spoil(tmp_path / "job")
    assert "but spider.state is from a crawl in this folder" in refused(crawl)


@pytest.mark.parametrize("spoil", [remove_database, empty_database])
def test_a_wal_without_a_database_shows_it_too(
    killed: Stopped, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    crawl = killed.copy(tmp_path)
    remove_mark(tmp_path / "job")
    spoil(tmp_path / "job")
    assert "but frontier.sqlite-wal is from a crawl in this folder" in refused(crawl)
    assert (tmp_path / "job" / WAL).stat().st_size > 0


def test_a_shm_without_a_wal_shows_that_all_was_lost(killed: Stopped, tmp_path: Path) -> None:
    crawl = killed.copy(tmp_path)
    job = tmp_path / "job"
    remove_mark(job)
    remove_wal(job)
    remove_database(job)
    new = sqlite3.connect(database(job))  # all that the earlier version forced into the main file
    new.execute("PRAGMA journal_mode = WAL")
    new.close()
    (job / "frontier.sqlite-shm").touch()
    assert "but frontier.sqlite-shm is from a crawl in this folder" in refused(crawl)


# Not refused


@pytest.mark.parametrize("spoil", [remove_shm, overwrite_shm, remove_mark, overwrite_mark])
def test_what_no_record_depends_on_may_be_missing(
    killed: Stopped, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    crawl = killed.copy(tmp_path)
    spoil(tmp_path / "job")
    goes_on(crawl, killed.site)


def test_a_folder_of_an_earlier_version_goes_on(killed: Stopped, tmp_path: Path) -> None:
    crawl = killed.copy(tmp_path)
    make_older(tmp_path / "job")
    halfway_again = crawl.start(*JOB)
    crawl.wait_for((tmp_path / "job" / "commits").exists, halfway_again)
    halfway_again.kill()
    halfway_again.wait()
    goes_on(crawl, killed.site)


def test_after_a_power_failure_the_database_may_lack_commits(
    killed: Stopped, tmp_path: Path
) -> None:
    crawl = killed.copy(tmp_path)
    cut_wal(tmp_path / "job")
    mark = tmp_path / "job" / "commits"
    found = json.loads(mark.read_bytes())
    mark.write_text(json.dumps(found | {"boot": "another"}).ljust(199) + "\n")
    goes_on(crawl, killed.site)
    assert re.search(r"JOBDIR job: lacks the last \d+ commits of the crawl, as after", crawl.log)
    goes_on(crawl, killed.site)


def test_the_lock_of_a_crawl_that_wrote_nothing_is_no_crawl(
    site: ManyPages, tmp_path: Path
) -> None:
    crawl = Crawl(tmp_path, f"{site.url}/0")
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "lock").write_text('{"pid": 1, "host": "h", "since": "2026"}\n')
    goes_on(crawl, site)


def test_a_new_folder_appends_to_the_feed_of_another_crawl(site: ManyPages, tmp_path: Path) -> None:
    crawl = Crawl(tmp_path, f"{site.url}/0")
    crawl.feed.write_text('{"url": "https://another.example/"}\n')
    assert crawl.run(*JOB) == 0
    assert crawl.written().total() == PAGES + 1


_KILLED_EARLY = """
import os, shutil, signal, sys, time
from pathlib import Path

from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.sqlite.loss import refuse_loss

folder = Path(sys.argv[1])

def begin():
    refuse_loss(folder)
    database = CrawlDatabase.open(folder)
    if database.spider is None:
        database.spider = "wiki"
    feed = database.feed("pages") or (database.add_feed("pages", 0), 0)
    for n in range(20):
        database.see(os.urandom(8))
        database.commit()
    database.close()

for n in range(300):
    if n % 3 == 0:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    child = os.fork()
    if not child:
        begin()
        os._exit(0)
    time.sleep(n * 0.00005)
    os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, -signal.SIGKILL}, code
    refuse_loss(folder)
begin()
"""


def test_a_kill_while_the_folder_is_made_is_no_loss(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    done = subprocess.run(
        [sys.executable, "-c", _KILLED_EARLY, str(folder)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (folder / "commits").exists()
