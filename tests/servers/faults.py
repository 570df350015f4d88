"""A proxy for connections of any protocol that fails as networks do.

::

    with FaultyProxy(port) as proxy:
        proxy.port            # what is sent there is sent on to 127.0.0.1:port, and back
        proxy.lose_reply()    # the next answer never arrives, and its connection breaks
        proxy.is_away = True  # connections break, and new ones are closed at once
        proxy.is_cut = True   # nothing arrives any more, and no connection learns of it
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from time import sleep

from tests.servers.serving import Accepting


class FaultyProxy(Accepting):
    """Context manager; forwards to *target*, a port of this machine.

    :param delay: seconds that what is sent takes, in either direction
    """

    def __init__(self, target: int, *, delay: float = 0.0) -> None:
        self._target = target
        self._delay = delay
        self._flows = threading.Event()
        self._flows.set()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._loses = threading.Event()
        self._is_away = False

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    @property
    def is_away(self) -> bool:
        return self._is_away

    @is_away.setter
    def is_away(self, is_away: bool) -> None:
        self._is_away = is_away
        if is_away:
            for connection in list(self._open):
                _shut(connection)

    @property
    def is_cut(self) -> bool:
        return not self._flows.is_set()

    @is_cut.setter
    def is_cut(self, is_cut: bool) -> None:
        """What was sent meanwhile arrives when it is no longer cut, as with TCP."""
        if is_cut:
            self._flows.clear()
        else:
            self._flows.set()

    def lose_reply(self) -> None:
        """Lose the next answer."""
        self._loses.set()

    @property
    def has_lost_it(self) -> bool:
        return not self._loses.is_set()

    def _serve(self, connection: socket.socket) -> None:
        if self._is_away:
            connection.close()
            return
        self._flows.wait()
        with socket.create_connection(("127.0.0.1", self._target)) as server:
            self._open |= {connection, server}
            back = threading.Thread(target=self._send_back, args=(server, connection), daemon=True)
            back.start()
            with suppress(OSError):
                while data := connection.recv(65_536):
                    self._travel()
                    server.sendall(data)
            _shut(server)
            back.join()
            self._open -= {connection, server}

    def _send_back(self, server: socket.socket, connection: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65_536):
                if self._loses.is_set():
                    self._loses.clear()
                    break
                self._travel()
                connection.sendall(data)
        _shut(connection)

    def _travel(self) -> None:
        if self._delay:
            sleep(self._delay)
        self._flows.wait()


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
