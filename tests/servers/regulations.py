"""A site of regulations whose documents change, move and vanish between two crawls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from tests.servers.scripted import Exchange

WORDS = "A servicer shall provide the borrower with the disclosure within {} business days. "


@dataclass(frozen=True)
class Served:
    """A document."""

    body: str | bytes
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    etag: str | None = None
    """Another ETag than that of the body: a lie."""


def section(number: int, days: int = 5, rest: str = "") -> str:
    """The page of a section of a regulation."""
    text = "".join(f"<p>({letter}) {WORDS.format(days)}</p>" for letter in "abcdefgh")
    return (
        f"<html lang=en><head><title>§ 1024.{number} Rules</title></head><body><nav><a href='/'>"
        f"Home</a></nav><main><h1>§ 1024.{number} Rules</h1>{text}{rest}</main></body></html>"
    )


class RegulationSite(ScriptedServer):
    """Serves *documents* by path, with honest ETags.

    :param count: number of sections that ``/`` links to
    """

    def __init__(self, host: str = "127.0.0.1", count: int = 6) -> None:
        super().__init__(host)
        self.documents: dict[str, Served] = {}
        self.moved: dict[str, str] = {}
        """Paths that redirect."""
        links = "".join(f"<li><a href='/1024/{n}/'>§ 1024.{n}</a>" for n in range(1, count + 1))
        text = "<p>This part implements the Real Estate Settlement Procedures Act.</p>" * 5
        self.put("/", f"<title>Part 1024</title><main><h1>Part 1024</h1>{text}<ul>{links}</ul>")
        for number in range(1, count + 1):
            self.put(f"/1024/{number}/", section(number))

    def put(self, path: str, body: str | bytes, kind: str = Served.kind) -> None:
        """Serve *body* at *path* from now on."""
        self.documents[path] = Served(body, kind)

    def remove(self, path: str, status: int = 404) -> None:
        """Answer *status* at *path* from now on."""
        self.documents[path] = replace(self.documents[path], status=status, body="gone")

    def freeze(self, path: str) -> None:
        """Send the present ETag of *path* for ever, whatever the body becomes."""
        self.documents[path] = replace(self.documents[path], etag=_etag(self.documents[path].body))

    def reply_to(self, exchange: Exchange) -> Reply:
        path = exchange.path
        if path in self.moved:
            return Reply(301, {"Location": self.moved[path]}, "")
        found = self.documents.get(path)
        if found is None:
            return super().reply_to(exchange)
        if found.status != 200:
            return Reply(found.status, {}, found.body)
        etag = found.etag or _etag(found.body)
        if exchange.headers.get("If-None-Match") == etag:
            return Reply(304, {"ETag": etag}, "")
        return Reply(200, {"Content-Type": found.kind, "ETag": etag}, found.body)

    def documents_asked(self) -> dict[str, int | None]:
        """The last status of each path but robots.txt and sitemaps, and forget the requests."""
        asked = {
            x.path: x.status
            for x in self.exchanges
            if x.path not in {"/robots.txt", "/sitemap.xml"}
        }
        self.exchanges.clear()
        return asked


def _etag(body: str | bytes) -> str:
    data = body.encode() if isinstance(body, str) else body
    return f'"{sha256(data).hexdigest()[:16]}"'
