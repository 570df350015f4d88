"""A server of documents: it serves ranges as RFC 9110 says, or breaks off as a test scripts it.

::

    with DocumentServer() as server:
        server.on("/a.pdf", Document(body, cut=50_000), Document(body))
        ...download server.url("/a.pdf")...
        assert [one.range for one in server.log] == ["", "bytes=50000-"]

The answers of a path are given in turn and the last one for ever; other paths answer 404.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.servers.serving import Accepting

if TYPE_CHECKING:
    from collections.abc import Mapping

_MODIFIED = "Fri, 03 Nov 2023 18:08:27 GMT"
_DATE = "Tue, 24 Nov 2026 12:00:00 GMT"


@dataclass(frozen=True)
class Document:
    """One answer.

    :param headers: replace those that the server would send; an empty value removes one
    :param ranges: False: ranges are ignored
    :param cut: bytes of the body after which the connection is closed
    :param hold: bytes of the body after which the server waits until it ends
    :param status: another status than that of the range
    """

    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    ranges: bool = True
    cut: int | None = None
    hold: int | None = None
    status: int | None = None
    etag: str = '"one"'


@dataclass
class Asked:
    """One request as the server saw it."""

    path: str
    headers: dict[str, str]
    sent: int = 0
    """Bytes of the body that were sent."""

    @property
    def range(self) -> str:
        return self.headers.get("range", "")


class DocumentServer(Accepting):
    """Context manager; *log* has the requests, without those for robots.txt."""

    def __init__(self) -> None:
        self.log: list[Asked] = []
        self.held = threading.Event()
        """Set when an answer has been sent up to its *hold*."""
        self._end = threading.Event()
        self._scripts: dict[str, list[Document]] = {}
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.netloc = f"127.0.0.1:{self._socket.getsockname()[1]}"

    def url(self, path: str) -> str:
        return f"http://{self.netloc}{path}"

    def on(self, path: str, *answers: Document) -> None:
        self._scripts[path] = list(answers)

    def ranges(self) -> list[str]:
        """The header Range of each request; empty without one."""
        return [one.range for one in self.log]

    def release(self) -> None:
        """Send the rest of what is held."""
        self._end.set()

    def __exit__(self, *exc: object) -> None:
        self._end.set()
        super().__exit__(*exc)

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            request = b""
            while b"\r\n\r\n" not in request:
                received = connection.recv(65536)
                if not received:
                    return
                request += received
            first, *lines = request.decode("latin-1").split("\r\n")
            headers = {
                name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
            }
            asked = Asked(first.split(" ")[1], headers)
            script = self._scripts.get(asked.path)
            if asked.path != "/robots.txt":
                self.log.append(asked)
            if script is None:
                script = [Document(b"not here", status=404)]
            self._answer(connection, asked, script.pop(0) if len(script) > 1 else script[0])

    def _answer(self, connection: socket.socket, asked: Asked, document: Document) -> None:
        status, body, extra = _part(document, asked)
        headers = {
            "Content-Type": "application/pdf",
            "Content-Length": str(len(body)),
            "ETag": document.etag,
            "Last-Modified": _MODIFIED,
            "Date": _DATE,
            "Connection": "close",
            **extra,
            **document.headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
        connection.sendall(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode("latin-1"))
        for end in (document.cut, document.hold, len(body)):
            if end is None:
                continue
            while asked.sent < min(end, len(body)):
                chunk = body[asked.sent : min(asked.sent + 16384, end)]
                connection.sendall(chunk)
                asked.sent += len(chunk)
            if end == document.cut:
                return
            if end == document.hold:
                self.held.set()
                self._end.wait(60)


def _part(document: Document, asked: Asked) -> tuple[int, bytes, dict[str, str]]:
    """The status, the body and the headers for the range of a request."""
    body, given = document.body, asked.range
    valid = asked.headers.get("if-range", document.etag) in {document.etag, _MODIFIED}
    if document.status is not None or not document.ranges or not given or not valid:
        return document.status or 200, body, {}
    first = int(given.removeprefix("bytes=").partition("-")[0])
    if first >= len(body):
        return 416, b"", {"Content-Range": f"bytes */{len(body)}"}
    return 206, body[first:], {"Content-Range": f"bytes {first}-{len(body) - 1}/{len(body)}"}
