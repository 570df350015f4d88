"""Scrapy's decompression of bodies, one layer at a time.

Private name: ``HttpCompressionMiddleware._decode()``, which decompresses one layer of
``Content-Encoding``. Scrapy has no public function to decompress with a size limit, and no hook to
check the result before the headers of the response are changed; either would replace this module.
"""

from __future__ import annotations

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware

from wikicrawler.process.internals.presence import require

_PURPOSE = "The check of compressed bodies"

require(
    HttpCompressionMiddleware,
    "_decode",
    *("body", "encoding", "max_size"),
    library="scrapy",
    purpose=_PURPOSE,
)


class LayerwiseCompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's HttpCompressionMiddleware, with :meth:`decode_layer` for subclasses to override."""

    def decode_layer(self, body: bytes, coding: bytes, max_size: int) -> bytes:
        """Return *body* without one layer of compression.

        :param coding: the content coding of that layer, as ``b"gzip"``
        :param max_size: maximum size of the result in bytes; 0 for no limit
        """
        return HttpCompressionMiddleware._decode(body, coding, max_size)

    # Static in Scrapy, but called on the object.
    def _decode(self, body: bytes, encoding: bytes, max_size: int) -> bytes:  # type: ignore[override]
        return self.decode_layer(body, encoding, max_size)
