"""A Scrapy download handler that has crawl4ai render pages."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from scrapy.exceptions import CannotResolveHostError, NotConfigured, NotSupported
from scrapy.http import HtmlResponse
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.reactor import is_asyncio_reactor_installed

from wikicrawler import options
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.resolver import refused_address
from wikicrawler.guard.services import as_service
from wikicrawler.tiers.crawl4ai.client import Crawl4AIClient
from wikicrawler.tiers.crawl4ai.closing import is_closing
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.errors import BrowserConfigError

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.core.downloader.handlers import DownloadHandlerProtocol
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.tiers.crawl4ai.protocol import Rendered

META = "crawl4ai"
"""Request meta key: True, or a dict of parameters of crawl4ai's ``CrawlerRunConfig``."""
STEALTH_META = "crawl4ai_stealth"
"""Request meta key: a rendered page is rendered by a browser that hides that it is automated."""
ERROR_HEADER = "X-Crawl4AI-Error"
"""Response header: what crawl4ai holds against a page whose HTML it brought all the same."""
VERSION_HEADER = "X-Crawl4AI-Version"
"""Response header of each rendered page: the server's version, ``unknown`` where it tells none."""

_SERVICE = "crawl4ai"
_MIME = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}")


class Crawl4AIHandler:
    """Has crawl4ai render the requests whose meta has a true ``crawl4ai``, with a true
    ``crawl4ai_stealth`` by a browser that hides that it is automated; the ordinary handler of the
    scheme brings all others, and the requests to crawl4ai too.

    The response is an ``HtmlResponse`` with the page as it was after its scripts had run, in UTF-8;
    its URL and status are those after redirects, its headers the page's. Method, headers, cookies
    and body of the request play no part: only GET is rendered.

    For ``DOWNLOAD_HANDLERS``, under ``http`` and ``https``. The ordinary handlers are Scrapy's, or
    those of ``CRAWL4AI_FALLBACK_HANDLERS`` (a dict like ``DOWNLOAD_HANDLERS``). Other settings:
    ``CRAWL4AI_URL``, ``CRAWL4AI_API_TOKEN``, ``CRAWL4AI_TIMEOUT``, ``CRAWL4AI_CONCURRENCY``,
    ``CRAWL4AI_RETRY_DELAYS``; ``docs/settings.md`` explains them. A request waits in its own site's
    download slot, so that the site's pace holds however its pages are fetched.

    Raises :class:`~wikicrawler.tiers.crawl4ai.errors.BrowserError` where crawl4ai is at fault,
    Scrapy's own download exceptions where the page's site is. When the spider is closed, requests
    that wait for crawl4ai end at once and those under way within 5 seconds, in a
    ``BrowserInterruptedError``.
    """

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._ordinary = _ordinary_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        wanted = request.meta.get(META)
        if not wanted:
            scheme = urlsplit(request.url).scheme
            return await self._ordinary.of(scheme).download_request(request)
        if request.method != "GET":
            raise BrowserConfigError(f"meta['{META}']: only GET is rendered, not {request.method}")
        if wanted is not True and not isinstance(wanted, dict):
            raise BrowserConfigError(
                f"meta['{META}'] is {type(wanted).__name__}: True is right, or a dict of "
                "parameters of CrawlerRunConfig"
            )
        client = self._ordinary.client()
        if await refused_address(policy_of(self._crawler), request.url):
            raise CannotResolveHostError("its address is not for pages")
        page, seconds = await client.crawl(
            request.url,
            wanted if isinstance(wanted, dict) else None,
            request.meta.get("download_maxsize"),
            stealth=bool(request.meta.get(STEALTH_META)),
        )
        request.meta["download_latency"] = seconds
        version = ".".join(map(str, client.version)) if client.version else "unknown"
        return _response(page, request, version)

    async def close(self) -> None:
        _shared.pop(self._crawler, None)  # which refers to the crawler
        await self._ordinary.close()


class _Ordinary:
    """The ordinary handlers of one crawl, and the client that stands on them."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._handlers: dict[str, DownloadHandlerProtocol] = {}
        self._config = Crawl4AIConfig.from_settings(crawler.settings)
        self._client: Crawl4AIClient | None = None
        if self._config is not None:  # from the start, before a page can lead there
            policy_of(crawler).serve(self._config.url, "CRAWL4AI_URL")

    def of(self, scheme: str) -> DownloadHandlerProtocol:
        """The ordinary handler of *scheme*, loaded when it is first needed."""
        if scheme not in self._handlers:
            self._handlers[scheme] = self._made(scheme)
        return self._handlers[scheme]

    def _made(self, scheme: str) -> DownloadHandlerProtocol:
        settings = self._crawler.settings
        own = options.CRAWL4AI_FALLBACK_HANDLERS.read(settings).get(scheme)
        made_by: Any = load_object(own or settings.getdict("DOWNLOAD_HANDLERS_BASE")[scheme])
        try:
            handler: DownloadHandlerProtocol = build_from_crawler(made_by, self._crawler)
        except NotConfigured as error:
            raise NotSupported(f"Unsupported URL scheme {scheme!r}: {error}") from None
        return handler

    def client(self) -> Crawl4AIClient:
        if self._client is None:
            if self._config is None:
                raise BrowserConfigError("no crawl4ai is configured: set CRAWL4AI_URL")
            if not is_asyncio_reactor_installed():
                raise BrowserConfigError(
                    "crawl4ai needs Scrapy's default asyncio reactor (TWISTED_REACTOR)"
                )
            # One of its own, and with it connections of its own: no page is sent on them.
            handler = self._handlers[_SERVICE] = self._made(urlsplit(self._config.url).scheme)
            self._client = Crawl4AIClient(
                self._config,
                as_service(handler.download_request),
                self._crawler.stats,
                is_closing=partial(is_closing, self._crawler),
            )
        return self._client

    async def close(self) -> None:
        handlers, self._handlers = self._handlers, {}
        for handler in handlers.values():
            await handler.close()


# Scrapy makes one handler for each scheme; the server's places are counted over all.
_shared: WeakKeyDictionary[Crawler, _Ordinary] = WeakKeyDictionary()


def _ordinary_of(crawler: Crawler) -> _Ordinary:
    if crawler not in _shared:
        _shared[crawler] = _Ordinary(crawler)
    return _shared[crawler]


def client_of(crawler: Crawler) -> Crawl4AIClient:
    """The client by which *crawler* asks crawl4ai.

    :raises BrowserConfigError: none is configured, or it cannot be used
    """
    return _ordinary_of(crawler).client()


def _response(page: Rendered, request: Request, version: str) -> HtmlResponse:
    kind = page.headers.get("content-type", "").partition(";")[0].strip().lower()
    headers: dict[str, Any] = {
        **page.headers,
        # of what is here: the HTML that the browser made of it, whose bytes are ours
        "content-type": f"{kind if _MIME.fullmatch(kind) else 'text/html'}; charset=utf-8",
        VERSION_HEADER: version,
    }
    if page.error:
        headers[ERROR_HEADER] = page.error
    return HtmlResponse(
        page.url,
        status=page.status,
        headers=headers,
        body=page.html.encode("utf-8", "replace"),
        encoding="utf-8",
        request=request,
    )
