"""A project whose crawl failed, made once for all screens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.screens.failing import crawl_failing, hostile_site

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def failed_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a project after a crawl that failed in several ways, to be copied."""
    folder = tmp_path_factory.mktemp("failed") / "project"
    with hostile_site() as server:
        crawl_failing(folder, server)
    return folder
