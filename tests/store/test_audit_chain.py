"""The audit log is one chain, and the database refuses to change it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from tests.audit.samples import RUN, operation, outcome, start, write
from wikicrawler.audit.anchor import Anchor
from wikicrawler.audit.verification import verify
from wikicrawler.errors import StoreError
from wikicrawler.store.audit_chain import KeptResponse, count, head, kept_response, links
from wikicrawler.store.audit_queries import Wanted, find
from wikicrawler.store.audit_triggers import missing_triggers
from wikicrawler.store.chain_text import GENESIS
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from tests.servers.postgres import RealPostgres

ROOT = Path(__file__).parents[2]


def faults(database: Database) -> list[str]:
    with database.read() as connection:
        return verify(connection, with_sums=True).faults


def refused(database: Database, statement: str) -> bool:
    """Return whether the triggers refuse *statement*."""
    said = ""
    try:
        with database.write() as connection:
            connection.execute(text(statement))
    except (SQLAlchemyError, StoreError) as error:
        said = str(error)
    return "append-only" in said or "continue the chain" in said


@pytest.fixture
def filled(database: Database) -> Database:
    write(database, start(), operation(2), operation(3, status=503), outcome(4, of=2))
    return database


def test_the_chain_is_sound_and_dense(filled: Database) -> None:
    with filled.read() as connection:
        (rows,) = links(connection)
        assert [row[0] for row in rows] == [1, 2, 3, 4]
        assert rows[0][2] == GENESIS
        assert head(connection) == (4, rows[3][3])
    assert faults(filled) == []


def test_an_outcome_names_its_operation(filled: Database) -> None:
    with filled.read() as connection:
        found = {one.fields["sequence"]: one for one in find(connection, Wanted())}
    assert found[2].outcome is not None
    assert (found[2].outcome["of_sequence"], found[2].outcome["of_hash"]) == (2, found[2].hash)
    assert found[3].outcome is None


def test_the_outcome_of_an_operation_of_an_earlier_batch_names_it(filled: Database) -> None:
    write(filled, outcome(5, of=3))
    with filled.read() as connection:
        (found,) = find(connection, Wanted(failed=True))
    assert found.outcome is not None
    assert found.outcome["of_sequence"] == 3


def test_what_is_written_twice_is_there_once(filled: Database) -> None:
    write(filled, operation(3, status=503), outcome(4, of=2), operation(5))
    with filled.read() as connection:
        assert count(connection) == 5
    assert faults(filled) == []


def test_a_transaction_that_fails_leaves_no_gap(filled: Database) -> None:
    with pytest.raises(KeyError):
        write(filled, operation(5), outcome(6, of=700))
    write(filled, operation(5))
    assert faults(filled) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET text = '{}'",
        "UPDATE audit SET hash = 'x' WHERE seq = 2",
        "DELETE FROM audit WHERE seq = 4",
        "DELETE FROM audit",
        "INSERT INTO audit (seq, text, prev_hash, hash) VALUES (5, '{}', 'x', 'x')",
        "INSERT INTO audit (seq, text, prev_hash, hash) VALUES (9, '{}', "
        "(SELECT hash FROM audit WHERE seq = 4), 'x')",
        "INSERT INTO audit (seq, text, prev_hash, hash) SELECT seq, text, prev_hash, hash "
        "FROM audit WHERE seq = 4",
    ],
)
def test_rows_cannot_be_changed_or_deleted_or_put_elsewhere(
    filled: Database, statement: str
) -> None:
    assert refused(filled, statement)
    assert faults(filled) == []


@pytest.mark.parametrize("database_kind", ["sqlite"])
@pytest.mark.parametrize(
    "statement",
    [
        "REPLACE INTO audit (seq, text, prev_hash, hash) SELECT seq, '{}', prev_hash, hash "
        "FROM audit WHERE seq = 2",
        # the same run and number at the end of the chain: would delete the row 2
        "REPLACE INTO audit (seq, text, prev_hash, hash) SELECT 5, text, "
        "(SELECT hash FROM audit WHERE seq = 4), 'x' FROM audit WHERE seq = 2",
        "INSERT INTO audit (seq, text, prev_hash, hash) SELECT seq, text, prev_hash, hash "
        "FROM audit WHERE seq = 2 ON CONFLICT DO UPDATE SET text = '{}'",
        "UPDATE OR REPLACE audit SET seq = 2 WHERE seq = 3",
    ],
)
def test_sqlite_replaces_no_row(tmp_path: Path, database_kind: str, statement: str) -> None:
    database = Database(f"{database_kind}:///{tmp_path}/db.sqlite")
    write(database, start(), operation(2), operation(3), operation(4))
    assert refused(database, statement)
    assert faults(database) == []
    database.close()


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE audit",
        "TRUNCATE audit CASCADE",
        "SET session_replication_role = replica; DELETE FROM audit",
        "SET session_replication_role = replica; UPDATE audit SET text = '{}'",
        "SET session_replication_role = replica; TRUNCATE audit",
    ],
)
def test_postgresql_refuses_truncate_and_what_a_replica_does(
    postgres: RealPostgres, tmp_path: Path, statement: str
) -> None:
    database = Database(postgres.empty_database(), tmp_path)
    write(database, start(), operation(2))
    assert refused(database, statement)
    assert faults(database) == []
    database.close()


def test_a_trigger_that_is_gone_is_noticed(filled: Database) -> None:
    with filled.write() as connection:
        on = "" if connection.dialect.name == "sqlite" else " ON audit"
        connection.execute(text(f"DROP TRIGGER audit_no_update{on}"))
    with filled.read() as connection:
        assert missing_triggers(connection) == ["audit_no_update"]
    assert faults(filled) == ["trigger audit_no_update: missing, disabled or changed: rows can be "
                              "changed"]  # fmt: skip


TAMPERING = {
    "a text": (
        "UPDATE audit SET text = replace(text, '\"http_status\":503', '\"http_status\":200')",
        "record 3: was changed",
    ),
    "a hash": ("UPDATE audit SET hash = 'x' WHERE seq = 2", "record 2: was changed"),
    "a link": (
        "UPDATE audit SET prev_hash = 'x' WHERE seq = 3",
        "record 3: does not follow",
    ),
    "a row in the middle": ("DELETE FROM audit WHERE seq = 2", "record 2: missing"),
    "the first row": ("DELETE FROM audit WHERE seq = 1", "record 1: missing"),
}


@pytest.mark.parametrize("name", TAMPERING)
def test_what_is_changed_without_the_triggers_is_found(filled: Database, name: str) -> None:
    statement, fault = TAMPERING[name]
    tamper(filled, statement)
    assert faults(filled)[0].startswith(fault)


def tamper(database: Database, statement: str) -> None:
    """Execute *statement* as who owns the database can."""
    with database.write() as connection:
        if connection.dialect.name == "sqlite":
            for name in ("audit_no_update", "audit_no_delete"):
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("ALTER TABLE audit DISABLE TRIGGER ALL"))
        connection.exec_driver_sql(statement)


def test_an_end_that_was_cut_off_is_found_by_an_anchor(filled: Database) -> None:
    with filled.read() as connection:
        anchor = Anchor(*head(connection), "2026-02-13")
        assert verify(connection, [anchor]).anchors == 1
    tamper(filled, "DELETE FROM audit WHERE seq = 4")
    with filled.read() as connection:
        assert any("end of the chain was removed" in f for f in verify(connection, [anchor]).faults)


def test_sums_that_were_changed_are_found(filled: Database) -> None:
    with filled.write() as connection:
        connection.execute(text("UPDATE audit_sums SET failures = 0"))
    assert faults(filled) == [
        "sums of 2026-02: differ from the records",
        "sums of 2026-02: differ from the records",
        "sums of 2026-02-13: differ from the records",
        "sums of 2026-02-13: differ from the records",
    ]


def test_a_crawl_without_an_end_is_listed(filled: Database) -> None:
    with filled.read() as connection:
        assert verify(connection).unfinished == [RUN]


def test_the_response_of_a_failure_is_kept_beside_the_log(database: Database) -> None:
    kept = KeptResponse([("server", "x")], b"\x00<p>no", 9)
    write(database, start(), operation(2, status=503, response=kept))
    with database.read() as connection:
        assert kept_response(connection, RUN, 2) == kept
        assert kept_response(connection, RUN, 1) is None


WRITER = """
import sys
from uuid import uuid4
from tests.audit.samples import operation, start
from wikicrawler.errors import StoreError
from wikicrawler.store.audit_chain import append
from wikicrawler.store.database import Database

database, run = Database(sys.argv[1]), str(uuid4())
sys.stdin.readline()
for batch in range(20):
    entries = [operation(batch * 5 + n, run) for n in range(1, 6)]
    while True:
        try:
            with database.write() as connection:
                append(connection, run, entries)
        except StoreError:  # locked for longer than it waits
            continue
        break
"""


def test_several_processes_write_one_chain(url: str, database: Database) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", WRITER, url], stdin=subprocess.PIPE, cwd=ROOT)
        for _ in range(4)
    ]
    for process in started:
        assert process.stdin
        process.stdin.close()
    assert [process.wait(120) for process in started] == [0] * 4
    with database.read() as connection:
        assert count(connection) == 400
    assert faults(database) == []
