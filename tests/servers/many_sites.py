"""Many sites in one server, told apart by their names, each of which notes when it was asked.

Site ``n`` is the host ``site{n}.com``, a registered domain of its own, with a root that links to
its other pages. Every tenth asks for patience in one of the ways that :data:`WAYS` lists.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

WAYS = {0: "Crawl-delay", 1: "Request-rate", 2: "429 with Retry-After", 3: "503 with Retry-After"}
"""What a site asks for, by the last digit of its number; the others ask for nothing."""
SECONDS = 1
"""What they ask for."""
_ROBOTS = {0: f"Crawl-delay: {SECONDS}", 1: f"Request-rate: 1/{SECONDS}"}
_BUSY = {2: "429 Too Many Requests", 3: "503 Service Unavailable"}
_TEXT = (
    "<p>This is the text of a page that is like any other but for its number, with some words.</p>"
)


@dataclass(frozen=True)
class Exchange:
    """One request; times are of ``time.monotonic()``, *end* is before the client has the answer."""

    path: str
    start: float
    end: float
    status: int
    worker: str = ""
    """Its header ``X-Worker``."""


class ManySites:
    """Context manager: *count* sites of *pages* pages each, all on 127.0.0.1.

    :param wait: seconds that each answer takes
    :param are_patient: none of them asks for patience
    """

    def __init__(
        self, count: int, pages: int, *, wait: float = 0, are_patient: bool = False
    ) -> None:
        self.count = count
        self.pages = pages
        self._wait = wait
        self._are_patient = are_patient
        self.exchanges: dict[str, list[Exchange]] = defaultdict(list)
        """Of each host, in the order in which they were answered."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1000)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def seeds(self) -> list[str]:
        """The root of each site."""
        return [f"http://site{n}.com:{self.port}/" for n in range(self.count)]

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                start = monotonic()
                lines = head.decode("latin-1").split("\r\n")
                path = lines[0].split(" ")[1]
                headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
                host, worker = headers["host"], headers.get("x-worker", "")
                if self._wait:
                    await asyncio.sleep(self._wait)
                status, further, body = self._answer(host.partition(":")[0], path)
                length = f"Content-Length: {len(body)}\r\n"
                answer = f"HTTP/1.1 {status}\r\n{further}{length}\r\n{body}".encode()
                exchange = Exchange(path, start, monotonic(), int(status[:3]), worker)
                self.exchanges[host].append(exchange)
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has what it wanted
        finally:
            writer.close()

    def _answer(self, host: str, path: str) -> tuple[str, str, str]:
        """Status, further headers and body."""
        kind = int(host.removeprefix("site").removesuffix(".com")) % 10
        if self._are_patient:
            kind = len(WAYS)
        html = "Content-Type: text/html; charset=utf-8\r\n"
        if path == "/robots.txt":
            text = f"User-agent: *\n{_ROBOTS.get(kind, 'Disallow:')}\n"
            return "200 OK", "Content-Type: text/plain\r\n", text
        asked = self.exchanges[f"{host}:{self.port}"]
        if kind in _BUSY and path == "/2" and not any(x.path == path for x in asked):
            return _BUSY[kind], f"{html}Retry-After: {SECONDS}\r\n", "wait"
        links = "".join(f'<p><a href="/{n}">Page {n}</a></p>' for n in range(1, self.pages))
        title = f"{host} {path}"
        return (
            "200 OK",
            html,
            f"<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1>"
            f"{_TEXT}{links if path == '/' else ''}</main>",
        )
