"""A fetcher for tests: it maps all hosts of a shape to its server on loopback."""

from __future__ import annotations

import asyncio
import http.client
import pickle
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urljoin, urlsplit

from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    RateLimitExceededError,
)
from wikicrawler.reports.fetching import Answer, SavedFile, WebPage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.servers.ir_sites.server import IrSite

T = TypeVar("T")
_MAX_REDIRECTS = 5


class IrFetcher:
    """Requests over real sockets; hosts that the shape does not have cannot be resolved."""

    def __init__(self, site: IrSite) -> None:
        self._site = site
        self.pages: list[str] = []
        """URLs of the pages that were asked for."""
        self.gets: list[str] = []

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        slot: str | None = None,
        retries: bool = True,
    ) -> Answer:
        self.gets.append(url)
        answer = await asyncio.to_thread(self._follow, url)
        if max_bytes is not None and len(answer.body) > max_bytes:
            raise FetchError(f"more than {max_bytes} bytes")
        return answer

    async def page(self, url: str) -> WebPage:
        self.pages.append(url)
        answer = await asyncio.to_thread(self._follow, url)
        if answer.status in {404, 410}:
            raise DocumentNotFoundError(f"status {answer.status}")
        if answer.status in {403, 429}:
            raise RateLimitExceededError(f"status {answer.status}")
        if answer.status != 200:
            raise FetchError(f"status {answer.status}")
        if "html" not in answer.headers["content-type"]:
            raise FetchError(f"not_html: {answer.headers['content-type']}")
        return WebPage(answer.url, "", answer.body.decode(), "")

    async def save(self, url: str, target: Path, **_: Any) -> SavedFile:
        answer = await asyncio.to_thread(self._follow, url)
        await asyncio.to_thread(target.write_bytes, answer.body)
        return SavedFile(target, answer.url, answer.headers["content-type"], len(answer.body))

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call *function* as a worker would: everything is pickled on its way."""
        call = pickle.loads(pickle.dumps((function, arguments)))  # noqa: S301 - our own
        result = await asyncio.to_thread(call[0], *call[1])
        found: T = pickle.loads(pickle.dumps(result))  # noqa: S301
        return found

    def _follow(self, url: str) -> Answer:
        for _ in range(_MAX_REDIRECTS):
            parts = urlsplit(url)
            if parts.hostname not in self._site.shape.hosts:
                raise FetchError(f"{parts.hostname} cannot be resolved")
            connection = http.client.HTTPConnection("127.0.0.1", self._site.port, timeout=30)
            try:
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request("GET", path, headers={"Host": parts.hostname})
                response = connection.getresponse()
                body = response.read()
            finally:
                connection.close()
            if not response.headers["Location"]:
                headers = {name.lower(): value for name, value in response.getheaders()}
                return Answer(url, response.status, headers, body)
            url = urljoin(url, response.headers["Location"])
        raise FetchError("too many redirects")
