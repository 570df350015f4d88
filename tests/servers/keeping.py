"""A server that keeps its connections, and ends them as a test scripts it.

::

    with KeepingServer({"/b": ["reset"]}) as server:
        ...crawl server.url("/a"), then server.url("/b")...
        assert server.paths() == ["/a", "/b", "/b"]

Each path has the ends of its first requests: ``reset`` (RST) or ``close`` (FIN) without a byte of a
response, ``part`` (part of the status line, then FIN). All other requests are answered with a page.
With *context* it speaks TLS; it is a proxy, too: ``CONNECT`` opens a tunnel to itself.
"""

from __future__ import annotations

import socket
import struct
from collections import defaultdict
from contextlib import suppress
from itertools import count, pairwise
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from tests.servers.serving import Accepting

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Mapping

PAGE = b"<main><h1>Amber</h1>" + b"<p>Amber is fossilised tree resin.</p>" * 20 + b"</main>"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"


class Received(NamedTuple):
    """A request as the server saw it, at a time of ``time.monotonic()``."""

    time: float
    connection: int
    method: str
    path: str


class KeepingServer(Accepting):
    """Context manager."""

    def __init__(
        self,
        ends: Mapping[str, Iterable[str]] | None = None,
        *,
        host: str = "127.0.0.1",
        page: bytes = PAGE,
        context: ssl.SSLContext | None = None,
        tunnel: ssl.SSLContext | None = None,
    ) -> None:
        """
        :param context: of its own TLS
        :param tunnel: of the TLS in a tunnel
        """
        self.received: list[Received] = []
        self._page = page
        self._ends = {path: iter(kinds) for path, kinds in (ends or {}).items()}
        self._context, self._tunnel = context, tunnel
        self._numbers = count()
        self._socket = socket.create_server((host, 0))
        self.netloc = f"{host}:{self._socket.getsockname()[1]}"

    def url(self, path: str) -> str:
        return f"{'https' if self._context else 'http'}://{self.netloc}{path}"

    def paths(self) -> list[str]:
        """What was asked for, without robots.txt."""
        return [r.path for r in self._pages()]

    def connections(self) -> list[int]:
        """The number of the connection of each of :meth:`paths`, from 0."""
        names: dict[int, int] = defaultdict(lambda: len(names))
        return [names[r.connection] for r in self._pages()]

    def repeated_after(self, path: str) -> list[float]:
        """Seconds between the requests for *path*."""
        times = [r.time for r in self.received if r.path == path]
        return [b - a for a, b in pairwise(times)]

    def _pages(self) -> list[Received]:
        return [r for r in self.received if not r.path.endswith("/robots.txt")]

    def _serve(self, connection: socket.socket) -> None:
        number = next(self._numbers)
        with suppress(OSError):
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            while request := _read_head(connection):
                method, path, _ = request.split(" ", 2)
                if method == "CONNECT":
                    connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                    assert self._tunnel is not None
                    connection = self._tunnel.wrap_socket(connection, server_side=True)
                    continue
                self.received.append(Received(monotonic(), number, method, path))
                end = next(self._ends.get(path, iter(())), None)
                if end is not None:
                    _end(connection, end)
                    return
                head = HEAD % len(self._page)
                connection.sendall(head if method == "HEAD" else head + self._page)
        connection.close()


def _read_head(connection: socket.socket) -> str:
    head = b""
    while b"\r\n\r\n" not in head:
        received = connection.recv(65536)
        if not received:
            return ""
        head += received
    return head.decode("latin-1")


def _end(connection: socket.socket, kind: str) -> None:
    if kind == "part":
        connection.sendall(b"HTTP/1.")
    if kind == "reset":
        linger = struct.pack("ii", 1, 0)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    connection.close()
