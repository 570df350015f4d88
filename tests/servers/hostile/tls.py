"""TLS that must not be trusted, or is none. Without robots.txt, which is behind it, all is
forbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.hostile.answers import page
from tests.servers.hostile.certificates import signed
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.connection import Connection

GROUP = "TLS self-signed, expired, wrong host, cut"
ALERT = b"\x15\x03\x01\x00\x02\x02\x46"  # fatal, protocol version
ATTEMPTS = range(5)  # connections without a request: robots.txt, and its retries


def _cut(conn: Connection) -> None:
    conn.socket.recv(65536)  # the client's hello
    conn.send(b"\x16\x03\x03\x00\x7a\x02")
    conn.reset()


FAULTS = (
    Fault("tls", GROUP, page(), item(), tls=signed(), requests=range(1, 2)),
    *(
        Fault(
            f"tls-{name}",
            GROUP,
            page(),
            skip(Reason.NETWORK, detail=says),
            tls=tls,
            requests=ATTEMPTS,
        )
        for name, tls, says in (
            ("self-signed", signed(by_itself=True), "certificate verify failed"),
            ("expired", signed(days=-1), "certificate verify failed"),
            ("wrong-host", signed("wiki.example"), "another host"),
        )
    ),
    *(
        Fault(
            f"tls-{name}",
            GROUP,
            page(),
            skip(Reason.TIMEOUT if name == "silent" else Reason.NETWORK),
            tls=signed(),
            greet=greet,
            requests=ATTEMPTS,
            slow=name == "silent",
        )
        for name, greet in {
            "cut": _cut,
            "is-plain-http": lambda conn: conn.send(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
            "silent": lambda conn: conn.stall(),
            "alert": lambda conn: conn.send(ALERT),
        }.items()
    ),
    Fault(
        "http-is-tls",
        GROUP,
        page(),
        skip(Reason.NETWORK),
        greet=lambda conn: conn.send(ALERT),
        requests=ATTEMPTS,
    ),
)
