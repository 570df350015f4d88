"""What is no fault: pages that must come whatever their neighbours do."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

import brotli

from tests.servers.hostile.answers import in_turn, page, raw
from tests.servers.hostile.bodies import zstd
from tests.servers.hostile.connection import GOOD
from tests.servers.hostile.fault import Fault, item, site

if TYPE_CHECKING:
    from tests.servers.hostile.connection import Connection, Request

GROUP = "ordinary pages"
ONCE = range(1, 2)
_BODY = GOOD.encode()
_CHUNKED = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in (_BODY[:99], _BODY[99:])) + b"0\r\n\r\n"


def _page_of_site(conn: Connection, request: Request) -> None:
    """Page after page, from /1 to /31: a tree."""
    number = int(request.route[1:])
    links = "".join(f'<p><a href="/{n}">Page {n}</a></p>' for n in (2 * number, 2 * number + 1))
    conn.answer(body=GOOD.replace("</main>", f"{links if number < 16 else ''}</main>"))


FAULTS = (
    Fault("ordinary", GROUP, page(), item(), requests=ONCE),
    *(
        Fault(
            f"ordinary-{coding}",
            GROUP,
            page(body, headers={"Content-Encoding": coding}),
            item(),
            requests=ONCE,
        )
        for coding, body in {
            "gzip": gzip.compress(_BODY),
            "deflate": zlib.compress(_BODY),
            "br": brotli.compress(_BODY),
            "zstd": zstd.compress(_BODY),
        }.items()
    ),
    Fault(
        "ordinary-chunked",
        GROUP,
        raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
            + _CHUNKED
        ),
        item(),
        requests=ONCE,
    ),
    Fault(
        "ordinary-site",
        GROUP,
        _page_of_site,
        site(range(31, 32)),
        path="/1",
        requests=range(31, 32),
    ),
    Fault(
        "ordinary-until-closed",
        GROUP,
        raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + _BODY),
        item(),
        requests=ONCE,
    ),
    Fault(
        "error-then-page",
        GROUP,
        in_turn(page("it broke", status=500), page()),
        item(),
        requests=range(2, 3),
    ),
)
