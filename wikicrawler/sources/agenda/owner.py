"""Names of processes that visit sources."""

from __future__ import annotations

import os
import socket
from pathlib import Path


def own_name() -> str:
    """Return a name of this process that no other process has: host, process id, start."""
    return f"{socket.gethostname()}/{os.getpid()}/{_started(os.getpid())}"


def is_gone(owner: str) -> bool:
    """Return whether the process *owner* is known to have ended: it is of this host, and no
    process has its id and start."""
    host, _, rest = owner.rpartition("/")[0].rpartition("/")
    started = owner.rpartition("/")[2]
    if host != socket.gethostname() or not rest.isdecimal():
        return False
    return _started(int(rest)) != started


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
