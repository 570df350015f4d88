"""One connection as the server sees it: any bytes, or none, and any end."""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

WORDS = "the words of an ordinary page"
"""What :data:`GOOD` has in its content."""
GOOD = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>A page</title></head><body>"
    f"<main><h1>A page</h1><p>These are {WORDS}, which anybody may read to its end.</p>"
    "<p>It has a second paragraph, so that nobody can doubt that it is one.</p></main>"
    "</body></html>"
)

_LONGEST = 2**20


@dataclass
class Request:
    """What a client asked for. One that sent no request has the method and path empty."""

    time: float  # by time.monotonic()
    method: str = ""
    path: str = ""  # with the query
    headers: Mapping[str, str] = field(default_factory=dict)  # lower-case names
    number: int = 0  # counts the fault's requests (robots.txt apart) from 1
    sent: int = 0  # bytes that were sent to it

    @cached_property
    def route(self) -> str:
        """The path without the query."""
        return self.path.partition("?")[0]

    @cached_property
    def params(self) -> dict[str, str]:
        """The query's parameters."""
        return dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))


class Connection:
    """What a row writes on. Every method raises OSError when the client has gone, which ends the
    row; after the row the connection is closed.

    In texts that are sent ``{origin}`` is the row's own ``http://address:port``, ``{netloc}``
    without the scheme, and ``{victim}`` the origin of a server that nobody may reach.
    """

    def __init__(self, sock: socket.socket, request: Request, names: Mapping[str, str]) -> None:
        self.socket = sock
        self._request = request
        self._names = names

    def send(self, data: bytes | str) -> None:
        """Send all of it, as it is."""
        raw = self.fill(data)
        self.socket.sendall(raw)
        self._request.sent += len(raw)

    def fill(self, data: bytes | str) -> bytes:
        """*data* with the names in it replaced."""
        raw = data.encode() if isinstance(data, str) else data
        for name, value in self._names.items():
            raw = raw.replace(b"{%s}" % name.encode(), value.encode())
        return raw

    def answer(
        self,
        status: int = 200,
        body: bytes | str = GOOD,
        headers: Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]] = (),
    ) -> None:
        """An ordinary answer with an ordinary length; *headers* replace the usual ones, and
        several may have one name."""
        own = list(headers.items() if hasattr(headers, "items") else headers)
        raw = self.fill(body)
        usual = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(raw)),
            "Connection": "close",
        }
        given = {name.lower() for name, _ in own}
        lines = [(n, v) for n, v in usual.items() if n.lower() not in given] + own
        head = b"HTTP/1.1 %d Whatever\r\n" % status
        for name, value in lines:
            head += name.encode() + b": " + (value if isinstance(value, bytes) else value.encode())
            head += b"\r\n"
        self.send(self.fill(head + b"\r\n") + raw)

    def reset(self) -> None:
        """End it with RST instead of FIN."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def stall(self) -> None:
        """Say nothing more, until the client goes."""
        while self.socket.recv(65536):
            pass

    def drip(self, data: bytes | str, every: float = 0.2) -> None:
        """Send byte by byte, *every* so many seconds."""
        for byte in self.fill(data):
            self.send(bytes((byte,)))
            time.sleep(every)

    def flood(self, chunk: bytes) -> None:
        """Send *chunk* again and again until the client has enough."""
        while True:
            self.send(chunk)


def read_request(sock: socket.socket) -> Request | None:
    """The next request on *sock*, without a body; None where there is none."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(65536)
        if not part or len(data) > _LONGEST:
            return None
        data += part
    first, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    headers = {n.strip().lower(): v.strip() for n, _, v in (x.partition(":") for x in lines)}
    return Request(time.monotonic(), method, rest.rpartition(" ")[0], headers)
