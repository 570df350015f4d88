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

SECONDS = 0.4
PATIENCE = 30.0


class Impatient(PatientProtocol):
    head_seconds = SECONDS


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """The address of a server of the dashboard's protocol and guard, which wait a short time."""
    listener = socket.create_server(("127.0.0.1", 0))
    address: tuple[str, int] = listener.getsockname()
    guard = Middleware(Guard, origins=Origins.of(*address), body_seconds=SECONDS)
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


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with served() as found:
        yield found


def dribbled(address: tuple[str, int], first: bytes, byte: bytes) -> bytes:
    """What comes back for *first* and then *byte* again and again, until the server closes."""
    over = threading.Event()
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(first)

        def send() -> None:
            while not over.wait(SECONDS / 10):
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


def test_a_head_byte_by_byte_is_given_up(address: tuple[str, int]) -> None:
    assert dribbled(address, b"GET / HTTP/1.1\r\nX: ", b"y") == b""


def test_a_connection_that_says_nothing_is_given_up(address: tuple[str, int]) -> None:
    assert dribbled(address, b"", b"") == b""


def test_a_second_head_has_no_more_time_than_the_first(address: tuple[str, int]) -> None:
    host, port = address
    first = f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    answer = dribbled(address, first + b"GET / HTTP/1.1\r\nX: ", b"y")
    assert answer.count(b"HTTP/1.1") == 1
    assert answer.startswith(b"HTTP/1.1 200")


def test_a_body_that_does_not_end_is_given_up(address: tuple[str, int]) -> None:
    for length in ("Content-Length: 100000", "Transfer-Encoding: chunked"):
        answer = dribbled(address, head(address, length), b"1\r\na\r\n")
        assert answer.startswith(b"HTTP/1.1 408 "), answer


def test_who_is_in_time_is_answered(address: tuple[str, int]) -> None:
    close = head(address, "Content-Length: 3", "Connection: close")
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(close)
        connection.sendall(b"abc")
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.endswith(b"\r\n\r\nabc")
