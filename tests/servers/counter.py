"""A server that nothing should reach: it notes whoever connects.

::

    with Counter() as other:
        ...show a page that names other.origin...
        assert other.seen == []
"""

from __future__ import annotations

import socket
import threading
from typing import Self


class Counter:
    """Another server, which counts connections: what only connects tells something, too."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.2", 0))
        self.origin = f"http://127.0.0.2:{self._socket.getsockname()[1]}"
        self.seen: list[bytes] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(2)
            at = len(self.seen)
            self.seen.append(b"connected")
            try:
                self.seen[at] = connection.recv(4000).split(b"\r\n")[0] or b"connected"
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            except OSError:
                return
