"""The public suites, by name; ``tests/data/suites/README.md`` says where they are from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "suites"


def suite(name: str) -> list[Any]:
    """The cases of a suite."""
    cases: list[Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return cases
