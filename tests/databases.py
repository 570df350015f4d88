"""Fixtures for tests that read a database of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that does not exist yet, or is empty."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/some/where/db.sqlite"
    return request.getfixturevalue("postgres").empty_database()


@pytest.fixture
def database(url: str, tmp_path: Path) -> Iterator[Database]:
    opened = Database(url, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def reader(url: str, tmp_path: Path) -> Iterator[Database]:
    """The same database, as those open it who only read."""
    opened = Database(url, tmp_path, read_only=True)
    yield opened
    opened.close()
