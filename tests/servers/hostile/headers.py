"""Status lines and headers without end or sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.hostile.answers import page, raw
from tests.servers.hostile.connection import GOOD
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.connection import Connection, Request
    from tests.servers.hostile.fault import Serve

GROUP = "endless headers"
COOKIES = "cookies: 180 KB of them"
STATUS = "status lines"
NETWORK, TOO_LARGE = skip(Reason.NETWORK), skip(Reason.TOO_LARGE)
HINTS = (
    "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(GOOD)}\r\n\r\n"
)


def _flood(start: str, chunk: str) -> Serve:
    def serve(conn: Connection, request: Request) -> None:
        conn.send(start)
        conn.flood(chunk.encode())

    return serve


def _with(*lines: str | bytes) -> Serve:
    """An ordinary answer with these header lines, as they are."""
    raw_lines = [line if isinstance(line, bytes) else line.encode() for line in lines]
    head = (b"HTTP/1.1 200 OK", b"Content-Type: text/html", b"Content-Length: %d" % len(GOOD))
    return raw(b"\r\n".join((*head, *raw_lines, b"", b"")) + GOOD.encode())


def _status_line(line: str) -> Serve:
    # The server closes the connection. Unless it says so, a retry may be sent by it, and is lost.
    head = f"{line}\r\nContent-Type: text/html\r\nConnection: close"
    return raw(f"{head}\r\nContent-Length: {len(GOOD)}\r\n\r\n{GOOD}")


def _cookies(*values: str) -> Serve:
    """Set and redirect; an error where more comes back than servers take."""

    def serve(conn: Connection, request: Request) -> None:
        if len(request.headers.get("cookie", "")) > 8192:
            conn.answer(500, "too many cookies came back")
        elif request.number == 1:
            conn.answer(302, "", [("Location", "?again"), *(("Set-Cookie", v) for v in values)])
        else:
            conn.answer(headers=[("Set-Cookie", value) for value in values])

    return serve


FAULTS = (
    *(
        Fault(name, GROUP, serve, TOO_LARGE, requests=range(1, 2))
        for name, serve in {
            "informational-flood": _flood("", "HTTP/1.1 100 Continue\r\n\r\n" * 50),
            "headers-endless": _flood("HTTP/1.1 200 OK\r\n", "X-Filler: so many words\r\n" * 50),
            "cookies-endless": _flood(
                "HTTP/1.1 200 OK\r\n", "Set-Cookie: a=so-many-words\r\n" * 50
            ),
            "header-folded-endless": _flood("HTTP/1.1 200 OK\r\nX-Long: y\r\n", " words\r\n" * 50),
            "header-line-endless": _flood("HTTP/1.1 200 OK\r\nX-Filler: ", "word " * 1000),
            "header-line-of-1-mb": _with("X-Filler: " + "x" * 2**20),
            "headers-40000": _with(*(f"X-{n}: y" for n in range(40_000))),
            "status-of-1-mb": _status_line(f"HTTP/1.1 200 {'x' * 2**20}"),
        }.items()
    ),
    Fault("headers-10000", GROUP, _with(*(f"X-{n}: y" for n in range(10_000))), item()),
    Fault("early-hints", GROUP, raw(HINTS + GOOD), item()),
    Fault("switching-protocols", GROUP, raw("HTTP/1.1 101 Switching\r\n\r\n\0\1\2"), NETWORK),
    Fault("header-without-colon", GROUP, _with("so it goes"), item()),
    Fault("header-folded", GROUP, _with("X-Long: one", " two"), item()),
    Fault("header-not-ascii", GROUP, _with("X-Name: Müller", b"X-Odd: \xff\xfe"), item()),
    # As long as headers may be, of what begins like a login again and again; it is logged.
    Fault("coding-of-half-logins", GROUP, _with("Content-Encoding: @ " + "(a:" * 80_000), item()),
    Fault("header-nul", GROUP, _with(b"X-Odd: a\0b"), item()),
    Fault("header-ansi", GROUP, _with(b"X-Odd: \x1b[31mred"), item()),
    *(
        Fault(f"status-{name}", STATUS, _status_line(line), expect)
        for name, line, expect in (
            ("no-reason", "HTTP/1.1 200", item()),
            ("http-9.9", "HTTP/9.9 200 OK", item()),
            ("of-no-number", "HTTP/1.1 many OK", NETWORK),
            ("of-5000-digits", f"HTTP/1.1 {'9' * 5000} OK", NETWORK),
            ("negative", "HTTP/1.1 -200 OK", skip(Reason.HTTP_ERROR, Reason.NETWORK)),
            ("999", "HTTP/1.1 999 Request denied", skip(Reason.BLOCKED, Reason.HTTP_ERROR)),
            ("600", "HTTP/1.1 600 What", skip(Reason.HTTP_ERROR)),
            ("ansi", "HTTP/1.1 500 \x1b[2J\x1b[31mred", skip(Reason.HTTP_ERROR)),
        )
    ),
    *(
        Fault(
            f"status-{status}", STATUS, page(status=status), skip(Reason.HTTP_ERROR, Reason.EMPTY)
        )
        for status in (204, 300, 304, 305)
    ),
    Fault(
        "cookies-of-180-kb",
        COOKIES,
        _cookies(*(f"c{n}={'x' * 4000}; Path=/" for n in range(45))),
        item(),
        requests=range(2, 3),
        settings={"COOKIES_ENABLED": True},
    ),
    Fault(
        "cookie-of-180-kb",
        COOKIES,
        _cookies("a=" + "x" * 180_000),
        item(),
        requests=range(2, 3),
        settings={"COOKIES_ENABLED": True},
    ),
    Fault(
        "cookies-bad",
        COOKIES,
        _cookies("=;=;;", "a", "\xff=b; Expires=never", "a=b; Domain=com; Path=../"),
        item(),
        requests=range(2, 3),
        settings={"COOKIES_ENABLED": True},
    ),
)
