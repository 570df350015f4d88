"""A database as a program with schema 1 creates it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import create_engine

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SQLITE = {"double": "DOUBLE", "end": " WITHOUT ROWID"}
_POSTGRES = {"double": "DOUBLE PRECISION", "end": ""}

_TABLES = """
CREATE TABLE about (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name));
CREATE TABLE attempts (
    run BIGINT NOT NULL, seq INTEGER NOT NULL, at {double} NOT NULL, url TEXT NOT NULL,
    domain TEXT NOT NULL, registered_domain TEXT NOT NULL, suffix TEXT NOT NULL,
    shape TEXT NOT NULL, scheme TEXT NOT NULL, wiki TEXT NOT NULL, configured TEXT NOT NULL,
    tier TEXT NOT NULL, ok BOOLEAN NOT NULL, reason TEXT NOT NULL, final BOOLEAN NOT NULL,
    is_banned BOOLEAN NOT NULL, status INTEGER, latency {double}, size INTEGER,
    cost {double} NOT NULL, policy TEXT NOT NULL, propensity {double}, step INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
){end};
CREATE INDEX attempts_of_site ON attempts (registered_domain, at);
CREATE INDEX attempts_in_time ON attempts (at);
CREATE INDEX attempts_of_domain ON attempts (domain, at);
CREATE TABLE runs (
    run BIGINT NOT NULL, spider TEXT NOT NULL, started {double} NOT NULL, ended {double},
    begun INTEGER, lost INTEGER, PRIMARY KEY (run)
){end};
CREATE TABLE attempt_heuristics (
    run BIGINT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, phase TEXT NOT NULL,
    value TEXT NOT NULL, PRIMARY KEY (run, seq, type),
    FOREIGN KEY(run, seq) REFERENCES attempts (run, seq) ON DELETE CASCADE
){end};
CREATE INDEX heuristics_by_value ON attempt_heuristics (type, value);
INSERT INTO about (name, value) VALUES ('schema_version', '1');
"""

_ROWS = """
INSERT INTO runs (run, spider, started, ended, begun, lost) VALUES ({run}, 'old', 1, 2, 1, 0);
INSERT INTO attempts (run, seq, at, url, domain, registered_domain, suffix, shape, scheme, wiki,
    configured, tier, ok, reason, final, is_banned, status, latency, size, cost, policy,
    propensity, step)
VALUES ({run}, 1, 1800000000.0, 'https://old.example.org/{run}', 'old.example.org', 'example.org',
    '', '/*', 'https', 'page', 'http', 'http', true, 'ok', false, false, 200, 0.25, 99, 1.0,
    'static', 1.0, 1);
INSERT INTO attempt_heuristics (run, seq, type, phase, value)
VALUES ({run}, 1, 'server', 'after', 'nginx');
"""


def make(url: str) -> None:
    """Create the database at *url*, with an attempt of run 1."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        kind = _SQLITE if engine.dialect.name == "sqlite" else _POSTGRES
        _execute(connection, _TABLES.format(**kind))
        write(connection, 1)
    engine.dispose()


def write(connection: Connection, run: int) -> None:
    """Record an attempt of *run*."""
    _execute(connection, _ROWS.format(run=run))


def _execute(connection: Connection, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement)
