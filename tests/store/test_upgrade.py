"""A database of an older version is upgraded in place."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import MetaData, create_engine, text

from tests.store import schema1
from tests.store.samples import attempt
from wikicrawler.store.attempts import add_attempts, find_attempts
from wikicrawler.store.database import Database
from wikicrawler.store.sites import find_changes, paused_sites

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.postgres import RealPostgres


@pytest.fixture
def old(url: str, tmp_path: Path) -> Iterator[Database]:
    """A database with schema 1."""
    (tmp_path / "some" / "where").mkdir(parents=True)
    schema1.make(url)
    opened = Database(url, tmp_path)
    yield opened
    opened.close()


def described(url: str) -> dict[str, Any]:
    """Return the columns, keys and indexes of all tables."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    metadata = MetaData()
    metadata.reflect(engine)
    engine.dispose()
    return {
        table.name: (
            {c.name: (str(c.type), c.nullable, c.primary_key) for c in table.columns},
            {str(index.name): index.columns.keys() for index in table.indexes},
        )
        for table in metadata.sorted_tables
    }


def test_existing_rows_are_kept(old: Database) -> None:
    with old.read() as connection:
        (found,) = find_attempts(connection, {"server": "nginx"})
        assert connection.scalar(text("SELECT spider FROM runs")) == "old"
    assert (found.url, found.latency, found.expected) == ("https://old.example.org/1", 0.25, None)


def test_new_columns_and_tables_can_be_written_and_read(old: Database) -> None:
    with old.write() as connection:
        add_attempts(connection, 2, [(1, attempt(expected=0.75))])
    with old.read() as connection:
        assert [one.expected for one in find_attempts(connection)] == [None, 0.75]
        assert (paused_sites(connection, 0), find_changes(connection)) == ([], [])


def test_the_schema_is_that_of_a_new_database_in_sqlite(tmp_path: Path) -> None:
    old, new = (f"sqlite:///{tmp_path}/{name}.sqlite" for name in ("old", "new"))
    schema1.make(old)
    for url in (old, new):
        with Database(url).read():
            pass
    assert described(old) == described(new)


def test_the_schema_is_that_of_a_new_database_in_postgresql(postgres: RealPostgres) -> None:
    schemas = []
    for is_old in (True, False):
        url = postgres.empty_database()
        if is_old:
            schema1.make(url)
        database = Database(url)
        with database.read():
            pass
        database.close()
        schemas.append(described(url))
    assert schemas[0] == schemas[1]


def test_several_processes_upgrade_concurrently(old: Database, url: str) -> None:
    program = (
        "import sys; from wikicrawler.store.database import Database\n"
        "sys.stdin.readline()\n"
        "with Database(sys.argv[1]).write(): pass"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, url], stdin=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in started:
        assert process.stdin
        process.stdin.close()
    assert [process.wait(120) for process in started] == [0] * 3
    with old.read() as connection:
        assert len(list(find_attempts(connection))) == 1


def test_a_crawl_of_the_older_program_can_continue_to_write(old: Database) -> None:
    with old.write() as connection:
        schema1.write(connection, 7)
    with old.read() as connection:
        assert [one.url[-2:] for one in find_attempts(connection)] == ["/1", "/7"]


def test_has_tables_does_not_upgrade(old: Database, url: str) -> None:
    before = described(url)
    assert old.has_tables()
    assert described(url) == before
