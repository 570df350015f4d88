"""Scrapy download handler that renders pages with crawl4ai."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse
from scrapy.utils.reactor import is_asyncio_reactor_installed

from wikicrawler import options
from wikicrawler.tiers.crawl4ai.client import Crawl4AIClient
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.errors import BrowserConfigError
from wikicrawler.tiers.service.closing import is_closing
from wikicrawler.tiers.service.handler import Address, ServiceHandler

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.tiers.crawl4ai.protocol import Rendered

META = "crawl4ai"
"""Request meta key: True, or a dict of parameters of crawl4ai's ``CrawlerRunConfig``."""
STEALTH_META = "crawl4ai_stealth"
"""Request meta key: True to render the page in a browser that hides that it is automated."""
ERROR_HEADER = "X-Crawl4AI-Error"
"""Response header: the error that crawl4ai reports for a page whose HTML it returned anyway."""
VERSION_HEADER = "X-Crawl4AI-Version"
"""Response header of each rendered page: the server's version, or ``unknown``."""

_MIME = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}")


class Crawl4AIHandler(ServiceHandler[Crawl4AIClient]):
    """Download handler that renders requests with a true meta ``crawl4ai`` in crawl4ai's browser.

    A true ``crawl4ai_stealth`` selects a browser that hides that it is automated. The ordinary
    handler of the scheme sends all other requests.

    The response is an ``HtmlResponse`` in UTF-8 with the page after its scripts have run. Its URL
    and status are those after redirects, its headers are the page's. The request's headers, cookies
    and body are ignored, and its method must be GET.

    Set it in ``DOWNLOAD_HANDLERS`` under ``http`` and ``https``. The ordinary handlers are
    Scrapy's, or those of ``CRAWL4AI_FALLBACK_HANDLERS`` (a dict like ``DOWNLOAD_HANDLERS``). Other
    settings: ``CRAWL4AI_URL``, ``CRAWL4AI_API_TOKEN``, ``CRAWL4AI_TIMEOUT``,
    ``CRAWL4AI_CONCURRENCY``, ``CRAWL4AI_RETRY_DELAYS``; ``docs/settings.md`` describes them. A
    request waits in its own site's download slot, so that the site's rate limit includes rendered
    pages.

    It raises :class:`~wikicrawler.tiers.crawl4ai.errors.BrowserError` if crawl4ai is at fault, and
    Scrapy's own download exceptions if the page's site is. When the spider is closed, requests end
    with :class:`~wikicrawler.errors.TierInterruptedError`: waiting ones at once, those in flight
    within 5 seconds.
    """

    meta_key = META
    fallback = options.CRAWL4AI_FALLBACK_HANDLERS

    @classmethod
    def address(cls, settings: BaseSettings) -> Address | None:
        config = Crawl4AIConfig.from_settings(settings)
        return Address(config.url, options.CRAWL4AI_URL.name) if config is not None else None

    @classmethod
    def connect(
        cls, crawler: Crawler, send: Callable[[Request], Awaitable[Response]] | None
    ) -> Crawl4AIClient:
        """Create crawl4ai's client.

        :raises BrowserConfigError: crawl4ai is not configured, or Scrapy uses another reactor
        """
        config = Crawl4AIConfig.from_settings(crawler.settings)
        if config is None or send is None:
            raise BrowserConfigError("no crawl4ai is configured: set CRAWL4AI_URL")
        if not is_asyncio_reactor_installed():
            raise BrowserConfigError(
                "crawl4ai needs Scrapy's default asyncio reactor (TWISTED_REACTOR)"
            )
        is_ending = partial(is_closing, crawler)
        return Crawl4AIClient(config, send, crawler.stats, is_closing=is_ending)

    def check(self, request: Request) -> None:
        wanted = request.meta[META]
        if request.method != "GET":
            raise BrowserConfigError(f"meta['{META}']: only GET is rendered, not {request.method}")
        if wanted is not True and not isinstance(wanted, dict):
            raise BrowserConfigError(
                f"meta['{META}'] is {type(wanted).__name__}: True is right, or a dict of "
                "parameters of CrawlerRunConfig"
            )

    async def fetch(self, request: Request, service: Crawl4AIClient) -> Response:
        wanted = request.meta[META]
        page, seconds = await service.crawl(
            request.url,
            wanted if isinstance(wanted, dict) else None,
            request.meta.get("download_maxsize"),
            stealth=bool(request.meta.get(STEALTH_META)),
        )
        request.meta["download_latency"] = seconds
        version = ".".join(map(str, service.version)) if service.version else "unknown"
        return _response(page, request, version)


def _response(page: Rendered, request: Request, version: str) -> HtmlResponse:
    kind = page.headers.get("content-type", "").partition(";")[0].strip().lower()
    headers: dict[str, Any] = {
        **page.headers,
        # The body is the browser's HTML, which we encode.
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
