"""Sites of agencies on this machine, that change, fail and refuse, for the dashboard."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

_STEADY = (
    "A counselling agency helps people who buy their first home.",
    "The agency keeps its records for three years after the last meeting.",
    "It takes no money from lenders for sending borrowers to them.",
)


class Agencies:
    """Context manager: ``/notices`` changes with each :meth:`advance`, ``/programs`` never does,
    ``/moved`` is gone, ``/members`` refuses, and ``/forms`` fails every other time."""

    def __init__(self) -> None:
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.site = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self.url = f"http://localhost:{self._http.server_port}"
        self._edition = 1
        self._asked = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def advance(self) -> None:
        """Publish one more notice, and change the deadline of the one before."""
        self._edition += 1

    def answer(self, path: str) -> tuple[int, str]:
        """Return the status and the HTML of *path*."""
        match path:
            case "/notices":
                return 200, _page("Notices", self._notices())
            case "/programs":
                return 200, _page("Counselling programs", "".join(map(_paragraph, _STEADY)))
            case "/members":
                return 403, _page("Forbidden", "<p>This area is for members.</p>")
            case "/forms":
                self._asked += 1
                if self._asked % 2 == 0:
                    return 500, _page("Error", "<p>The server has an error.</p>")
                return 200, _page("Forms", "".join(map(_paragraph, reversed(_STEADY))))
            case _:
                return 404, _page("Not found", "<p>There is no such page.</p>")

    def _notices(self) -> str:
        parts = []
        for number in range(1, self._edition + 1):
            days = 30 if number == self._edition else 30 + 5 * (self._edition - number)
            parts.append(
                f"<h2>Notice {number}</h2><p>Comments on the proposed rule {number} are due within "
                f"{days} days. The agency reads all of them before it publishes the final rule.</p>"
            )
        return "".join(parts)


def _paragraph(text: str) -> str:
    return f"<p>{text} The rule has applied since the first year of the program.</p>"


def _page(title: str, text: str) -> str:
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title></head>"
        f"<body><main><h1>{title}</h1>{text}</main></body></html>"
    )


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    site: Agencies


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        kind = "text/html; charset=utf-8"
        if self.path == "/robots.txt":
            status, text, kind = 200, "User-agent: *\nAllow: /\n", "text/plain"
        else:
            status, text = self.server.site.answer(self.path)
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing."""
