"""The sites that the tools read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.servers.scripted import ScriptedServer
from wikicrawler.demo.server import DemoWiki

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki
