"""A server that answers as a test scripts it and notes when.

::

    with ScriptedServer() as server:
        server.on("/a", Reply(429, {"Retry-After": "1"}), Reply(body="<p>well</p>"))
        ...crawl server.url("/a") twice...
        assert [x.status for x in server.exchanges] == [429, 200]
        assert min(server.gaps()) >= 1.0

The replies of a path are given in turn and the last one for ever; a path without replies answers
404. Query strings belong to the path if they were scripted, else they are ignored.
"""

from __future__ import annotations

import socket
import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from time import monotonic, sleep
from typing import TYPE_CHECKING, Self

from tests.servers.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class Reply:
    """One answer; it waits *delay* seconds and until *held* is set. *drop* resets the connection
    instead."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | bytes = "<!doctype html><title>Page</title><p>Text."
    delay: float = 0.0
    drop: bool = False
    held: threading.Event | None = None


@dataclass
class Exchange:
    """One request as the server saw it; times are of ``time.monotonic()``."""

    method: str
    path: str  # with the query
    headers: Mapping[str, str]
    body: bytes
    start: float
    end: float = float("inf")
    status: int | None = None  # None where the connection was dropped


class ScriptedServer(Serving):
    """Context manager; *host* may be any address of this machine (``127.0.0.2`` is another)."""

    def __init__(self, host: str = "127.0.0.1", name: str | None = None) -> None:
        self.exchanges: list[Exchange] = []
        self._lock = threading.Lock()
        self._scripts: dict[str, Iterator[Reply]] = {}
        self._http = _Http((host, 0), _Handler)
        self._http.scripted = self
        self.netloc = f"{name or host}:{self._http.server_port}"

    def url(self, path: str) -> str:
        return f"http://{self.netloc}{path}"

    def on(self, path: str, *replies: Reply) -> Self:
        """Script *path*; without replies it answers 200 with a small page."""
        self._scripts[path] = _in_turn(replies or (Reply(),))
        return self

    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [x.path for x in self.exchanges]

    def gaps(self) -> list[float]:
        """Seconds from the end of each answer to the arrival of the next request."""
        return [b.start - a.end for a, b in pairwise(self.exchanges)]

    def reply_to(self, exchange: Exchange) -> Reply:
        """The answer to the request of *exchange*."""
        return self.next_reply(exchange.path)

    def next_reply(self, path: str) -> Reply:
        with self._lock:
            script = self._scripts.get(path) or self._scripts.get(path.partition("?")[0])
            return next(script) if script else Reply(404, body="not here")


def _in_turn(replies: tuple[Reply, ...]) -> Iterator[Reply]:
    yield from replies
    while True:
        yield replies[-1]


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    scripted: ScriptedServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    # Headers and body in one segment: Nagle's algorithm and delayed ACKs would cost 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def _answer(self) -> None:
        server = self.server.scripted
        exchange = Exchange(self.command, self.path, dict(self.headers.items()), b"", monotonic())
        server.exchanges.append(exchange)
        exchange.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        reply = server.reply_to(exchange)
        if reply.delay:
            sleep(reply.delay)
        if reply.held is not None:
            reply.held.wait()
        if reply.drop:
            exchange.end = monotonic()
            self._reset()
            return
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body))}
        for name, value in (headers | dict(reply.headers)).items():
            self.send_header(name, value)
        self.end_headers()
        # Before the client can have it, so that no gap looks shorter than the client made it.
        exchange.end, exchange.status = monotonic(), reply.status
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _reset(self) -> None:
        self.close_connection = True
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The exchanges are the log."""
