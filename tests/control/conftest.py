"""A project with a manifest, and somebody who steers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.control.steering import Project
from tests.databases import url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["project", "url"]


@pytest.fixture
def project(url: str, tmp_path: Path) -> Iterator[Project]:
    made = Project(url, tmp_path)
    yield made
    made.context.database.close()
