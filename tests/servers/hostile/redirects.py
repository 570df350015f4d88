"""Redirects without end, without sense and to places where no crawl may go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.hostile.answers import in_turn, page, redirect
from tests.servers.hostile.connection import GOOD
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.connection import Connection, Request
    from tests.servers.hostile.fault import Serve

ENDLESS = "redirect loops, endless, Location CRLF or 100 kB"
PRIVATE = "SSRF: redirect, meta refresh"
SCHEMES = "file:, data:, ftp:"
HOPS = range(2, 22)  # Scrapy's REDIRECT_MAX_TIMES, and the page itself
ONCE = range(1, 2)


def _chain(last: int) -> Serve:
    """Hop after hop, and a page behind the last."""

    def serve(conn: Connection, request: Request) -> None:
        hop = int(request.params.get("hop", "0"))
        if hop == last:
            conn.answer()
        else:
            conn.answer(302, "", {"Location": f"{request.route}?hop={hop + 1}"})

    return serve


def _ring(conn: Connection, request: Request) -> None:
    conn.answer(302, "", {"Location": "/b" if request.route != "/b" else "/a"})


def _refresh(url: str) -> Serve:
    return page(GOOD.replace("<title>", f'<meta http-equiv=refresh content="0;url={url}"><title>'))


LOST = skip(Reason.REDIRECT)
PRIVATE_ADDRESS = skip(Reason.PRIVATE_ADDRESS)

FAULTS = (
    Fault(
        "redirect-to-itself",
        ENDLESS,
        redirect("{origin}/f/redirect-to-itself"),
        LOST,
        requests=HOPS,
    ),
    Fault("redirect-in-a-ring", ENDLESS, _ring, LOST, path="/a", requests=HOPS),
    Fault("redirect-for-ever", ENDLESS, _chain(-1), LOST, requests=HOPS),
    Fault("redirect-21-times", ENDLESS, _chain(21), LOST, requests=HOPS),
    Fault("redirect-20-times", ENDLESS, _chain(20), item(), requests=HOPS),
    Fault("redirect-empty", ENDLESS, redirect(""), LOST, requests=HOPS),
    Fault("redirect-no-host", ENDLESS, redirect("//"), LOST, requests=HOPS),
    Fault("redirect-of-100-kb", ENDLESS, redirect("/" + "x" * 100_000), LOST, requests=ONCE),
    *(
        Fault(f"redirect-{name}", ENDLESS, redirect(location), LOST, requests=ONCE)
        for name, location in {
            "of-15-kb": "/" + "x" * 15_000,
            "empty-label": "http://a..b/",
            "long-label": f"http://{'a' * 80}.example/",
            "host-with-a-space": "http://a b/",
            "bracket": "http://[::1/",
            "port-99999": "http://{netloc}9999/",
            "port-text": "http://127.0.0.1:port/",
            "javascript": "javascript:alert(1)",
            "file": "file:///etc/passwd",
            "data": "data:text/html,<p>the words of a data URL",
            "ftp": "ftp://127.0.0.1/x",
            "mailto": "mailto:someone@wiki.example",
        }.items()
    ),
    Fault(
        "redirect-nowhere", ENDLESS, page("", status=302), skip(Reason.HTTP_ERROR), requests=ONCE
    ),
    Fault(
        "redirect-with-a-body",
        ENDLESS,
        in_turn(page(status=302, headers={"Location": "?x"}), page("<p>gone", status=404)),
        skip(Reason.MISSING),
        requests=range(2, 3),
    ),
    *(
        Fault(
            f"redirect-{name}",
            ENDLESS,
            in_turn(redirect(location), page()),
            item(),
            requests=range(2, 3),
        )
        for name, location in {
            "to-itself-once": "",
            "utf-8": "/Müller".encode(),
            "latin-1": "/Müller".encode("latin-1"),
            "spaces": "/a b\tc",
            "crlf": "/a%0d%0aSet-Cookie:%20a=b",
        }.items()
    ),
    Fault(
        "redirect-to-private",
        PRIVATE,
        redirect("{victim}/redirect-to-private"),
        PRIVATE_ADDRESS,
        requests=ONCE,
    ),
    Fault(
        "redirect-to-userinfo",
        PRIVATE,
        redirect("http://{netloc}@127.127.127.127/redirect-to-userinfo"),
        PRIVATE_ADDRESS,
        requests=ONCE,
    ),
    Fault(
        "refresh-to-private",
        PRIVATE,
        _refresh("{victim}/refresh-to-private"),
        PRIVATE_ADDRESS,
        requests=ONCE,
    ),
    Fault(
        "refresh-to-file",
        SCHEMES,
        _refresh("file:///etc/passwd"),
        item(lacks=["root:"]),
        requests=ONCE,
    ),
)
