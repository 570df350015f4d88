"""A small forward proxy with HTTP Basic authentication.

::

    with ForwardProxy(hosts={"wiki.example.org": server.netloc}, login="user:pass") as proxy:
        ...crawl http://wiki.example.org/ through proxy.url...
        assert proxy.asked == ["GET http://wiki.example.org/"]

It resolves the names in *hosts* itself, as proxies do, and answers 502 for any other.
"""

from __future__ import annotations

import http.client
import socket
import threading
from base64 import b64encode
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.servers.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Mapping

_OWN = {"proxy-authorization", "proxy-connection", "connection", "keep-alive"}


class ForwardProxy(Serving):
    """Context manager.

    :param hosts: where the servers of the names are: ``host:port``
    :param login: ``user:password``; empty for a proxy without one
    """

    def __init__(
        self, hosts: Mapping[str, str], login: str = "", address: str = "127.0.0.4"
    ) -> None:
        self.hosts = hosts
        self.authorization = f"Basic {b64encode(login.encode()).decode()}" if login else None
        self.asked: list[str] = []
        """Method and URL (or host and port) of each request, accepted or not."""
        self.refused = 0
        self._http = _Http((address, 0), _Handler)
        self._http.proxy = self
        self.netloc = f"{address}:{self._http.server_port}"
        self.url = f"http://{self.netloc}"


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    proxy: ForwardProxy

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def _forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = urlsplit(self.path)
        target = self._target(parts.hostname or "")
        if target is None:
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _OWN}
        connection = http.client.HTTPConnection(target, timeout=60)
        try:
            path = parts._replace(scheme="", netloc="").geturl() or "/"
            connection.request(self.command, path, body or None, headers)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in {"transfer-encoding", "content-length", "connection"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def do_CONNECT(self) -> None:
        target = self._target(self.path.rpartition(":")[0])
        if target is None:
            return
        host, _, port = target.rpartition(":")
        with socket.create_connection((host, int(port))) as upstream:
            self.send_response(200)
            self.end_headers()
            self.wfile.flush()
            self.close_connection = True
            back = threading.Thread(target=_pump, args=(upstream, self.connection), daemon=True)
            back.start()
            _pump(self.connection, upstream)
            back.join(5)

    def _target(self, host: str) -> str | None:
        """The server of *host*; None if the request is answered already."""
        proxy = self.server.proxy
        proxy.asked.append(f"{self.command} {self.path}")
        if self.headers.get("Proxy-Authorization") != proxy.authorization:
            proxy.refused += 1
            self._refuse(407)
            return None
        if host not in proxy.hosts:
            self._refuse(502)
            return None
        return proxy.hosts[host]

    def _refuse(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.wfile.flush()

    def do_GET(self) -> None:
        self._forward()

    def do_POST(self) -> None:
        self._forward()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
