"""Location, creation and opening of the database."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import inspect, text

from tests.crawling import project_settings
from tests.store.samples import attempt
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.store.attempts import add_attempts, find_attempts
from wikicrawler.store.database import Database
from wikicrawler.store.tables import VERSION

TABLES = {
    *("about", "runs", "attempts", "attempt_heuristics", "sites", "tier_changes"),
    *("manifests", "source_pages", "source_states", "source_visits", "staging", "spending"),
    "model_usage",
    *("site_turns", "transfers"),
    *("staged", "staging_events"),
    *("audit", "audit_responses", "audit_sums", "audit_times"),
    *("alerts", "alert_deliveries"),
    *("jobs", "site_holds", "switches"),
}


@pytest.mark.parametrize(
    "wrong",
    ["no url", "mysql://host/db", "sqlite://", "sqlite:///:memory:", "sqlite:///f?mode=ro"],
)
def test_an_unsupported_url_is_rejected(wrong: str) -> None:
    with pytest.raises(ConfigError, match=r"WIKICRAWLER_DATABASE_URL: .*right would be sqlite:///"):
        Database(wrong)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_password_is_never_shown(scheme: str) -> None:
    shown = str(Database(f"{scheme}://me:sesame@db.example.org/crawl"))
    assert "sesame" not in shown
    assert "db.example.org/crawl" in shown


def test_an_unreachable_server_is_reported_without_the_password() -> None:
    with (
        pytest.raises(StoreError, match=r"127\.0\.0\.1:1/") as told,
        Database("postgresql://me:sesame@127.0.0.1:1/crawl").write(),
    ):
        pass
    assert "sesame" not in str(told.value)
    assert "\n" not in str(told.value)


def test_the_tables_are_created_on_first_use(database: Database) -> None:
    with database.read() as connection:
        assert set(inspect(connection).get_table_names()) == TABLES


def test_has_tables_creates_none(database: Database, tmp_path: Path) -> None:
    assert not database.has_tables()
    assert list(tmp_path.iterdir()) == []
    with database.read():
        pass
    assert database.has_tables()


def test_has_tables_of_an_unusable_database_raises_an_error(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite").mkdir()
    with pytest.raises(StoreError, match="unable to open"):
        Database(f"sqlite:///{tmp_path}/db.sqlite").has_tables()


def test_an_existing_database_is_used(database: Database, url: str) -> None:
    with database.write() as connection:
        add_attempts(connection, 1, [(1, attempt())])
    again = Database(url)
    with again.read() as connection:
        assert len(list(find_attempts(connection))) == 1
    again.close()


def test_several_threads_use_a_new_database_concurrently(url: str, tmp_path: Path) -> None:
    def write(database: Database, ready: Barrier) -> None:
        ready.wait()
        with database.write():
            pass

    for _ in range(20):
        database, ready = Database(url, tmp_path), Barrier(4)
        with ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(write, database, ready) for _ in range(4)]:
                done.result()
        database.close()


def test_several_processes_create_the_tables_concurrently(url: str, tmp_path: Path) -> None:
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


def test_a_database_of_an_unknown_version_is_refused(database: Database, url: str) -> None:
    with database.write() as connection:
        connection.execute(text("UPDATE about SET value = '99'"))
    other = Database(url)
    told = rf"another version of wikicrawler \(schema 99, not {VERSION}\)"
    with pytest.raises(StoreError, match=told), other.write():
        pass
    other.close()


def test_a_failed_transaction_is_rolled_back(database: Database) -> None:
    with suppress(ZeroDivisionError), database.write() as connection:
        add_attempts(connection, 1, [(1, attempt())])
        raise ZeroDivisionError
    with database.read() as connection:
        assert list(find_attempts(connection)) == []


def test_a_reader_does_not_wait_for_a_writer(database: Database) -> None:
    with database.write() as writing:
        add_attempts(writing, 1, [(1, attempt())])
        with Database(str(database._url), database._folder).read() as connection:
            assert list(find_attempts(connection)) == []


def test_a_reader_sees_the_database_as_it_was_at_its_start(database: Database) -> None:
    with database.read() as connection:
        assert list(find_attempts(connection)) == []
        with Database(str(database._url), database._folder).write() as writing:
            add_attempts(writing, 1, [(1, attempt())])
        assert list(find_attempts(connection)) == []


def test_a_removed_file_is_created_again(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite"
    database = Database(f"sqlite:///{file}")
    with database.write():
        pass
    file.unlink()
    with database.write() as connection:
        add_attempts(connection, 1, [(1, attempt())])
    with Database(f"sqlite:///{file}").read() as connection:
        assert len(list(find_attempts(connection))) == 1


def test_a_read_only_database_is_not_created(url: str, tmp_path: Path) -> None:
    database = Database(url, tmp_path, read_only=True)
    assert not database.has_tables()
    with pytest.raises(StoreError), database.read():
        pass
    assert not database.has_tables()
    database.close()
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_database_can_be_read_but_not_written(database: Database, url: str) -> None:
    with database.write() as connection:
        add_attempts(connection, 1, [(1, attempt())])
    reader = Database(url, read_only=True)
    with reader.read() as connection:
        assert len(list(find_attempts(connection))) == 1
    with pytest.raises(StoreError), reader.write() as connection:
        add_attempts(connection, 1, [(2, attempt())])
    reader.close()


def test_a_read_only_database_is_not_upgraded(database: Database, url: str) -> None:
    with database.write() as connection:
        connection.execute(text("UPDATE about SET value = '1'"))
    reader = Database(url, read_only=True)
    told = r"has tables of an older version \(schema 1\): the next crawl that records makes them"
    with pytest.raises(StoreError, match=told), reader.read():
        pass
    reader.close()


def test_a_file_of_any_name_can_be_opened_read_only(tmp_path: Path) -> None:
    file = tmp_path / "50%20of #1 für.sqlite"
    with Database(f"sqlite:///{file}").write():
        pass
    with Database(f"sqlite:///{file}", read_only=True).read() as connection:
        assert list(find_attempts(connection)) == []


def test_the_default_is_in_the_projects_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    database = Database.from_settings(project_settings())
    assert str(database) == str(tmp_path / ".scrapy" / "wikicrawler.sqlite")
    assert not Path(str(database)).exists()


def test_the_database_of_the_setting_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    named = project_settings(WIKICRAWLER_DATABASE_URL="sqlite:///own.sqlite")
    assert str(Database.from_settings(named)) == str(tmp_path / "own.sqlite")
