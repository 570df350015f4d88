"""Scrapy download handler that renders pages with crawl4ai."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse
from scrapy.utils.reactor import is_asyncio_reactor_installed

from wikicrawler import options
from wikicrawler.errors import Reason
from wikicrawler.process.internals.downloader_slots import slot_of
from wikicrawler.tiers.crawl4ai.client import Crawl4AIClient
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.errors import BrowserConfigError
from wikicrawler.tiers.crawl4ai.late_content import LateContent
from wikicrawler.tiers.crawl4ai.protocol import PREFETCH_VERSION
from wikicrawler.tiers.progress import attempts_of
from wikicrawler.tiers.service.closing import is_closing, run_until_closing
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
WAIT_FOR_META = "crawl4ai_wait_for"
"""Request meta key: CSS selector of an element that the complete page has."""
STEALTH_META = "crawl4ai_stealth"
"""Request meta key: True to render the page in a browser that hides that it is automated."""
ERROR_HEADER = "X-Crawl4AI-Error"
"""Response header: the error that crawl4ai reports for a page whose HTML it returned anyway."""
VERSION_HEADER = "X-Crawl4AI-Version"
"""Response header of each rendered page: the server's version, or ``unknown``."""

_SHELLS = {Reason.JS_SHELL, Reason.EMPTY}
_MIME = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}")


class Crawl4AIHandler(ServiceHandler[Crawl4AIClient]):
    """Download handler that renders requests with a true meta ``crawl4ai`` in crawl4ai's browser.

    A page whose content comes late is rendered up to three times
    (:mod:`~wikicrawler.tiers.crawl4ai.late_content`), unless ``crawl4ai`` is a dict.
    ``crawl4ai_wait_for`` is the CSS selector of an element that the complete page has. A true
    ``crawl4ai_stealth`` selects a browser that hides that it is automated. The ordinary
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

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        config = Crawl4AIConfig.from_settings(crawler.settings)
        renderings, timeout = (config.renderings, config.timeout) if config else (1, 0.0)
        self._late_content = LateContent(renderings, timeout, self._can_flatten)

    def _can_flatten(self) -> bool:
        version = self._shared.service().version
        return version is not None and version >= PREFETCH_VERSION

    def check(self, request: Request) -> None:
        wanted = request.meta[META]
        selector = request.meta.get(WAIT_FOR_META)
        if selector is not None and not isinstance(selector, str):
            raise BrowserConfigError(
                f"meta['{WAIT_FOR_META}'] is {type(selector).__name__}: a CSS selector is right"
            )
        if request.method != "GET":
            raise BrowserConfigError(f"meta['{META}']: only GET is rendered, not {request.method}")
        if wanted is not True and not isinstance(wanted, dict):
            raise BrowserConfigError(
                f"meta['{META}'] is {type(wanted).__name__}: True is right, or a dict of "
                "parameters of CrawlerRunConfig"
            )

    async def fetch(self, request: Request, service: Crawl4AIClient) -> Response:
        wanted = request.meta[META]
        crawl = partial(
            service.crawl,
            max_size=request.meta.get("download_maxsize"),
            stealth=bool(request.meta.get(STEALTH_META)),
            site_delay=partial(_site_delay, self._crawler, request),
        )
        if isinstance(wanted, dict):
            page, seconds = await crawl(request.url, wanted)
        else:
            page, seconds = await self._late_content.render(
                request.url,
                crawl,
                partial(self._pause, request),
                selector=request.meta.get(WAIT_FOR_META) or "",
                was_shell=any(a["reason"] in _SHELLS for a in attempts_of(request)),
            )
        request.meta["download_latency"] = seconds
        version = ".".join(map(str, service.version)) if service.version else "unknown"
        return _response(page, request, version)

    async def _pause(self, request: Request) -> None:
        """Wait as long as the pace of the page's site demands before it is asked again."""
        ending = partial(is_closing, self._crawler)
        await run_until_closing(ending, asyncio.sleep(_site_delay(self._crawler, request)))


def _site_delay(crawler: Crawler, request: Request) -> float:
    """Return the seconds that the site of *request* rests after a request that ends now."""
    slot = slot_of(crawler, request.meta.get("download_slot", ""))
    return slot.delay_after(monotonic()) if slot is not None else 0.0


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
