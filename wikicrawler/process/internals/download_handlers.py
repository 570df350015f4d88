"""The call by which Scrapy's downloader hands each request to its download handler.

Undocumented names: ``engine.downloader.handlers``, ``DownloadHandlers.download_request_async()``
and, private, ``DownloadHandlers._get_handler()``. No signal has the request and what became of it:
``request_reached_downloader`` is sent before the delay of a slot, and no signal reports a failure.
A hook around the download handlers would replace this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers import DownloadHandlers
from scrapy.utils.httpobj import urlparse_cached

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy import Request
    from scrapy.core.engine import ExecutionEngine
    from scrapy.http import Response

_PURPOSE = "The audit log"
_LOCAL = frozenset(("data", "file"))

require(DownloadHandlers, "_get_handler", "scheme", library="scrapy", purpose=_PURPOSE)
require(DownloadHandlers, "download_request_async", "request", library="scrapy", purpose=_PURPOSE)


def wrap_downloads(
    engine: ExecutionEngine,
    download: Callable[
        [Request, Callable[[Request], Awaitable[Response]], bool], Awaitable[Response]
    ],
) -> None:
    """Have *download* send each request that is handed to a handler of the network from now on.

    Its arguments are the request, a function that sends it, and whether the handler delegates it to
    another one (attribute ``delegates_requests``).
    """
    handlers = engine.downloader.handlers
    send = handlers.download_request_async

    async def download_request_async(request: Request) -> Response:
        scheme = urlparse_cached(request).scheme
        handler = handlers._get_handler(scheme)
        if handler is None or scheme in _LOCAL:
            return await send(request)
        return await download(request, send, getattr(handler, "delegates_requests", False))

    handlers.download_request_async = download_request_async  # type: ignore[method-assign]
