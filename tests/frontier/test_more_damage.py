"""Damages of other kinds: by somebody who edits the state folder, or by another program."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import sqlite3
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.frontier.damages import DATABASE
from tests.frontier.test_damage import JOB, Bases, bases, check_end
from wikicrawler.errors import StateError
from wikicrawler.frontier.state_folder import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["bases"]


def edit(*statements: str) -> Callable[[Path], None]:
    """Run *statements* on the database."""

    def damage(job: Path) -> None:
        database = sqlite3.connect(job / DATABASE, isolation_level=None)
        for statement in statements:
            database.execute(statement)
        database.close()

    return damage


def write(name: str, data: bytes, *, append: bool = False) -> Callable[[Path], None]:
    def damage(job: Path) -> None:
        with (job / name).open("ab" if append else "wb") as file:
            file.write(data)

    return damage


def link_to_copy(job: Path) -> None:
    """The feed becomes a link to a copy of itself."""
    feed = job.parent / "pages.jsonl"
    shutil.move(feed, job.parent / "copy")
    feed.symlink_to("copy")


def move_folder(job: Path) -> None:
    """The state folder becomes a link to itself at another place."""
    shutil.move(job, job.parent / "elsewhere")
    job.symlink_to("elsewhere")


DAMAGES: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "a pickle in the state": (write("spider.state", pickle.dumps({"a": 1})), {"refused"}),
    "null in the state": (write("spider.state", b"null\n"), {"refused"}),
    "no table": (edit("DROP TABLE facts"), {"refused"}),
    "a foreign version": (edit("UPDATE about SET value = '99'"), {"refused"}),
    "no feeds": (edit("DELETE FROM feeds"), {"refused"}),
    "swapped sites": (edit("UPDATE requests SET site = site || '.x'"), {"whole", "refused"}),
    "vacuumed": (edit("VACUUM"), {"whole"}),
    "another journal": (edit("PRAGMA journal_mode = DELETE"), {"whole"}),
    "an index more": (edit("CREATE INDEX own ON requests (request)"), {"whole"}),
    "garbage at the end": (write(DATABASE, os.urandom(5000), append=True), {"whole", "refused"}),
    "the feed is a link": (link_to_copy, {"whole"}),
    "the folder is a link": (move_folder, {"whole"}),
}


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_crawl_ends_whole_or_says_why(bases: Bases, tmp_path: Path, name: str) -> None:
    damage, ends = DAMAGES[name]
    crawl = bases.copy(random.Random(0), tmp_path / "crawl")  # noqa: S311
    shutil.rmtree(crawl.folder)
    shutil.copytree(bases.settled.folder, crawl.folder)
    (crawl.folder / "log").unlink()
    damage(crawl.folder / "job")
    process = crawl.start(*JOB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.communicate(timeout=600)[0]
    assert check_end(crawl, bases.site, process.returncode, output) in ends


def test_a_damaged_name_in_the_schema_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """SQLite quotes the name in its message, which Python's sqlite3 cannot decode."""
    StateFolder(tmp_path, "wiki").close()
    database = tmp_path / DATABASE
    data = database.read_bytes()
    assert data.count(b"ON kept (until)") == 1
    database.write_bytes(data.replace(b"ON kept (until)", b"ON ke\xf0t (until)"))
    with pytest.raises(StateError, match="the file is damaged"):
        StateFolder(tmp_path, "wiki")
