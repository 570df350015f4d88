"""The child processes of a process, and whether one has ended."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MODULES = b"wikicrawler.spiders.field_process", b"tests.fields.scraper.scripted_service"
SECONDS = 60.0
"""How long something that happens soon may take on a busy machine."""


def children_of(pid: int | None = None) -> list[int]:
    """The crawls that the process has started, zombies included."""
    parent = os.getpid() if pid is None else pid
    found = []
    for entry in Path("/proc").iterdir():
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if int(stat[1]) == parent and (any(one in line for one in _MODULES) or stat[0] == "Z"):
            found.append(int(entry.name))
    return found


def has_ended(pid: int) -> bool:
    """Whether the process ends soon."""
    return soon(lambda: not Path(f"/proc/{pid}").exists())


def soon(condition: Callable[[], object]) -> bool:
    """Wait until *condition* is true; False if it does not become so."""
    end = monotonic() + SECONDS
    while not condition():
        if monotonic() > end:
            return False
        sleep(0.02)
    return True
