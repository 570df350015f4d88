"""Bodies that are not what their ``Content-Encoding`` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest

from wikicrawler.safe_text import one_line

if TYPE_CHECKING:
    from scrapy.http import Request, Response


class EncodingError(Exception):
    """A body could not be decoded."""


class SafeCompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's HttpCompressionMiddleware with one exception, :class:`EncodingError`, for a body
    that cannot be decoded, where each library has its own.

    Settings: ``COMPRESSION_ENABLED``, ``DOWNLOAD_MAXSIZE``, which bounds what is decoded while it
    is decoded; all as in Scrapy.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            return super().process_response(request, response)
        except IgnoreRequest:  # it is too large
            raise
        except Exception as error:
            named = b", ".join(response.headers.getlist("Content-Encoding")).decode("latin-1")
            why = f"its body cannot be decoded as {one_line(named, 40)}: {one_line(error, 100)}"
            raise EncodingError(why) from error
