"""Response bodies whose content coding or charset differs from what their headers declare."""

from __future__ import annotations

from gzip import GzipFile
from io import BytesIO
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.responsetypes import responsetypes
from w3lib.encoding import read_bom

from wikicrawler.content.encodings import guess_encoding, is_plausible
from wikicrawler.process.internals.decompression import LayerwiseCompressionMiddleware
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_UNCHECKED_ENCODINGS = frozenset({"utf-8", "cp1252"})
_CHUNK = 65536
_GZIP = (b"gzip", b"x-gzip")
MAX_STREAMS = 1_000
"""Maximum number of concatenated compressed streams in one body. Tools that compress by blocks
write a few hundred within ``DOWNLOAD_MAXSIZE``."""
_MAGIC = {
    **dict.fromkeys(_GZIP, (b"\x1f\x8b\x08",)),
    b"zstd": (b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"),  # the second: skippable frames
}
"""First bytes of a stream, by content coding."""
_CUT = frozenset({"download_stopped", "dataloss"})
"""Flags of responses whose body is known to be cut."""


class EncodingError(Exception):
    """A body could not be decoded completely."""


class BodyDecodingMiddleware(LayerwiseCompressionMiddleware):
    """Scrapy's HttpCompressionMiddleware that handles wrong Content-Encoding headers and truncated
    bodies.

    - Uncompressed HTML is accepted whatever its Content-Encoding says. A body that cannot be
      decompressed completely is fetched again (``RETRY_TIMES``), then fails with an
      :class:`EncodingError`. Truncated ``deflate``, ``br`` and ``zstd`` bodies are not detected.
    - A body that the crawl itself cut (``StopDownload``), or was told to accept cut
      (``DOWNLOAD_FAIL_ON_DATALOSS``), is decoded as far as it goes, as in Scrapy. It is not fetched
      again.
    - A charset that no browser knows, or that does not fit the page, is ignored. Python has codecs
      of such names that decode nothing (``undefined``) or something else (``rot13``).

    Settings: ``COMPRESSION_ENABLED``, ``DOWNLOAD_MAXSIZE``, ``RETRY_ENABLED``, ``RETRY_TIMES``;
    meta key ``dont_retry``; all as in Scrapy.
    """

    def __init__(self, *, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._crawler = crawler
        self._retry_enabled = crawler.settings.getbool("RETRY_ENABLED")
        self._may_be_cut = False  # of the response that is being decoded

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        coding = response.headers.getlist("Content-Encoding")
        self._may_be_cut = not _CUT.isdisjoint(response.flags)
        try:
            decoded = super().process_response(request, response)
        except IgnoreRequest:  # too large
            raise
        except Exception as error:  # every coding raises its own exceptions
            if not response.body.lstrip().startswith(b"<"):
                return self._retry_or_fail(request, coding, error)
            decoded = _without_content_encoding(response)
        return _with_valid_encoding(decoded)  # type: ignore[arg-type]

    def decode_layer(self, body: bytes, coding: bytes, max_size: int) -> bytes:
        # Even an empty stream takes microseconds to decompress.
        if any(body.count(magic) > MAX_STREAMS for magic in _MAGIC.get(coding, ())):
            raise EncodingError(f"it has more than {MAX_STREAMS} streams")
        decoded = super().decode_layer(body, coding, max_size)
        if coding in _GZIP and not self._may_be_cut and not _is_complete(body, len(decoded)):
            raise EncodingError("it is truncated")
        return decoded

    def _retry_or_fail(self, request: Request, coding: list[bytes], error: Exception) -> Request:
        named = one_line(b", ".join(coding).decode("latin-1"), 40)
        why = f"its body cannot be decoded as {named}: {one_line(error, 100)}"
        retry = None
        may_retry = self._retry_enabled and not request.meta.get("dont_retry")
        if may_retry and not self._may_be_cut:
            spider = self._crawler.spider
            assert spider is not None  # noqa: S101 - requests exist only while a spider is open
            retry = get_retry_request(request, spider=spider, reason=why)
        if retry is None:
            raise EncodingError(why) from error
        return retry


def _without_content_encoding(response: Response) -> Response:
    headers = response.headers.copy()
    del headers["Content-Encoding"]
    cls = responsetypes.from_args(headers=headers, url=response.url, body=response.body)
    return response.replace(cls=cls, headers=headers)


def _with_valid_encoding(response: Response) -> Response:
    """Return *response*, with a guessed encoding if its own cannot be right."""
    if (
        isinstance(response, HtmlResponse)
        and response.encoding not in _UNCHECKED_ENCODINGS  # the conversion checks these itself
        and not is_plausible(response.encoding, response.body)
        and read_bom(response.body)[0] is None
    ):
        return response.replace(encoding=guess_encoding(response.body))
    return response


def _is_complete(data: bytes, length: int) -> bool:
    """Return whether *data*, decompressed to *length* bytes, has the end of its gzip stream."""
    # With a single stream and no trailing data, the last four bytes are the length.
    return int.from_bytes(data[-4:], "little") == length % 2**32 or not data or _has_end(data)


def _has_end(data: bytes) -> bool:
    file = GzipFile(fileobj=BytesIO(data))
    try:
        while file.read1(_CHUNK):
            pass
    except EOFError:
        return False
    except OSError:  # trailing data or a bad checksum: keep what was decoded
        return True
    return True
