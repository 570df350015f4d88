"""Names of processes that share a database."""

from __future__ import annotations

import os
import socket
from itertools import count
from pathlib import Path

_PARTS = count(1)


def own_name() -> str:
    """Return a name of this process that no other process has: host, process id, start."""
    return f"{_host()}/{os.getpid()}/{_started(os.getpid())}"


def own_part() -> str:
    """Return a name of a part of this process that no other part has. Parts have ended at the
    latest when the process has."""
    return f"{own_name()}#{next(_PARTS)}"


def is_gone(owner: str) -> bool:
    """Return whether the process *owner* is known to have ended: it is of this host, and no
    process has its id and start. *owner* may be the name of a part of a process."""
    rest, _, started = owner.partition("#")[0].rpartition("/")
    host, _, pid = rest.rpartition("/")
    if host != _host() or not pid.isdecimal():
        return False
    return _started(int(pid)) != started


def _host() -> str:
    """Return the name of this machine, with its namespace of process ids where there are some:
    containers may have the same name, and each has a process 1."""
    host = socket.gethostname()
    try:
        return f"{host}:{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return host


def _started(pid: int) -> str:
    """Return when the process *pid* started, in ticks since the boot; empty if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        return stat.rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        pass
    return "0"  # without /proc the id alone counts
