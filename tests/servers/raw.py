"""A server that sends the bytes that a test gives it, well-formed or not.

::

    with RawServer({"/a": [b"HTTP/1.1 200 OK\\r\\n", b"X: y\\r\\n\\r\\n"]}) as server:
        ...crawl server.url("/a")...

Each path has the pieces of its one answer: bytes, or an iterable of bytes. A path that has none
has *default*, which is a 404. With *context* it speaks TLS.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from tests.servers.serving import Accepting

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Mapping

NOT_HERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def answer(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """A whole answer of HTML."""
    lines = (
        b"HTTP/1.1 " + status,
        b"Content-Type: text/html",
        b"Content-Length: %d" % len(body),
        b"Connection: close",
        *headers,
    )
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class RawServer(Accepting):
    """Context manager; *requests* are those that came, with their headers."""

    def __init__(
        self,
        answers: Mapping[str, Iterable[bytes | Iterable[bytes]]] | None = None,
        *,
        host: str = "127.0.0.1",
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.answers = dict(answers or {})
        self.default: Iterable[bytes | Iterable[bytes]] = (NOT_HERE,)
        self.requests: list[str] = []
        self._context = context
        self._socket = socket.create_server((host, 0))
        self.netloc = f"{host}:{self._socket.getsockname()[1]}"

    def url(self, path: str) -> str:
        return f"{'https' if self._context else 'http'}://{self.netloc}{path}"

    def paths(self) -> list[str]:
        """What was asked for, without robots.txt."""
        paths = [request.split(" ")[1] for request in self.requests]
        return [path for path in paths if path != "/robots.txt"]

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            request = b""
            while b"\r\n\r\n" not in request:
                received = connection.recv(65536)
                if not received:
                    return
                request += received
            self.requests.append(request.decode("latin-1"))
            path = self.requests[-1].split(" ")[1]
            for piece in self.answers.get(path, self.default):
                for portion in (piece,) if isinstance(piece, bytes) else piece:
                    connection.sendall(portion)
            connection.close()
