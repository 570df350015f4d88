"""A scripted model and a scripted site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fields.scraper.scraping import KEY
from tests.servers.openai_model import ScriptedModel
from tests.servers.scripted import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel([KEY]) as server:
        yield server


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server
