"""Requests in the memory of Redis, a third of their size.

The JSON of a request is mostly names that all requests have, and parts of URLs that it repeats. So
it is compressed with a dictionary of such names, which takes some microseconds.
"""

from __future__ import annotations

import zlib

_PLAIN, _DEFLATED = b"\x00", b"\x01"
"""First bytes. What is packed with another dictionary needs another one."""
_WINDOW = -12  # a raw stream, of a window of 4 KiB
_DICTIONARY = (
    b'"class":"scrapy.http.request.form.FormRequest""method":"POST","body":{"$bytes":"'
    b'"encoding":"utf-8","flags":[],"cookies":{},"dont_filter":true,"cb_kwargs":{}'
    b'"handle_httpstatus_list":[404],"redirect_times":1,"redirect_ttl":20,"redirect_urls":["'
    b'"redirect_reasons":[301,302],"retry_times":1,"download_timeout":180.0,"not_before":17'
    b'"Accept":["text/html,application/xhtml+xml"],"Content-Type":["application/json"]'
    b'"tiers":"mediawiki""http""browser""crawl4ai"'
    b".html.php?title=Special:Category:Help:Talk:User:File:http://en.wikipedia.org/wiki/"
    b'{"v":1,"url":"https://www.","headers":{"Referer":["https://www."]},"meta":{'
    b'"tiers_strict":true,"page_depth":1,"guarded_link":true,"frontier_kind":"page","depth":1,'
    b'"download_slot":".org","_assigned_slot":".com"},"callback":"parse","errback":"skipped",'
    b'"priority":-1}'
)
"""What requests often hold; the most frequent at the end."""


class UnpackingError(ValueError):
    """What is stored cannot be unpacked."""


def packed(request: bytes) -> bytes:
    """Return *request* as it is stored."""
    deflate = zlib.compressobj(1, zlib.DEFLATED, _WINDOW, 5, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
    short = deflate.compress(request) + deflate.flush()
    return _DEFLATED + short if len(short) < len(request) else _PLAIN + request


def unpacked(stored: bytes) -> bytes:
    """Return what :func:`packed` was given.

    :raises UnpackingError: *stored* is not what it has returned
    """
    kind, rest = stored[:1], stored[1:]
    if kind == _PLAIN:
        return rest
    if kind != _DEFLATED:
        raise UnpackingError("it is in an unknown form")
    inflate = zlib.decompressobj(_WINDOW, _DICTIONARY)
    try:
        request = inflate.decompress(rest) + inflate.flush()
    except zlib.error as error:
        raise UnpackingError(str(error)) from None
    if not inflate.eof:
        raise UnpackingError("its end is missing")
    return request
