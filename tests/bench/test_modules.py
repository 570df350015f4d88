"""The benchmarks that the tests do not run."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

MODULES = sorted(path.stem for path in (Path(__file__).parents[2] / "bench").glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_can_be_imported(name: str) -> None:
    import_module(f"bench.{name}")
