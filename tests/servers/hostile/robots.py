"""robots.txt that fails, lies or never ends."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from tests.servers.hostile.answers import page, redirect, reset, silence, text
from tests.servers.hostile.bodies import ZEROS
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.connection import Connection, Request

GROUP = "robots.txt 5xx, timeout, huge, redirect, BOM, wrong charset"
DENY = "User-agent: *\nDisallow: /f/\n"
ALLOW = "User-agent: *\nDisallow: /other/\n"
FILL = "# so many words of a comment that nobody reads\n" * 11_000  # 506 KiB


def _endless(conn: Connection, request: Request) -> None:
    conn.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    conn.flood(b"Disallow: /x\n" * 5000)


def _endless_headers(conn: Connection, request: Request) -> None:
    conn.send("HTTP/1.1 200 OK\r\n")
    conn.flood(b"X-Filler: so many words\r\n" * 50)


FORBIDS = {
    "denies": text(DENY),
    "bom": text("\ufeff" + DENY),
    "utf-16-label": text(DENY, **{"Content-Type": "text/plain; charset=utf-16"}),
    "nuls": text(b"\0\0\n" + DENY.encode() + b"\0"),
    "latin-1": text("# Müller\n".encode("latin-1") + DENY.encode()),
    "cr-only": text(DENY.replace("\n", "\r")),
    "before-the-cap": text(DENY + FILL),
    "gzip": page(gzip.compress(DENY.encode()), headers={"Content-Encoding": "gzip"}),
}
ALLOWS = {
    "404": page("no", status=404),
    "403": page("no", status=403),
    "html": page("<!doctype html><title>Home</title><p>Disallow: nothing"),
    "after-the-cap": text(FILL + DENY),
    "redirect-loop": redirect("/robots.txt"),
    "redirect-nowhere": page("", status=302),
    "binary": text(bytes(range(256)) * 64),
    "empty": text(""),
}
UNREACHABLE = {
    "redirect-private": redirect("{victim}/robots.txt"),
    "500": page("no", status=500),
    "503": page("no", status=503, headers={"Retry-After": "9" * 5000}),
    "429": page("no", status=429),
    "reset": reset,
    "endless": _endless,
    "endless-headers": _endless_headers,
    "gzip-bomb": page(lambda: gzip.compress(ZEROS * 64), headers={"Content-Encoding": "gzip"}),
}


def _why(name: str) -> Reason:
    """What a page is skipped for: a host that was not reached forbids nothing."""
    return Reason.NETWORK if name in {"redirect-private", "reset"} else Reason.ROBOTS


FAULTS = (
    *(
        Fault(f"robots-{n}", GROUP, page(), skip(Reason.ROBOTS), robots=r, requests=range(1))
        for n, r in FORBIDS.items()
    ),
    *(Fault(f"robots-{n}", GROUP, page(), item(), robots=r) for n, r in ALLOWS.items()),
    *(
        Fault(
            f"robots-{n}",
            GROUP,
            page(),
            skip(_why(n), detail="could not be fetched"),
            robots=r,
            requests=range(1),
        )
        for n, r in UNREACHABLE.items()
    ),
    Fault(
        "robots-stall",
        GROUP,
        page(),
        skip(Reason.TIMEOUT, detail="Timeout"),
        robots=silence,
        requests=range(1),
        slow=True,
    ),
)
