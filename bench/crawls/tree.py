"""What a program and all its descendants cost: time on the clock and on the CPU, memory."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_INTERVAL = 0.5  # seconds between looks at the memory; each costs some milliseconds


@dataclass
class Cost:
    """Of a finished program."""

    exit_code: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    """User and system, of every process that was waited for by its parent."""
    peak_pss: int = 0
    """Bytes: proportional set size, which counts what processes share once, summed up."""
    peak_rss: int = 0
    """Bytes: resident set size, summed up."""
    peaks: dict[str, int] = field(default_factory=dict)
    """Highest resident set size in bytes of one process by its role."""
    started: float = 0.0
    ended: float = 0.0
    """UNIX times."""
    left: int = 0
    """Descendants that outlived the program and were ended; their CPU time is not counted."""


def run(
    command: Sequence[str],
    *,
    output: Path,
    environment: Mapping[str, str],
    cwd: Path,
    timeout: float,
    role: Callable[[str], str] = lambda command_line: "main",
) -> Cost:
    """Run *command* to its end, its output to the file *output*, and measure it.

    *role* names a process by its command line (arguments separated by NUL) for :attr:`Cost.peaks`.
    After *timeout* seconds it is killed, and has the exit code -9.
    """
    cost = Cost(started=time.time())
    begin = time.monotonic()
    with output.open("ab") as out:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            cwd=cwd,
            start_new_session=True,
        )
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(process.pid, role, cost, done, timeout))
    watcher.start()
    # Not Popen.wait: wait4 alone tells what this child, with those it waited for, has used.
    _, status, used = os.wait4(process.pid, 0)
    cost.seconds, cost.ended = time.monotonic() - begin, time.time()
    process.returncode = cost.exit_code = os.waitstatus_to_exitcode(status)
    cost.cpu_seconds = used.ru_utime + used.ru_stime
    done.set()
    watcher.join()
    left = _members(process.pid)
    cost.left = len(left)
    _kill(left)
    while _members(process.pid):
        time.sleep(0.01)
    return cost


def _kill(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _watch(
    root: int, role: Callable[[str], str], cost: Cost, done: threading.Event, timeout: float
) -> None:
    give_up = time.monotonic() + timeout
    while not done.wait(_INTERVAL):
        members = _members(root)
        pss = rss = 0
        for pid in members:
            own_rss, own_pss = memory(pid)
            rss, pss = rss + own_rss, pss + own_pss
            name = role(_read(pid, "cmdline"))
            cost.peaks[name] = max(cost.peaks.get(name, 0), own_rss)
        cost.peak_pss, cost.peak_rss = max(cost.peak_pss, pss), max(cost.peak_rss, rss)
        if time.monotonic() > give_up:
            _kill(members)


def memory(pid: int) -> tuple[int, int]:
    """Resident and proportional set size in bytes; 0 of a process that is gone or not ours."""
    sizes = {}
    for line in _read(pid, "smaps_rollup").splitlines()[1:]:
        name, _, rest = line.partition(":")
        sizes[name] = int(rest.split()[0]) * 1024 if rest else 0
    return sizes.get("Rss", 0), sizes.get("Pss", 0)


def _members(root: int) -> list[int]:
    """The living processes of the session that *root* leads, and their descendants."""
    sessions, parents = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        # "pid (name) state ppid pgrp session …", and a name may hold anything
        fields = _read(int(entry.name), "stat").rpartition(")")[2].split()
        if len(fields) > 3 and fields[0] not in "ZX":
            parents[int(entry.name)], sessions[int(entry.name)] = int(fields[1]), int(fields[3])
    members = {pid for pid, session in sessions.items() if session == root}
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in members} - members
        members |= more
        grown = bool(more)
    return sorted(members)


def _read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text("utf-8", "replace")
    except OSError:
        return ""
