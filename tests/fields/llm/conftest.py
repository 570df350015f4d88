"""A scripted model with three keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fields.llm.asking import ONE, THREE, TWO
from tests.servers.openai_model import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel([ONE, TWO, THREE]) as server:
        yield server
