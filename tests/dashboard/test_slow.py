"""Clients that send slowly do not keep a connection."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from wikicrawler.dashboard.access.guard import Guard
from wikicrawler.dashboard.access.origins import Origins
from wikicrawler.dashboard.serving import PatientProtocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.responses import Response

SHORT = 0.4
MEDIUM = 3.0
"""Seconds in which a client sends a head at once, on a busy machine, too."""
PATIENCE = 60.0


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


@contextmanager
def served(head: float = PATIENCE, body: float = PATIENCE) -> Iterator[tuple[str, int]]:
    """The address of a server of the dashboard's protocol and guard.

    :param head: seconds for which it waits for the head of a request
    :param body: seconds for which it waits for a body
    """

    class Impatient(PatientProtocol):
        head_seconds = head

    listener = socket.create_server(("127.0.0.1", 0))
    address: tuple[str, int] = listener.getsockname()
    guard = Middleware(Guard, origins=Origins.of(*address), body_seconds=body)
    app = Starlette(routes=[Route("/", echo, methods=["GET", "POST"])], middleware=[guard])
    config = uvicorn.Config(app, http=Impatient, ws="none", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield address
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def dribbled(address: tuple[str, int], first: bytes, byte: bytes) -> bytes:
    """What comes back for *first* and then *byte* again and again, until the server closes."""
    over = threading.Event()
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(first)

        def send() -> None:
            while not over.wait(SHORT / 10):
                try:
                    connection.sendall(byte)
                except OSError:
                    return

        sender = threading.Thread(target=send)
        sender.start()
        parts = []
        try:
            while part := connection.recv(65_536):
                parts.append(part)
        except ConnectionResetError:
            pass  # it was closed while a byte was on its way
        finally:
            over.set()
            sender.join()
    return b"".join(parts)


def head(address: tuple[str, int], *more: str) -> bytes:
    host, port = address
    own = f"http://{host}:{port}"
    lines = ("POST / HTTP/1.1", f"Host: {host}:{port}", f"Origin: {own}", *more)
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.parametrize(
    ("first", "byte"),
    [(b"GET / HTTP/1.1\r\nX: ", b"y"), (b"", b"")],
    ids=["byte by byte", "nothing"],
)
def test_a_head_that_does_not_end_is_given_up(first: bytes, byte: bytes) -> None:
    with served(head=SHORT) as address:
        assert dribbled(address, first, byte) == b""


def test_a_second_head_has_no_more_time_than_the_first() -> None:
    with served(head=MEDIUM) as address:
        host, port = address
        first = f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
        answer = dribbled(address, first + b"GET / HTTP/1.1\r\nX: ", b"y")
    assert answer.count(b"HTTP/1.1") == 1
    assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("length", ["Content-Length: 100000", "Transfer-Encoding: chunked"])
def test_a_body_that_does_not_end_is_given_up(length: str) -> None:
    with served(MEDIUM, body=SHORT) as address:
        answer = dribbled(address, head(address, length), b"1\r\na\r\n")
    assert answer.startswith(b"HTTP/1.1 408 "), answer


def test_who_is_in_time_is_answered() -> None:
    with served() as address, socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(head(address, "Content-Length: 3", "Connection: close"))
        connection.sendall(b"abc")
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.endswith(b"\r\n\r\nabc")
