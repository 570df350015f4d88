"""What the tests of the dashboard share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import cannot
from tests.servers.chromium import AXE, Chromium, missing
from tests.servers.dashboard import RealDashboard

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def dashboard(tmp_path: Path) -> Iterator[RealDashboard]:
    """A dashboard of an empty project."""
    with RealDashboard(tmp_path / "project") as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """A browser, for the tests of a module. It resolves ``evil.test`` to this machine."""
    if lacks := missing():
        cannot(f"needs {', '.join(lacks)}: run scripts/install-test-packages")
    with Chromium(hosts=["evil.test"]) as browser:
        yield browser


@pytest.fixture
def axe(chromium: Chromium) -> Chromium:
    """The browser, with axe-core at hand."""
    if not AXE.exists():
        cannot("needs axe-core: run scripts/install-test-axe")
    return chromium
