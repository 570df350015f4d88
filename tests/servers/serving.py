"""Servers that run in a thread while a test is in their ``with`` block, and end with it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import socketserver


class Serving:
    """Serves ``_http`` in a thread of its own.

    A server that is entered twice would not end: ``shutdown()`` stops one of its threads, and the
    others poll the closed socket for ever.
    """

    _http: socketserver.TCPServer
    _poll_interval = 0.02  # seconds: how long shutdown() takes at most
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._thread is not None:
            raise RuntimeError("the server runs already")
        # A connection may be gone when it is to be accepted (accept(2)), which then would block.
        self._http.socket.setblocking(False)
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(self._poll_interval,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()


class Accepting:
    """Serves each connection to ``_socket`` in a thread of its own."""

    _socket: socket.socket
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._thread is not None:
            raise RuntimeError("the server runs already")
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        # close() alone does not wake accept().
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        raise NotImplementedError
