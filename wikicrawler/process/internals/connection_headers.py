"""Limits on the connections of Scrapy's HTTP/1.1 download handler.

Scrapy limits the size of bodies (``DOWNLOAD_MAXSIZE``), Twisted that of a header line, but not of
all headers. Neither has a setting for the time that an idle connection is kept.

Twisted repeats a request at once, on a new connection, if a kept connection is lost before the
response (``HTTPConnectionPool.retryAutomatically``). Scrapy has no setting for that, and its
exceptions do not tell such a loss from another.

Private names: ``HTTP11DownloadHandler._pool``, Scrapy's ``_LenientHTTP11ClientFactory`` and
``_LenientHTTP11ClientProtocol``, Twisted's ``HTTPConnectionPool._factory``,
``HTTP11ClientProtocol._parser``, ``_giveUp()``, ``_quiescentCallback``, and the parser states and
exceptions in ``twisted.web._newclient``. A bound on all headers of a response in Scrapy would
replace most of this module (https://github.com/scrapy/scrapy/issues/355); settings for idle
connections and for Twisted's repetition, the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from OpenSSL import SSL
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from twisted.internet.error import ConnectionDone, ConnectionLost
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
    from twisted.web._newclient import (
        HEADER,
        STATUS,
        RequestNotSent,
        RequestTransmissionFailed,
        ResponseNeverReceived,
    )

for _name in ("_parser", "_giveUp"):
    require(_LenientHTTP11ClientProtocol, _name, library="twisted", purpose=_PURPOSE)


def bound_connections(
    handler: HTTP11DownloadHandler,
    *,
    max_headers: int,
    too_large: Callable[[], Exception],
    idle_seconds: float,
    lost: Callable[[], Exception] | None,
) -> None:
    """Limit the connections that *handler* opens from now on.

    :param max_headers: maximum number of bytes before a body, 1xx responses included; also the
        limit of a single line
    :param too_large: returns the exception for a request beyond that limit
    :param idle_seconds: time to keep an idle connection
    :param lost: returns the exception for a request on a kept connection that is lost before the
        first byte of the response; None: Twisted repeats such a request at once
    :raises LibraryVersionError: the handler or its pool lacks a private name
    """
    require(handler, "_pool", library="scrapy", purpose=_PURPOSE)
    pool: Any = handler._pool
    require(pool, "_factory", library="twisted", purpose=_PURPOSE)

    def create_factory(quiescent_callback: Any, metadata: Any) -> _ConnectionFactory:
        factory = _ConnectionFactory(quiescent_callback, metadata)  # type: ignore[no-untyped-call]
        factory.max_headers, factory.too_large, factory.lost = max_headers, too_large, lost
        return factory

    pool._factory = create_factory
    pool.retryAutomatically = lost is None
    pool.cachedConnectionTimeout = idle_seconds


class _Connection(_LenientHTTP11ClientProtocol):
    received = 0
    is_kept = False
    """True from the second request on."""
    max_headers: int
    too_large: Callable[[], Exception]
    lost: Callable[[], Exception] | None

    def request(self, request: Any) -> Any:
        self.received = 0
        sent = super().request(request)
        if self._parser is not None:
            self._parser.MAX_LENGTH = self.max_headers
        if self.is_kept and self.lost is not None:
            sent.addErrback(self._replace_loss)
        self.is_kept = True
        return sent

    def _replace_loss(self, failure: Failure) -> Failure:
        """Return the failure of a request with the exception for a lost connection, if it was
        lost before the response."""
        if self.lost is None or self.received or not _is_loss(failure):
            return failure
        error = self.lost()
        error.__cause__ = failure.value
        return Failure(error)  # type: ignore[no-untyped-call]

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self._parser is None or self._parser.state not in (STATUS, HEADER):
            return
        self.received += len(data)
        if self.received > self.max_headers:
            error: Any = self.too_large()
            self._giveUp(Failure(error))  # type: ignore[no-untyped-call]


class _ConnectionFactory(_LenientHTTP11ClientFactory):
    max_headers: int
    too_large: Callable[[], Exception]
    lost: Callable[[], Exception] | None

    def buildProtocol(self, addr: Any) -> _Connection:  # noqa: N802 - Twisted's name
        connection = _Connection(self._quiescentCallback)  # type: ignore[no-untyped-call]
        connection.max_headers, connection.too_large = self.max_headers, self.too_large
        connection.lost = self.lost
        return connection


def _is_loss(failure: Any) -> bool:
    """Return whether the server, not the crawl, ended the connection of a request."""
    if failure.check(RequestNotSent):
        return True
    if not failure.check(RequestTransmissionFailed, ResponseNeverReceived):
        return False
    # A cancelled request, one beyond a limit, and an invalid response have other reasons.
    reasons = failure.value.reasons
    return all(reason.check(ConnectionDone, ConnectionLost, SSL.Error) for reason in reasons)
