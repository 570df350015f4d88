"""Bounds on connections: on an answer's headers, of which Twisted bounds a line, and on idling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError

from wikicrawler.process.internals.connection_headers import bound_connections

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

MAX_HEADERS = 256 * 1024
"""Bytes of all that comes before a body, answers 1xx included: what browsers take."""
IDLE_SECONDS = 5
"""How long a connection waits for the next request: a file of the process each, for every host that
was visited so lately. Twisted's own are 240."""


class HeadersTooLargeError(DownloadCancelledError):
    """An answer has more than :data:`MAX_HEADERS` before its body, or no end of it."""


class BoundedHeadersHandler(HTTP11DownloadHandler):
    """Scrapy's HTTP/1.1 handler that ends an answer whose headers do not end.

    Such a request fails with a :class:`HeadersTooLargeError`, as one whose body is beyond
    ``DOWNLOAD_MAXSIZE`` does with its parent. A single header may be as long as all together, where
    Twisted allows 16 KiB.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        bound_connections(
            self, max_headers=MAX_HEADERS, too_large=_too_large, idle_seconds=IDLE_SECONDS
        )

    async def download_request(self, request: Request) -> Response:
        try:
            return await super().download_request(request)
        except DownloadFailedError as error:
            for reason in getattr(error.__cause__, "reasons", ()):
                if reason.check(HeadersTooLargeError):
                    raise reason.value from None
            raise


def _too_large() -> HeadersTooLargeError:
    return HeadersTooLargeError(f"more than {MAX_HEADERS // 1024} KiB of headers")
