"""Errors of HTTP connections.

They stand apart from the download handler that raises them, because to import the handler takes as
long as to import the rest of a spider.
"""

from __future__ import annotations

from scrapy.exceptions import DownloadCancelledError, DownloadFailedError

MAX_HEADERS = 256 * 1024
"""Maximum number of bytes before a body, 1xx responses included; browsers have the same limit."""


class HeadersTooLargeError(DownloadCancelledError):
    """A response has more than :data:`MAX_HEADERS` bytes before its body."""


class KeptConnectionLostError(DownloadFailedError):
    """A kept connection was lost before the first byte of the response.

    The server may have closed it while it was idle, so a repetition is likely to succeed.
    """


class CertificateError(DownloadFailedError):
    """The certificate of a host cannot be verified. A retry would not help.

    Scrapy's handler raises a plain :exc:`~scrapy.exceptions.DownloadFailedError`.
    """
