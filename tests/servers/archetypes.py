"""The sites of a simulated world, on loopback: what the simulation draws is what they answer.

::

    with Archetypes(world) as sites:
        ...crawl sites.urls(), the wikis configured by sites.sources()...
        sites.log                      # what was asked for, and what came of it

Each site is an address of its own. A page is known by its site and its number there, and ends by
each tier as ``Page.reason`` says, however often it is asked for: sites change with the pages that
are asked for, not with time. A request for the API is the tier ``mediawiki``'s; a browser is known
by ``Sec-Fetch-Mode``, which browsers send and programs do not. A page that needs scripts is filled
by its script.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

    from bench.learning.world import Page, World

API = "/api.php"
BROWSER_HEADER = "sec-fetch-mode"

_TEXT = "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 8
_ARTICLE = f"<main><h1>Page</h1>{_TEXT}</main>"
_DOCUMENT = "<!doctype html><html lang=en><head><title>Page</title></head><body>{}</body></html>"
FILL = 'document.getElementById("root").innerHTML = '
"""What the script of an application begins with; JSON of the HTML follows, up to its end."""
_SHELL = _DOCUMENT.format('<div id="root"></div><script src="/app.js"></script>')
_FILLED = _DOCUMENT.format(f'<div id="root"></div><script>{FILL}{json.dumps(_ARTICLE)}</script>')
_CHALLENGE = (
    "<!doctype html><html><head><title>Just a moment...</title></head><body><script>"
    "window._cf_chl_opt = {}</script><p>Checking your browser.</p></body></html>"
)
_JSON, _HTML = "application/json", "text/html; charset=utf-8"


class Answer(NamedTuple):
    status: int
    body: str
    kind: str = _HTML


_OF_ANY_TIER = {
    "missing": Answer(404, _DOCUMENT.format("<p>Not here.</p>")),
    "blocked": Answer(403, _DOCUMENT.format("<p>Forbidden.</p>")),
    "blocked_captcha": Answer(403, _CHALLENGE),
    "busy": Answer(429, _DOCUMENT.format("<p>Too many requests.</p>")),
    "http_error": Answer(
        501,  # which is not asked for again, as 500 is
        _DOCUMENT.format("<p>Out of order.</p>"),
    ),
    "empty": Answer(200, _DOCUMENT.format("<nav><a href=/>Home</a></nav>")),
    "js_shell": Answer(200, _SHELL),
}
_OF_API = {
    "missing": Answer(200, json.dumps({"error": {"code": "missingtitle"}}), _JSON),
    "api_error": Answer(200, json.dumps({"error": {"code": "internal_api_error"}}), _JSON),
    "api_off": Answer(404, "", _JSON),
}
_SITEINFO = {
    "general": {"articlepath": "/wiki/$1", "scriptpath": "", "lang": "en", "mainpage": "Main"},
    "namespaces": {"0": {"id": 0, "name": "", "content": True}},
}


@dataclass(frozen=True)
class Asked:
    """One request."""

    site: int
    """Number of the host in the world."""
    page: int | None
    """Number of the page on its site; None for robots.txt and what an API is asked beside pages."""
    tier: str
    """Empty for robots.txt."""
    reason: str
    """With which the attempt has to end, ``ok`` where it is to bring the page."""
    status: int


class Archetypes:
    """Context manager: the hosts of *world*, each on an address of its own.

    Raises:
        ValueError: *world* has a reason for which there is no answer, as its noise has.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.log: list[Asked] = []
        self._pages: dict[int, list[Page]] = defaultdict(list)
        for page in world.pages:
            self._pages[page.host].append(page)
        reasons = {r for page in world.pages for _, rs in page.part.limits.values() for r in rs}
        if unknown := reasons - _OF_ANY_TIER.keys() - _OF_API.keys() - {"ok"}:
            raise ValueError(f"no answer ends with {', '.join(sorted(unknown))}")
        self._sockets = [_bound(number) for number in range(len(world.hosts))]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers: list[asyncio.Server] = []
        self._open: set[StreamWriter] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(self, *exc: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def origin(self, site: int) -> str:
        """``http://ADDRESS:PORT`` of a site."""
        address, port = self._sockets[site].getsockname()
        return f"http://{address}:{port}"

    def urls(self) -> list[str]:
        """The pages of the world, in the order in which they are asked for."""
        numbers: dict[int, int] = defaultdict(int)
        urls = []
        for page in self.world.pages:
            path = page.part.path.replace("$1", f"Page-{numbers[page.host]}")
            urls.append(self.origin(page.host) + path)
            numbers[page.host] += 1
        return urls

    def sources(self) -> str:
        """The configuration file that names the wikis."""
        origins = [self.origin(site) for site in self._pages if self._is_wiki(site)]
        lines = [f'  "{urlsplit(o).netloc}": {o}{API}\n' for o in origins]
        return "mediawiki_sites:\n" + "".join(lines) if lines else "mediawiki_sites: {}\n"

    def _is_wiki(self, site: int) -> bool:
        return "mediawiki" in self._pages[site][0].tiers

    async def _start(self) -> None:
        for site, sock in enumerate(self._sockets):

            async def serve(reader: StreamReader, writer: StreamWriter, site: int = site) -> None:
                await self._serve(site, reader, writer)

            self._servers.append(await asyncio.start_server(serve, sock=sock))

    async def _stop(self) -> None:
        for server in self._servers:
            server.close()
        for writer in self._open:
            writer.close()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})

    async def _serve(self, site: int, reader: StreamReader, writer: StreamWriter) -> None:
        self._open.add(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                request, *lines = head.decode("latin-1").split("\r\n")
                names = {line.partition(":")[0].lower() for line in lines}
                answer = self._answer(site, request.split(" ")[1], BROWSER_HEADER in names)
                body = answer.body.encode()
                writer.write(
                    f"HTTP/1.1 {answer.status} Status\r\nContent-Type: {answer.kind}\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has what it wanted
        finally:
            self._open.discard(writer)
            writer.close()

    def _answer(self, site: int, target: str, is_browser: bool) -> Answer:
        path, _, query = target.partition("?")
        asked = parse_qs(query)
        if path == API and self._is_wiki(site):
            if asked.get("action") == ["query"]:
                return self._siteinfo(site)
            return self._page(site, asked.get("page", [""])[0], "mediawiki")
        return self._page(site, path, "browser" if is_browser else "http")

    def _siteinfo(self, site: int) -> Answer:
        """What the wiki says of itself: nothing, where the API is off from the first page on."""
        off = self._pages[site][0].reason("mediawiki") == Reason.API_OFF
        answer = _OF_API["api_off"] if off else Answer(200, json.dumps({"query": _SITEINFO}), _JSON)
        reason = "api_off" if off else "ok"
        self.log.append(Asked(site, None, "mediawiki", reason, answer.status))
        return answer

    def _page(self, site: int, name: str, tier: str) -> Answer:
        found = re.search(r"Page-(\d+)", name)
        if found is None or int(found[1]) >= len(self._pages[site]):
            answer = _OF_ANY_TIER["missing"]
            self.log.append(Asked(site, None, "", "missing", answer.status))
            return answer
        number = int(found[1])
        page = self._pages[site][number]
        reason = page.reason(tier)
        answer = _answer(page, number, tier, reason)
        self.log.append(Asked(site, number, tier, reason, answer.status))
        return answer


def _answer(page: Page, number: int, tier: str, reason: str) -> Answer:
    if tier == "mediawiki":
        if reason == "ok":
            parse = {"title": f"Page-{number}", "pageid": number + 1, "revid": 1, "text": _ARTICLE}
            return Answer(200, json.dumps({"parse": parse}), _JSON)
        return _OF_API.get(reason) or _OF_ANY_TIER[reason]
    if reason != "ok":
        return _OF_ANY_TIER[reason]
    needs_script = tier == "browser" and Reason.JS_SHELL in page.part.rates["http"]
    return Answer(200, _FILLED if needs_script else _DOCUMENT.format(_ARTICLE))


def _bound(number: int) -> socket.socket:
    sock = socket.socket()
    sock.bind((f"127.65.{number // 250}.{number % 250 + 1}", 0))
    return sock
