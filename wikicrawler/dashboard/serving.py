"""The server of the dashboard."""

from __future__ import annotations

import asyncio
import signal
import socket
import webbrowser
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from scrapy.utils.project import data_path
from uvicorn.protocols.http.h11_impl import H11Protocol

from wikicrawler import options
from wikicrawler.dashboard.access.key import session_key
from wikicrawler.dashboard.access.origins import Origins, is_loopback
from wikicrawler.dashboard.access.people import People
from wikicrawler.dashboard.access.sessions import Sessions
from wikicrawler.dashboard.app import create_app
from wikicrawler.dashboard.context import Dashboard
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

_MAX_CONNECTIONS = 200
_STOP_SECONDS = 3
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection on which the head of a request takes too long."""

    head_seconds = 15.0
    """Time that a client has for the head of a request."""
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        super().handle_events()
        if self._is_busy():
            self._stop_timer()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._is_busy():
            self._expect_head()

    def _is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _expect_head(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _give_up(self) -> None:
        if not self._is_busy():
            self.transport.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def serve(
    settings: BaseSettings, host: str, port: int, *, read_only: bool = False, browse: bool = False
) -> int:
    """Serve the dashboard until a signal; return the exit code.

    Prints the address once it can be used. *port* 0 takes a free one.

    :raises ConfigError: the settings are wrong, the address is open to others without a password
        or token, or it cannot be used
    """
    people = People.from_settings(settings)
    if not people.is_closed and not is_loopback(host):
        raise ConfigError(
            f"--host {host} is reached from other machines: a password is needed. Set the "
            f"environment variable {options.DASHBOARD_PASSWORD.name}, or "
            f"{options.DASHBOARD_USERS.name} to the names and password hashes of several people "
            "(scrapy dashboard --hash-password)"
        )
    listener = _listen(host, port)
    with listener:
        port = listener.getsockname()[1]
        origins = Origins.of(host, port, options.DASHBOARD_ORIGINS.read(settings))
        sessions = Sessions(session_key(Path(data_path(""))), people.mark, port)
        dashboard = Dashboard(settings, read_only=read_only)
        app = create_app(dashboard, origins=origins, people=people, sessions=sessions)
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MAX_CONNECTIONS,
            timeout_graceful_shutdown=_STOP_SECONDS,
        )
        shown = f"[{host}]" if ":" in host else host
        server = _Server(config, f"http://{shown}:{port}/", browse=browse)
        server.run(sockets=[listener])
    return 0


class _Server(uvicorn.Server):
    """Prints its address when it serves."""

    def __init__(self, config: uvicorn.Config, address: str, *, browse: bool) -> None:
        super().__init__(config)
        self._address = address
        self._browse = browse

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server. Uvicorn itself would raise them again afterwards."""
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"Dashboard: {self._address} (Ctrl-C ends it)", flush=True)  # noqa: T201
            if self._browse:
                await asyncio.to_thread(webbrowser.open, self._address)


def _listen(host: str, port: int) -> socket.socket:
    try:
        found: Any = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # With the protocol: asyncio sets TCP_NODELAY only where it is named, and an answer in two
        # parts would wait 40 ms for an acknowledgement.
        listener = socket.socket(*found[:3])
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(found[4])
            listener.listen(128)
        except OSError:
            listener.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(
            f"--host {host} --port {port}: {why} (--port 0 takes a free port)"
        ) from None
    return listener
