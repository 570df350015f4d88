"""A small site of regulations on this machine, whose pages can change."""

from __future__ import annotations

import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

SECTIONS = 50
_RULES = (
    "A servicer shall correct an error within {days} business days after it receives the notice.",
    "The notice names the borrower, the mortgage loan account and the error, see § 1024.{other}.",
    "A servicer that finds no error tells the borrower so in writing, with the reasons.",
    "Nothing in this section limits the rights of the borrower under 12 U.S.C. 2605.",
)


class Regulations:
    """Context manager: serves the sections of a part of the Code of Federal Regulations, with
    ETags, and counts the bytes that it sends."""

    def __init__(self) -> None:
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.site = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self.days = dict.fromkeys(range(1, SECTIONS + 1), 5)
        """The number of days that each section names."""
        self.sent = 0
        """Bytes of bodies since it was last set to 0."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def page(self, path: str) -> tuple[str, str] | None:
        """Return the body and the type of the document at *path*; None if there is none."""
        if path == "/robots.txt":
            return "User-agent: *\nAllow: /\n", "text/plain"
        if path == "/1024/":
            return self._part(), "text/html; charset=utf-8"
        name = path.removeprefix("/1024/").strip("/")
        if path.startswith("/1024/") and name.isdecimal() and int(name) in self.days:
            return self._section(int(name)), "text/html; charset=utf-8"
        return None

    def _part(self) -> str:
        links = "".join(f'<li><a href="/1024/{n}/">§ 1024.{n}</a></li>' for n in self.days)
        text = "<p>This part implements the Real Estate Settlement Procedures Act of 1974.</p>"
        return _document("Part 1024 (Regulation X)", f"{text}<ul>{links}</ul>")

    def _section(self, number: int) -> str:
        other = number % SECTIONS + 1
        rules = [rule.format(days=self.days[number], other=other) for rule in _RULES]
        text = "".join(f"<p>({'abcd'[n % 4]}) {rules[n % 4]}</p>" for n in range(12))
        return _document(f"§ 1024.{number} Error resolution procedures", text)


def _document(title: str, text: str) -> str:
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title></head><body>"
        f"<nav><a href='/1024/'>Regulation X</a></nav><main><h1>{title}</h1>{text}</main></body>"
    )


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    site: Regulations


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        found = self.server.site.page(self.path)
        body, kind = found if found is not None else ("not here", "text/plain")
        data = body.encode()
        etag = f'"{sha256(data).hexdigest()[:16]}"'
        is_known = self.headers.get("If-None-Match") == etag
        self.send_response(304 if is_known else 200 if found is not None else 404)
        self.send_header("ETag", etag)
        if not is_known:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if not is_known:
            self.server.site.sent += len(data)
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing."""
