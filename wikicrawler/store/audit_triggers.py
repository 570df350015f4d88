"""Triggers that make the table ``audit`` append-only.

They refuse UPDATE, DELETE and (PostgreSQL) TRUNCATE, and each INSERT that does not continue the
chain. The latter also stops SQLite's REPLACE, which deletes rows without their triggers. In
PostgreSQL the triggers fire in sessions with ``session_replication_role = replica`` too.

Who owns the database can drop the triggers. :func:`missing_triggers` notices that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import DDL, event, text

from wikicrawler.store.audit_tables import audit
from wikicrawler.store.chain_text import GENESIS

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.schema import ExecutableDDLElement

_REFUSED = "the audit log is append-only"
_NO_LINK = "the audit record does not continue the chain"

_SQLITE = {
    "audit_no_update": f"""
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END""",
    "audit_no_delete": f"""
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END""",
    # The rows that a REPLACE would delete are those of the same seq, or of the same run and number.
    "audit_chain": f"""
CREATE TRIGGER audit_chain BEFORE INSERT ON audit
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM audit)
  OR NEW.prev_hash IS NOT
    coalesce((SELECT hash FROM audit WHERE seq = NEW.seq - 1), '{GENESIS}')
  OR EXISTS (SELECT 1 FROM audit WHERE run = json_extract(NEW.text, '$.run_id')
    AND number = json_extract(NEW.text, '$.number'))
BEGIN SELECT RAISE(ABORT, '{_NO_LINK}'); END""",  # noqa: S608 - our own words
}

_FUNCTIONS = (
    f"""
CREATE FUNCTION wikicrawler_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN RAISE EXCEPTION ''{_REFUSED}''; END'""",
    f"""
CREATE FUNCTION wikicrawler_audit_chain() RETURNS trigger LANGUAGE plpgsql AS
'DECLARE head record;
BEGIN
  SELECT seq, hash INTO head FROM audit ORDER BY seq DESC LIMIT 1;
  IF NEW.seq IS DISTINCT FROM coalesce(head.seq, 0) + 1
    OR NEW.prev_hash IS DISTINCT FROM coalesce(head.hash, ''{GENESIS}'') THEN
    RAISE EXCEPTION ''{_NO_LINK}'';
  END IF;
  RETURN NEW;
END'""",  # noqa: S608 - our own words
)
_POSTGRESQL = {
    "audit_no_update": """
CREATE TRIGGER audit_no_update BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION wikicrawler_audit_refuse()""",
    "audit_no_truncate": """
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit
FOR EACH STATEMENT EXECUTE FUNCTION wikicrawler_audit_refuse()""",
    "audit_chain": """
CREATE TRIGGER audit_chain BEFORE INSERT ON audit
FOR EACH ROW EXECUTE FUNCTION wikicrawler_audit_chain()""",
}


def _install() -> None:
    for statement in _SQLITE.values():
        event.listen(audit, "after_create", _of_dialect(statement, "sqlite"))
    always = [f"ALTER TABLE audit ENABLE ALWAYS TRIGGER {name}" for name in _POSTGRESQL]
    drop = [
        f"DROP FUNCTION IF EXISTS wikicrawler_audit_{name}() CASCADE"
        for name in ("refuse", "chain")
    ]
    for statement in (*drop, *_FUNCTIONS, *_POSTGRESQL.values(), *always):
        event.listen(audit, "after_create", _of_dialect(statement, "postgresql"))


def _of_dialect(statement: str, dialect: str) -> ExecutableDDLElement:
    ddl = DDL(statement.strip().replace("%", "%%"))  # type: ignore[no-untyped-call]
    return ddl.execute_if(dialect=dialect)


def missing_triggers(connection: Connection) -> list[str]:
    """Return the names of triggers of the log that are missing or disabled."""
    if connection.dialect.name == "sqlite":
        needed = {name: one.strip() for name, one in _SQLITE.items()}
        rows = connection.execute(
            text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :t"),
            {"t": audit.name},
        )
        found = {name: sql for name, sql in rows}  # noqa: C416 - rows are not pairs to mypy
        return [name for name, sql in needed.items() if found.get(name) != sql]
    rows = connection.execute(
        text(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(:t) AND tgenabled = 'A' "
            "AND NOT tgisinternal"
        ),
        {"t": audit.name},
    )
    enabled = {name for (name,) in rows}
    return [name for name in _POSTGRESQL if name not in enabled]


_install()
