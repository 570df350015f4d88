"""Sites of engines, most of whose URLs are editors, histories and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.servers.engine_pages import ENGINES
from tests.servers.hostile.fault import Fault, site
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.servers.hostile.connection import Connection, Request
    from tests.servers.hostile.fault import Serve

GROUP = "engines: chrome"
SKIPPED = {"dokuwiki": (Reason.NOINDEX,), "robots marks": (Reason.NOINDEX,)}


def _pages(page: Callable[[str, str], str | None]) -> Serve:
    def serve(conn: Connection, request: Request) -> None:
        parts = urlsplit(request.path)
        body = page(parts.path, parts.query)
        conn.answer(404 if body is None else 200, body or "not here")

    return serve


FAULTS = tuple(
    Fault(
        f"engine-{name.replace(' ', '-')}",
        GROUP,
        _pages(page),
        site(range(len(wanted), len(wanted) + 1), *SKIPPED.get(name, ()), has=["at some length"]),
        path=seed,
        requests=range(len(wanted), 4 * len(wanted)),
    )
    for name, (page, seed, wanted) in ENGINES.items()
)
