"""Firecrawl and ScrapingAnt as their APIs are described, over a real socket, with all their traps.

Each fetches the page that it is asked for, unless a test scripts another answer for its URL.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.scripted import Exchange

JSON = {"Content-Type": "application/json"}
KEYS = {"url", "formats", "maxAge", "storeInCache", "timeout", "proxy", "parsers"} | {
    "skipTlsVerification",
    "limit",
    "ignoreQueryParameters",
    "actions",
    "headers",
}
"""Keys of requests that the server knows; it rejects others."""


def answer(status: int = 200, /, **data: Any) -> Reply:
    """A response with the JSON object *data*."""
    return Reply(status, JSON, json.dumps(data))


def error(status: int, code: str = "", text: str = "no", **more: Any) -> Reply:
    """An error of Firecrawl; *code* is absent where there is none."""
    coded = {"code": code} if code else {}
    return answer(status, success=False, error=text, **coded, **more)


def scraped(html: str | None, **metadata: Any) -> Reply:
    """A page as Firecrawl returns it."""
    known = {"statusCode": 200, "contentType": "text/html", "creditsUsed": 1, "proxyUsed": "basic"}
    data = {"rawHtml": html, "markdown": "", "metadata": known | metadata}
    return answer(success=True, data={k: v for k, v in data.items() if v is not None})


class _Fetching(ScriptedServer):
    """Fetches pages; :meth:`page` scripts the answers for one."""

    credits_left = 1000.0
    key = "fc-the-key-of-the-tests"

    def __init__(self) -> None:
        super().__init__()
        self._pages: dict[str, Iterator[Reply]] = {}
        self.every_page: Reply | None = None
        """The answer for every page that has none of its own."""

    def page(self, url: str, *replies: Reply) -> None:
        """Script the answers for the page at *url*: in turn, and the last one for ever."""
        self._pages[url] = _in_turn(replies)

    def scripted(self, url: str) -> Reply | None:
        return next(self._pages[url]) if url in self._pages else self.every_page

    def pages(self) -> list[str]:
        """URLs of the pages that were asked for, in order."""
        raise NotImplementedError


def _in_turn(replies: tuple[Reply, ...]) -> Iterator[Reply]:
    yield from replies
    while True:
        yield replies[-1]


def _fetch(url: str) -> tuple[int, str, str, str]:
    """Status, body, media type and final URL of the page at *url*."""
    try:
        with urlopen(Request(url, headers={"User-Agent": "service"}), timeout=30) as got:  # noqa: S310
            kind = got.headers.get("Content-Type", "")
            return got.status, got.read().decode("utf-8", "replace"), kind, got.url
    except HTTPError as failed:
        kind = failed.headers.get("Content-Type", "")
        return failed.code, failed.read().decode("utf-8", "replace"), kind, failed.url


class ScriptedFirecrawl(_Fetching):
    """``POST /v2/scrape`` and ``/v2/map``, ``GET /v2/team/credit-usage`` and ``/v0/health``."""

    links: tuple[Any, ...] = ()
    """What ``/v2/map`` returns."""
    keeps_accounts = True

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "FIRECRAWL_API_URL": self.url(""),
            "FIRECRAWL_API_KEY": self.key,
            "WIKICRAWLER_TIERS": "http,firecrawl",
        }

    def asked(self) -> list[dict[str, Any]]:
        """The bodies of all requests for a page, in order."""
        return [json.loads(x.body) for x in self.exchanges if x.path == "/v2/scrape"]

    def pages(self) -> list[str]:
        return [data["url"] for data in self.asked()]

    def reply_to(self, exchange: Exchange) -> Reply:
        return self._without_key(exchange) or self._with_key(exchange)

    def _without_key(self, exchange: Exchange) -> Reply | None:
        if exchange.path == "/v0/health/readiness":
            return answer(status="ok")
        if not self.keeps_accounts and exchange.path.startswith("/v2/team/"):
            return Reply(404, body="Cannot GET")
        if exchange.headers.get("Authorization") != f"Bearer {self.key}":
            return error(401, text=f"Unauthorized: Invalid token {self.key}")
        return None

    def _with_key(self, exchange: Exchange) -> Reply:
        if exchange.path == "/v2/team/credit-usage":
            return answer(success=True, data={"remainingCredits": self.credits_left})
        data = json.loads(exchange.body)
        if unknown := sorted(data.keys() - KEYS):
            details = [{"code": "unrecognized_keys", "keys": unknown, "path": []}]
            return error(400, "BAD_REQUEST", "Bad Request", details=details)
        if exchange.path == "/v2/map":
            return answer(success=True, id="1", links=list(self.links))
        if exchange.path != "/v2/scrape":
            return Reply(404, body="Cannot POST")
        return self.scripted(data["url"]) or self._fetched(data)

    def _fetched(self, data: dict[str, Any]) -> Reply:
        status, html, kind, url = _fetch(data["url"])
        return scraped(html, statusCode=status, contentType=kind, sourceURL=data["url"], url=url)


class ScriptedScrapingAnt(_Fetching):
    """``GET /v2/general``, ``/v2/extended`` and ``/v2/usage``."""

    key = "the-ant-key-of-the-tests"
    cost = 10

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "SCRAPINGANT_API_URL": self.url(""),
            "SCRAPINGANT_API_KEY": self.key,
            "WIKICRAWLER_TIERS": "http,scrapingant",
        }

    def asked(self) -> list[dict[str, str]]:
        """The parameters of all requests for a page, in order."""
        paths = [urlsplit(x.path) for x in self.exchanges]
        return [_query(path.query) for path in paths if path.path != "/v2/usage"]

    def pages(self) -> list[str]:
        return [query["url"] for query in self.asked()]

    def reply_to(self, exchange: Exchange) -> Reply:
        path, _, query = exchange.path.partition("?")
        key = {name.lower(): value for name, value in exchange.headers.items()}.get("x-api-key")
        if key != self.key:
            return answer(403, detail=f"bad key {key}")
        if path == "/v2/usage":
            return answer(remained_credits=self.credits_left)
        url = _query(query)["url"]
        if (reply := self.scripted(url)) is not None:
            return reply
        status, html, kind, _ = _fetch(url)
        if path == "/v2/extended":
            return self.extended(html, status, {"content-type": kind, "server": "nginx"})
        return self.general(html, status, kind)

    def extended(self, html: str, status: int = 200, headers: Any = None) -> Reply:
        """A page as ``/v2/extended`` returns it."""
        data = {"html": html, "text": "", "cookies": "", "status_code": status, "headers": headers}
        own = {"Ant-Credits-Cost": str(self.cost), "Ant-Page-Status-Code": str(status)}
        return Reply(200, JSON | own, json.dumps(data))

    def general(self, html: str | bytes, status: int = 200, kind: str = "text/html") -> Reply:
        """A page as ``/v2/general`` returns it."""
        own = {"Ant-Credits-Cost": str(self.cost), "Ant-Page-Status-Code": str(status)}
        return Reply(200, own | {"Content-Type": kind}, html)


def _query(text: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(text).items()}
