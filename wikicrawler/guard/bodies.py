"""Bodies that are not in the coding or the encoding that their headers say."""

from __future__ import annotations

from gzip import GzipFile
from io import BytesIO
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.responsetypes import responsetypes
from w3lib.encoding import read_bom

from wikicrawler.content.encodings import guess_encoding, may_be
from wikicrawler.process.internals.decompression import LayerwiseCompressionMiddleware
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_READ = frozenset({"utf-8", "cp1252"})
_CHUNK = 65536
_GZIP = (b"gzip", b"x-gzip")
MAX_STREAMS = 1_000
"""Compressed streams in a row that are taken for one body. Tools that compress by blocks make some
hundred of what ``DOWNLOAD_MAXSIZE`` allows."""
_STREAMS = {
    **dict.fromkeys(_GZIP, (b"\x1f\x8b\x08",)),
    b"zstd": (b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"),  # the second is of frames to skip
}
"""How each stream begins, by its coding."""


class EncodingError(Exception):
    """A body could not be decoded to its end."""


class SoundBodyMiddleware(LayerwiseCompressionMiddleware):
    """Scrapy's HttpCompressionMiddleware, which neither fails on a body that is not compressed as
    its headers say nor takes a part of one for the whole.

    - What is plain HTML is taken as it is. What cannot be decompressed to its end is asked for
      again (``RETRY_TIMES``); then it fails with an :class:`EncodingError`. Of ``deflate``, ``br``
      and ``zstd`` a missing end is not seen.
    - A charset that no browser knows, or that the page cannot have, is ignored. Python has codecs
      of such names which decode nothing (``undefined``), or something else (``rot13``).

    Settings: ``COMPRESSION_ENABLED``, ``DOWNLOAD_MAXSIZE``, ``RETRY_ENABLED``, ``RETRY_TIMES``;
    meta key ``dont_retry``; all as in Scrapy.
    """

    def __init__(self, *, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._crawler = crawler
        self._retry = crawler.settings.getbool("RETRY_ENABLED")

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        coding = response.headers.getlist("Content-Encoding")
        try:
            decoded = super().process_response(request, response)
        except IgnoreRequest:  # too large
            raise
        except Exception as error:  # each coding has errors of its own
            if not response.body.lstrip().startswith(b"<"):
                return self._again(request, coding, error)
            decoded = _as_it_is(response)
        return _readable(decoded)  # type: ignore[arg-type]

    def decode_layer(self, body: bytes, coding: bytes, max_size: int) -> bytes:
        # A stream takes microseconds, be it empty.
        if any(body.count(magic) > MAX_STREAMS for magic in _STREAMS.get(coding, ())):
            raise EncodingError(f"it is in more than {MAX_STREAMS} streams")
        decoded = super().decode_layer(body, coding, max_size)
        if coding in _GZIP and not _is_whole(body, len(decoded)):
            raise EncodingError("it is cut short")
        return decoded

    def _again(self, request: Request, coding: list[bytes], error: Exception) -> Request:
        named = one_line(b", ".join(coding).decode("latin-1"), 40)
        why = f"its body cannot be decoded as {named}: {one_line(error, 100)}"
        retry = None
        if self._retry and not request.meta.get("dont_retry"):
            spider = self._crawler.spider
            assert spider is not None  # noqa: S101 - it made the request
            retry = get_retry_request(request, spider=spider, reason=why)
        if retry is None:
            raise EncodingError(why) from error
        return retry


def _as_it_is(response: Response) -> Response:
    headers = response.headers.copy()
    del headers["Content-Encoding"]
    cls = responsetypes.from_args(headers=headers, url=response.url, body=response.body)
    return response.replace(cls=cls, headers=headers)


def _readable(response: Response) -> Response:
    """With an encoding that can be read."""
    if (
        isinstance(response, HtmlResponse)
        and response.encoding not in _READ  # what the conversion makes of these is its own affair
        and not may_be(response.encoding, response.body)
        and read_bom(response.body)[0] is None
    ):
        return response.replace(encoding=guess_encoding(response.body))
    return response


def _is_whole(data: bytes, length: int) -> bool:
    """Whether *data*, which was decompressed to *length* bytes, has the end of its gzip stream."""
    # The last four bytes are the length, if nothing is behind the only stream.
    return int.from_bytes(data[-4:], "little") == length % 2**32 or not data or _ends(data)


def _ends(data: bytes) -> bool:
    file = GzipFile(fileobj=BytesIO(data))
    try:
        while file.read1(_CHUNK):
            pass
    except EOFError:
        return False
    except OSError:  # something else is behind it, or its checksum is wrong: what is there is there
        return True
    return True
