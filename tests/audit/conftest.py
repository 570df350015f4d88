"""A database for the tests of the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path}/db.sqlite")
    yield opened
    opened.close()
