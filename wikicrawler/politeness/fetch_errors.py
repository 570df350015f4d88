"""Exceptions of a fetch that brought no answer, as Scrapy, Twisted and our handlers raise them."""

from __future__ import annotations

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from twisted.internet.error import ConnectError, ConnectionDone, ConnectionLost, DNSLookupError
from twisted.internet.error import TimeoutError as TwistedTimeoutError
from twisted.web.client import ResponseFailed

from wikicrawler.guard.bodies import EncodingError

TIMEOUTS = (DownloadTimeoutError, TwistedTimeoutError, TimeoutError)
CANCELLED = (DownloadCancelledError,)
"""``DOWNLOAD_MAXSIZE`` and other limits cancel a download."""
NETWORK_ERRORS = (
    CannotResolveHostError,
    ConnectError,
    ConnectionDone,
    ConnectionLost,
    DNSLookupError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    EncodingError,
    ResponseDataLossError,
    ResponseFailed,
    UnsupportedURLSchemeError,
    OSError,
)
FETCH_ERRORS = TIMEOUTS + CANCELLED + NETWORK_ERRORS
