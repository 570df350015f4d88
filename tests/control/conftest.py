"""A project with a manifest, and somebody who steers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.control.steering import Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that is empty, or does not exist yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/db.sqlite"
    return request.getfixturevalue("postgres").empty_database()


@pytest.fixture
def project(url: str, tmp_path: Path) -> Iterator[Project]:
    made = Project(url, tmp_path)
    yield made
    made.context.database.close()
