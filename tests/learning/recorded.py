"""A database in which crawls record what they do, and a site for them."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
ARTICLE = f"<!doctype html><html><head><title>Amber</title></head><body><main>{TEXT}</main></body>"
SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'


class Recorded:
    """The SQLite database in *file*."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.settings: dict[str, Any] = {
            "WIKICRAWLER_RECORD_ATTEMPTS": True,
            "WIKICRAWLER_DATABASE_URL": f"sqlite:///{file}",
        }

    def attempts(self, *columns: str) -> list[Any]:
        """Those columns of all attempts, in order; of a single column its values."""
        rows = self.rows(f"SELECT {', '.join(columns)} FROM attempts ORDER BY at")  # noqa: S608
        return [row[0] for row in rows] if len(columns) == 1 else rows

    def heuristics(self, phase: str = "after") -> dict[str, str]:
        """What was known of the only attempt in that *phase*, by type."""
        query = f"SELECT type, value FROM attempt_heuristics WHERE phase = '{phase}'"  # noqa: S608
        return dict(self.rows(query))

    def rows(self, query: str) -> list[Any]:
        connection = sqlite3.connect(self.file)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()
