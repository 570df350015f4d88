"""The site of a small company on this machine, from which fields are extracted."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

HTML = "text/html; charset=utf-8"
_MENU = "".join(
    f'<li><a href="/{name}">{title}</a></li>'
    for name, title in (("news", "News"), ("about", "About us"), ("pricing", "Pricing"))
)
_PAGES = {
    "": (
        "Amber Hives",
        "<p>Amber Hives builds beehives out of larch, and sends them all over the country.</p>",
    ),
    "about": (
        "About us",
        "<p>We are a family of carpenters who keep bees.</p>"
        "<ul><li>Founded: 1987</li><li>City: Lindau</li></ul>",
    ),
    "pricing": (
        "Pricing",
        "<p>All hives come with a floor, a lid and ten frames.</p><p>Price: 249.00 EUR</p>",
    ),
    "news": ("News", "<p>In May we open our workshop to visitors. Coffee is free.</p>"),
    "hive": (
        "The larch hive",
        "<p>Our best-known hive, with a lid that keeps the rain out.</p>"
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product",'
        ' "name": "The larch hive", "sku": "AH-10", "offers": {"@type": "Offer",'
        ' "price": "249.00", "priceCurrency": "EUR"}}</script>',
    ),
}


class Company:
    """Context manager: serves the site, and keeps the paths that were asked for."""

    def __init__(self) -> None:
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.site = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self.asked: list[str] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """Return the content type and the body at *path*; None if there is nothing."""
        if path == "/robots.txt":
            return "text/plain", b"User-agent: *\nAllow: /\n"
        page = _PAGES.get(path.strip("/"))
        return None if page is None else (HTML, _document(*page).encode())


class _Http(ThreadingHTTPServer):
    site: Company
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def do_GET(self) -> None:
        site = self.server.site
        site.asked.append(self.path)
        found = site.answer(self.path)
        kind, body = found or ("text/plain", b"Not found")
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""


def _document(title: str, text: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head><body>'
        f"<main><h1>{title}</h1>{text}</main><nav><ul>{_MENU}</ul></nav></body></html>"
    )
