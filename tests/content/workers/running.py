"""Inspection of running worker processes, and a page that keeps one busy."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

# libxml2 compares each attribute with all previous ones, which takes minutes in a single C call.
# The `<` in the values keeps the tag from being recognised as too long.
ENDLESS = "<p " + " ".join(f"a{number}='<'" for number in range(400_000)) + ">x</p>"


def children(parent: int | None = None) -> set[int]:
    """Return the process ids of the workers of *parent*, by default of this process."""
    command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(parent or os.getpid())]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {
        int(line.split()[0])
        for line in listed.splitlines()
        if "wikicrawler.content.workers.worker" in line
    }


def cpu_seconds_of(pid: int) -> float:
    """Return the CPU time in seconds that the process has used."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_alive(pid: int) -> bool:
    """Return True if the process runs. A zombie does not."""
    try:
        return _stat(pid)[0] != "Z"
    except OSError:
        return False


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
