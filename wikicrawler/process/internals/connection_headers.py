"""Bounds on the connections of Scrapy's HTTP/1.1 download handler.

Scrapy bounds bodies (``DOWNLOAD_MAXSIZE``); Twisted bounds a header line, not the headers
together; neither has a setting for how long an idle connection is kept.

Private names: ``HTTP11DownloadHandler._pool``, Scrapy's ``_LenientHTTP11ClientFactory`` and
``_LenientHTTP11ClientProtocol``, Twisted's ``HTTPConnectionPool._factory``,
``HTTP11ClientProtocol._parser``, ``_giveUp()``, ``_quiescentCallback`` and the parser states in
``twisted.web._newclient``. A bound on all headers of a response in Scrapy would replace most of
this module (https://github.com/scrapy/scrapy/issues/355); a setting for idle connections, the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from twisted.python.failure import Failure

from wikicrawler.process.internals.presence import imported_from, require

if TYPE_CHECKING:
    from collections.abc import Callable

_PURPOSE = "The bound on the headers of a response"

with imported_from("scrapy", _PURPOSE):
    from scrapy.core.downloader.handlers.http11 import (
        _LenientHTTP11ClientFactory,
        _LenientHTTP11ClientProtocol,
    )
with imported_from("twisted", _PURPOSE):
    from twisted.web._newclient import HEADER, STATUS

for _name in ("_parser", "_giveUp"):
    require(_LenientHTTP11ClientProtocol, _name, library="twisted", purpose=_PURPOSE)


def bound_connections(
    handler: HTTP11DownloadHandler,
    *,
    max_headers: int,
    too_large: Callable[[], Exception],
    idle_seconds: float,
) -> None:
    """Bound the connections that *handler* opens from now on.

    :param max_headers: bytes of all that precedes a body, 1xx responses included; a single line
        may have as many
    :param too_large: makes the error that a request with more fails with
    :param idle_seconds: how long a connection is kept for the next request
    :raises LibraryVersionError: the handler or its pool lack a private name
    """
    require(handler, "_pool", library="scrapy", purpose=_PURPOSE)
    pool: Any = handler._pool
    require(pool, "_factory", library="twisted", purpose=_PURPOSE)

    def factory(quiescent_callback: Any, metadata: Any) -> _Connections:
        made = _Connections(quiescent_callback, metadata)  # type: ignore[no-untyped-call]
        made.max_headers, made.too_large = max_headers, too_large
        return made

    pool._factory = factory
    pool.cachedConnectionTimeout = idle_seconds


class _Connection(_LenientHTTP11ClientProtocol):
    received = 0
    max_headers: int
    too_large: Callable[[], Exception]

    def request(self, request: Any) -> Any:
        self.received = 0
        sent = super().request(request)
        if self._parser is not None:
            self._parser.MAX_LENGTH = self.max_headers
        return sent

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self._parser is None or self._parser.state not in (STATUS, HEADER):
            return
        self.received += len(data)
        if self.received > self.max_headers:
            error: Any = self.too_large()
            self._giveUp(Failure(error))  # type: ignore[no-untyped-call]


class _Connections(_LenientHTTP11ClientFactory):
    max_headers: int
    too_large: Callable[[], Exception]

    def buildProtocol(self, addr: Any) -> _Connection:  # noqa: N802 - Twisted's name
        made = _Connection(self._quiescentCallback)  # type: ignore[no-untyped-call]
        made.max_headers, made.too_large = self.max_headers, self.too_large
        return made
