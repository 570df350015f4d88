"""What is counted of a program and its descendants."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from bench.crawls import tree

if TYPE_CHECKING:
    from pathlib import Path

SPIN = "import time\nwhile time.process_time() < 0.6: sum(range(1000))\n"
WITH_CHILD = f"""import os, subprocess, sys
subprocess.run([sys.executable, "-c", {SPIN!r}], check=True)
print(os.times().children_user + os.times().children_system, flush=True)
"""
WITH_MEMORY = """import time
block = bytearray(80_000_000)
time.sleep(2)  # some intervals of the watch, which begin when the memory is there
"""
LEAVES_ONE = """import subprocess, sys
print(subprocess.Popen(["sleep", "300"]).pid, flush=True)
"""


def run(code: str, output: Path, timeout: float = 60) -> tree.Cost:
    return tree.run(
        [sys.executable, "-c", code],
        output=output,
        environment=os.environ,
        cwd=output.parent,
        timeout=timeout,
        role=lambda line: "spinner" if "process_time" in line else "main",
    )


def test_the_time_of_a_grandchild_counts(tmp_path: Path) -> None:
    cost = run(WITH_CHILD, tmp_path / "output")
    told = float((tmp_path / "output").read_text())
    assert cost.exit_code == 0
    assert told >= 0.5
    assert cost.cpu_seconds >= told


def test_memory_is_that_of_all_processes(tmp_path: Path) -> None:
    cost = run(WITH_MEMORY, tmp_path / "output")
    assert cost.peak_rss >= 80_000_000
    assert cost.peak_pss >= 80_000_000
    assert cost.peaks["main"] >= 80_000_000


def test_what_outlives_the_program_is_told_and_ended(tmp_path: Path) -> None:
    cost = run(LEAVES_ONE, tmp_path / "output")
    assert cost.left == 1
    pid = int((tmp_path / "output").read_text())
    assert tree.memory(pid) == (0, 0)


def test_a_program_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    cost = run("import time; time.sleep(300)", tmp_path / "output", timeout=0.1)
    assert cost.exit_code == -9
