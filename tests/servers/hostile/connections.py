"""Servers that are not there, are something else, or leave in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.hostile.answers import in_turn, page, raw, reset, silence
from tests.servers.hostile.connection import GOOD
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.connection import Connection, Request
    from tests.servers.hostile.fault import Serve

NOBODY = "refused, black hole, RST, DNS, SSH banner"
SLOW = "slow-loris, stalls"
CUT = "short Content-Length, cut chunk, RST mid-body"
HEAD = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(GOOD)}\r\n\r\n"
ATTEMPTS = range(1, 5)  # connections without a request: robots.txt, and its retries
CHUNK = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n"
HALF = HEAD + GOOD[: len(GOOD) // 2]


def _banner(text: str) -> Serve:
    return lambda conn, request=None: conn.send(text)


def _after(text: str, then: Serve) -> Serve:
    def serve(conn: Connection, request: Request) -> None:
        conn.send(text)
        then(conn, request)

    return serve


def _drip(at_once: str, slowly: str) -> Serve:
    def serve(conn: Connection, request: Request) -> None:
        conn.send(at_once)
        conn.drip(slowly)

    return serve


# Where robots.txt cannot be fetched, RFC 9309 has the page forbidden; it is skipped for what befell
# that.
FAULTS = (
    Fault("refused", NOBODY, page(), skip(Reason.NETWORK, detail="Refused"), listen="refused"),
    Fault("black-hole", NOBODY, page(), skip(Reason.TIMEOUT), listen="full", slow=True),
    Fault("no-such-name", NOBODY, page(), skip(Reason.NETWORK), host="no-such-name.invalid"),
    *(
        Fault(
            name,
            NOBODY,
            page(),
            skip(Reason.TIMEOUT if "silent" in name else Reason.NETWORK),
            greet=greet,
            requests=ATTEMPTS,
            slow="silent" in name,
        )
        for name, greet in {
            "reset-at-once": lambda conn: conn.reset(),
            "closed-at-once": lambda conn: None,
            "banner-ssh": _banner("SSH-2.0-OpenSSH_9.6p1\r\n"),
            "banner-smtp": _banner("220 mail.example ESMTP\r\n"),
            "banner-mysql": _banner("J\0\0\0\n8.0.36\0"),
            "silent-at-once": lambda conn: conn.stall(),
        }.items()
    ),
    Fault("reset", NOBODY, reset, skip(Reason.NETWORK)),
    Fault("closed", NOBODY, raw(""), skip(Reason.NETWORK)),
    Fault("http-0.9", NOBODY, raw(GOOD), skip(Reason.NETWORK)),
    Fault("reset-then-page", NOBODY, in_turn(reset, page()), item(), requests=range(2, 3)),
    Fault("reset-after-headers", CUT, _after(HEAD, reset), skip(Reason.NETWORK)),
    Fault("reset-mid-body", CUT, _after(HALF, reset), skip(Reason.NETWORK)),
    Fault("reset-mid-headers", CUT, _after(HEAD[:30], reset), skip(Reason.NETWORK)),
    Fault("half-then-page", CUT, in_turn(raw(HALF), page()), item(), requests=range(2, 3)),
    Fault("silence", SLOW, silence, skip(Reason.TIMEOUT), slow=True),
    Fault("slow-headers", SLOW, _drip("", HEAD), skip(Reason.TIMEOUT), slow=True),
    Fault("slow-body", SLOW, _drip(HEAD, GOOD), skip(Reason.TIMEOUT), slow=True),
    Fault("slow-chunk", SLOW, _drip(CHUNK, GOOD), skip(Reason.TIMEOUT), slow=True),
    Fault("stall-mid-body", SLOW, _after(HALF, silence), skip(Reason.TIMEOUT), slow=True),
    Fault(
        "stall-then-page", SLOW, in_turn(silence, page()), item(), requests=range(2, 3), slow=True
    ),
)
