"""Limits on HTTP connections: total size of response headers, idle time, repeated requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import DownloadFailedError

from wikicrawler import options
from wikicrawler.guard.connection_errors import (
    MAX_HEADERS,
    HeadersTooLargeError,
    KeptConnectionLostError,
)
from wikicrawler.guard.services import as_service
from wikicrawler.guard.site_credentials import credentials_of
from wikicrawler.process.internals.connection_headers import bound_connections

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

IDLE_SECONDS = 5
"""Seconds for which an idle connection is kept (Twisted: 240). Each one takes a file descriptor,
for every host that was visited recently."""


class BoundedHeadersHandler(HTTP11DownloadHandler):
    """Scrapy's HTTP/1.1 download handler with a limit on the total size of response headers.

    A request beyond the limit fails with a :class:`HeadersTooLargeError`, a subclass of the error
    that a body beyond ``DOWNLOAD_MAXSIZE`` raises. One header line may take up the whole limit;
    Twisted allows 16 KiB for a line and has no limit on their sum.

    A request whose kept connection is lost before the response fails with a
    :class:`KeptConnectionLostError`. Twisted would repeat it at once, before the site's delay has
    passed; it still does without the throttle (``DOMAIN_THROTTLE_ENABLED = False``) and without the
    audit log (``WIKICRAWLER_AUDIT``).

    A request with the meta key ``proxy`` may connect to a proxy at a private address. A request to
    a wiki with a log-in, or through a proxy with one, is sent with its credentials
    (:mod:`wikicrawler.guard.site_credentials`).
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        # The throttle would not delay, and the audit log would lack, what Twisted repeats.
        reported = options.DOMAIN_THROTTLE_ENABLED, options.AUDIT
        bound_connections(
            self,
            max_headers=MAX_HEADERS,
            too_large=_too_large,
            idle_seconds=IDLE_SECONDS,
            lost=_lost if any(one.read(crawler.settings) for one in reported) else None,
        )

    async def download_request(self, request: Request) -> Response:
        # The connection to a proxy is not one to the page.
        download = super().download_request
        send = as_service(download) if request.meta.get("proxy") else download
        try:
            return await credentials_of(self.crawler).send(request, send)
        except DownloadFailedError as error:
            for reason in getattr(error.__cause__, "reasons", ()):
                if reason.check(HeadersTooLargeError):
                    raise reason.value from None
            raise


def _too_large() -> HeadersTooLargeError:
    return HeadersTooLargeError(f"more than {MAX_HEADERS // 1024} KiB of headers")


def _lost() -> KeptConnectionLostError:
    return KeptConnectionLostError("the kept connection was lost before the response")
