"""Mathematical functions exist in every build of SQLite."""

from __future__ import annotations

import sqlite3

from wikicrawler.store import mathematics


class WithoutMathematics(sqlite3.Connection):
    """A build of SQLite without mathematical functions."""

    def execute(self, statement: str, *parameters: object) -> sqlite3.Cursor:
        if statement.startswith(("SELECT power(", "SELECT floor(")):
            raise sqlite3.OperationalError("no such function")
        return super().execute(statement, *parameters)


def defined(connection: sqlite3.Connection) -> set[str]:
    """Return the functions that are not built into SQLite."""
    query = "SELECT name FROM pragma_function_list WHERE NOT builtin"
    return {name for (name,) in connection.execute(query)}


def test_missing_functions_are_defined() -> None:
    connection = WithoutMathematics(":memory:")
    before = defined(connection)
    mathematics.complete(connection)
    assert defined(connection) - before == {"power", "floor"}
    query = "VALUES (power(2, -1), floor(-1.5))"
    assert connection.execute(query).fetchone() == (0.5, -2)


def test_existing_functions_are_kept() -> None:
    connection = sqlite3.connect(":memory:")
    connection.create_function("power", 2, lambda *_: 7)
    mathematics.complete(connection)
    assert connection.execute("SELECT power(2, 1)").fetchone() == (7,)
