"""Limits on HTTP connections: total size of response headers, idle time."""

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
"""Maximum number of bytes before a body, 1xx responses included; browsers have the same limit."""
IDLE_SECONDS = 5
"""Seconds for which an idle connection is kept (Twisted: 240). Each one takes a file descriptor,
for every host that was visited recently."""


class HeadersTooLargeError(DownloadCancelledError):
    """A response has more than :data:`MAX_HEADERS` bytes before its body."""


class BoundedHeadersHandler(HTTP11DownloadHandler):
    """Scrapy's HTTP/1.1 download handler with a limit on the total size of response headers.

    A request beyond the limit fails with a :class:`HeadersTooLargeError`, a subclass of the error
    that a body beyond ``DOWNLOAD_MAXSIZE`` raises. One header line may take up the whole limit;
    Twisted allows 16 KiB for a line and has no limit on their sum.
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
