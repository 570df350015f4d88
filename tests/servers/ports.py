"""Ports for servers that cannot choose one themselves."""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress
from pathlib import Path

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST = 10_000


def free_port() -> int:
    """A free port of 127.0.0.1 that the system gives to nobody else.

    It is below those of outgoing connections and of servers at port 0, so nothing takes it before
    the server does, or while the server is stopped.
    """
    end = max(int(_RANGE.read_text("ascii").split()[0]), 2 * _LOWEST)
    while True:
        port = _LOWEST + secrets.randbelow(end - _LOWEST)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
