"""What queries count with is there however SQLite was built."""

from __future__ import annotations

import sqlite3

from wikicrawler.store import mathematics


class WithoutMathematics(sqlite3.Connection):
    """SQLite as some build it."""

    def execute(self, statement: str, *parameters: object) -> sqlite3.Cursor:
        if statement.startswith(("SELECT power(", "SELECT floor(")):
            raise sqlite3.OperationalError("no such function")
        return super().execute(statement, *parameters)


def given(connection: sqlite3.Connection) -> set[str]:
    """The functions that are not SQLite's own."""
    query = "SELECT name FROM pragma_function_list WHERE NOT builtin"
    return {name for (name,) in connection.execute(query)}


def test_missing_functions_are_defined() -> None:
    connection = WithoutMathematics(":memory:")
    before = given(connection)
    mathematics.complete(connection)
    assert given(connection) - before == {"power", "floor"}
    query = "VALUES (power(2, -1), floor(-1.5))"
    assert connection.execute(query).fetchone() == (0.5, -2)


def test_existing_functions_are_kept() -> None:
    connection = sqlite3.connect(":memory:")
    connection.create_function("power", 2, lambda *_: 7)
    mathematics.complete(connection)
    assert connection.execute("SELECT power(2, 1)").fetchone() == (7,)
