"""Mathematical functions of our queries, which SQLite has only as a build option."""

from __future__ import annotations

import math
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_FUNCTIONS: dict[str, tuple[int, Callable[..., float]]] = {
    "power": (2, math.pow),
    "floor": (1, math.floor),
}


def complete(connection: sqlite3.Connection) -> None:
    """Define the functions that *connection* lacks."""
    for name, (count, function) in _FUNCTIONS.items():
        try:
            connection.execute(f"SELECT {name}({', '.join('1' * count)})")
        except sqlite3.OperationalError:
            connection.create_function(name, count, function, deterministic=True)
