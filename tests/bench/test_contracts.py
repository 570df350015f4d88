"""Scrapy's own tests accept our components, but for the differences that are listed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.contracts.__main__ import environment, unexpected

MODULE = "test_any.py"
UNREACHABLE = 3


@pytest.mark.parametrize(
    ("outcome", "listed", "found"),
    [
        ("passed", False, []),
        ("failed", True, []),
        ("skipped", True, []),
        ("failed", False, ["FAILS, and is not in differences.yml: test_any.py::a"]),
        ("passed", True, ["is in differences.yml, and PASSES: test_any.py::a"]),
        (None, True, ["is in differences.yml, and is no test of Scrapy's: test_any.py::a"]),
    ],
)
def test_what_the_command_reports(outcome: str | None, listed: bool, found: list[str]) -> None:
    outcomes = {} if outcome is None else {f"{MODULE}::a": outcome}
    differences = {f"{MODULE}::a": "it is meant"} if listed else {}
    assert unexpected(outcomes, differences, (MODULE,)) == found


def test_scrapys_tests_do_not_know_that_pytest_runs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    assert not [name for name in environment(Path("folder")) if name.startswith("PYTEST_")]


def test_scrapys_tests_without_a_server() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.contracts", "--quick"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == UNREACHABLE and os.environ.get("CI") != "true":
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
