"""A page that has a fault."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings
from starlette.routing import Route

from wikicrawler.dashboard.access.guard import HEADERS
from wikicrawler.dashboard.access.origins import Origins
from wikicrawler.dashboard.access.people import People
from wikicrawler.dashboard.access.sessions import Sessions
from wikicrawler.dashboard.app import create_app
from wikicrawler.dashboard.context import Dashboard


class BrokenError(Exception):
    """The fault; its text is for the log."""


async def broken(_: object) -> None:
    raise BrokenError("a secret of the machine")


async def asked(path: str) -> list[dict[str, Any]]:
    """What the application sends for a GET of *path*; it raises what the server then logs."""
    app = create_app(
        Dashboard(Settings()),
        origins=Origins.of("127.0.0.1", 80),
        people=People(),
        sessions=Sessions("key", "mark", 80),
    )
    app.router.routes.insert(0, Route(path, broken))
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
        "state": {},
    }
    with pytest.raises(BrokenError):
        await app(scope, receive, send)
    return sent


@pytest.mark.parametrize("path", ["/broken", "/api/broken"])
async def test_it_says_so_with_the_headers_of_all_answers(path: str) -> None:
    start, *parts = await asked(path)
    assert start["status"] == 500
    headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    assert {name: headers.get(name.lower()) for name in HEADERS} == dict(HEADERS)
    body = b"".join(part["body"] for part in parts)
    assert b"Its log says which" in body
    assert b"secret" not in body
