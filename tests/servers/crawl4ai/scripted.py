"""What a real crawl4ai does not do on demand: refuse, stall, fail, answer half or nonsense."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.servers.archetypes import BROWSER_HEADER, FILL
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from tests.servers.scripted import Exchange

NDJSON = {"Content-Type": "application/x-ndjson"}
TRAILER = '{"status": "completed"}\n'


def rendered(html: str, **result: Any) -> Reply:
    """The stream with one page."""
    fields = {"url": "", "html": html, "success": True, "status_code": 200, "error_message": ""}
    return Reply(200, NDJSON, json.dumps(fields | result) + "\n" + TRAILER)


def half(reply: Reply) -> Reply:
    """The first half of *reply*, then the connection ends."""
    body = reply.body.encode() if isinstance(reply.body, str) else reply.body
    headers = {**reply.headers, "Content-Length": str(len(body)), "Connection": "close"}
    return Reply(reply.status, headers, body[: len(body) // 2])


def refused(status: int, detail: object = "no") -> Reply:
    """An answer of the server itself."""
    body = {"error": "Internal server error", "correlation_id": "0"}
    told = body if status == 500 else {"detail": detail}
    return Reply(status, {"Content-Type": "application/json"}, json.dumps(told))


class ScriptedCrawl4AI(ScriptedServer):
    """Answers ``/crawl/stream`` as a test scripts it."""

    def __init__(self, *replies: Reply, version: str = "0.9.2") -> None:
        super().__init__()
        health = json.dumps({"status": "ok", "version": version})
        self.on("/health", Reply(200, {"Content-Type": "application/json"}, health))
        self.on("/crawl/stream", *replies)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by which a crawl uses it, without the waits of a real one."""
        return {
            "CRAWL4AI_URL": self.url(""),
            "CRAWL4AI_RETRY_DELAYS": [0.01, 0.01],
            "CRAWL4AI_RENDERINGS": 1,
        }

    def asked(self) -> list[dict[str, Any]]:
        """The bodies of all requests for a page, in order."""
        return [json.loads(x.body) for x in self.exchanges if x.path == "/crawl/stream"]

    def urls(self) -> list[str]:
        """The pages asked for, in order."""
        return [data["urls"][0] for data in self.asked()]

    def most_in_flight(self) -> int:
        """How many pages were asked for at once."""
        crawls = [x for x in self.exchanges if x.path == "/crawl/stream"]
        return max((sum(y.start <= x.start < y.end for y in crawls) for x in crawls), default=0)


class FetchingCrawl4AI(ScriptedCrawl4AI):
    """Fetches each page as a browser would, and fills it if it is one of
    :class:`~tests.servers.archetypes.Archetypes` with a script: hundreds of pages in the time in
    which a browser renders ten."""

    def reply_to(self, exchange: Exchange) -> Reply:
        if exchange.path != "/crawl/stream":
            return super().reply_to(exchange)
        data = json.loads(exchange.body)
        (url,) = data["urls"]
        if url.startswith("raw:"):
            return rendered(url.removeprefix("raw:"))
        agent = data["browser_config"]["params"]["user_agent"]
        request = Request(url, headers={BROWSER_HEADER: "navigate", "User-Agent": agent})  # noqa: S310
        try:
            with urlopen(request, timeout=120) as answer:  # noqa: S310
                status, html = answer.status, answer.read().decode()
        except HTTPError as error:
            status, html = error.code, error.read().decode()
        success = status not in {403, 429, 503}
        message = "" if success else f"Blocked by anti-bot protection: HTTP {status}"
        return rendered(_filled(html), success=success, status_code=status, error_message=message)


def _filled(html: str) -> str:
    """The document after its script has run, if it is one that fills it."""
    script = re.search(rf"<script>{re.escape(FILL)}(.*?)</script>", html, re.DOTALL)
    return html.replace('<div id="root"></div>', json.loads(script[1])) if script else html
