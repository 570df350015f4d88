"""HTTP server of the demonstration wiki."""

from __future__ import annotations

import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import Thread
from typing import TYPE_CHECKING, Self

from wikicrawler.demo.recording import RecordedWiki
from wikicrawler.demo.site import DemoSite

if TYPE_CHECKING:
    from types import TracebackType

HOST = "127.0.0.1"


class DemoWiki:
    """A small wiki on the loopback interface that responds like MediaWiki.

    ::

        with DemoWiki() as wiki:
            urlopen(f"{wiki.url}/wiki/Honey_bee")

    :param port: port to listen on; 0 selects a free one.
    :raises OSError: the port is in use (raised on entering the context).
    """

    url: str
    """``http://127.0.0.1:PORT``, without a trailing slash."""
    api: str
    """URL of api.php."""
    requests: list[tuple[float, str]]
    """All requests so far: time from :func:`time.monotonic`, and path with query."""

    def __init__(self, port: int = 0) -> None:
        self._port = port
        self.requests = []

    def __enter__(self) -> Self:
        self._server = _Server(self._port, self.requests)
        self.url = self._server.url
        self.api = f"{self.url}/api.php"
        self._thread = Thread(target=self._server.serve_forever, args=(0.1,), name="demo wiki")
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close() waits for the threads
    request_queue_size = 128

    def __init__(self, port: int, requests: list[tuple[float, str]]) -> None:
        self._connections: set[socket.socket] = set()
        super().__init__((HOST, port), _Handler)
        self.url = f"http://{HOST}:{self.server_address[1]}"
        self.site = DemoSite(RecordedWiki(self.url))
        self.requests = requests

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # HTTPServer's does a DNS lookup, which can take long
        # A connection may be gone when it is to be accepted (accept(2)), which then would block.
        self.socket.setblocking(False)

    def process_request(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override]
        self._connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        for connection in self._connections.copy():  # idle keep-alive connections
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # already closed
        super().server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # clients may disconnect at any time
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "wikicrawler-demo"
    sys_version = ""
    timeout = 60
    disable_nagle_algorithm = True  # headers and body are separate writes

    def do_GET(self) -> None:
        self.server.requests.append((time.monotonic(), self.path))
        answer = self.server.site.answer(self.path)
        body = answer.body.encode("utf-8", "replace")
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server requires

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing: :attr:`DemoWiki.requests` records the requests."""
