"""A server of one shape, for all of its hosts."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.servers.serving import Serving

if TYPE_CHECKING:
    from tests.servers.ir_sites.shape import Shape


class IrSite(Serving):
    """Serves *shape* on loopback; ``asked`` has the URLs of all requests, without scheme."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host = self.headers["Host"].partition(":")[0]
                site.asked.append(host + self.path)
                reply = site.shape.reply(host, self.path)
                body = reply.body.encode()
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.kind)
                self.send_header("Content-Length", str(len(body)))
                if reply.location:
                    self.send_header("Location", reply.location)
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])
