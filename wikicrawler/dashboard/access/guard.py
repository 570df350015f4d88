"""What a request has to be before a page sees it, and the headers of each answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from wikicrawler.dashboard.access.origins import Origins

BODY_SECONDS = 30.0
"""Time that a client has for the body of a request."""
SAFE_METHODS = frozenset({"GET", "HEAD"})
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: browsers then send "Origin: null" with forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Headers of each answer that has none of its own with that name."""


class Guard:
    """ASGI middleware, the outermost one.

    It refuses requests for other hosts, changes that do not come from a page of the dashboard, and
    what pages of other sites load from it. ``request.state.origin`` is the origin of a request.

    :param body_seconds: time that a client has for the body of a request
    """

    def __init__(self, app: ASGIApp, origins: Origins, body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._origins = origins
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        origin = self._origins.of_host(hosts[0]) if len(hosts) == 1 else None
        guarded = _with_headers(send)
        if origin is None:
            await _refuse(400, "This server does not have the host that the request names.")(
                scope, receive, guarded
            )
            return
        if why := _foreign(scope["method"], headers, origin):
            await _refuse(403, why)(scope, receive, guarded)
            return
        scope.setdefault("state", {})["origin"] = origin
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await guarded(message)

        try:
            await self._app(scope, _in_time(receive, self._body_seconds), watched)
        except ClientDisconnect:
            # Not a fault of a page: the body took too long, or the client has gone.
            if not has_begun:
                await _refuse(408, "The body of the request took too long.")(
                    scope, receive, guarded
                )


def is_bearer(headers: Headers) -> bool:
    """Return whether a request has a token. Browsers do not add one by themselves."""
    return headers.get("authorization", "")[:7].lower() == "bearer "


def _foreign(method: str, headers: Headers, origin: str) -> str:
    """Return why a request is not one of the dashboard's own pages; empty if it may be."""
    site = headers.get("sec-fetch-site")
    if method in SAFE_METHODS:
        is_inside = site in {None, "same-origin", "none"}
        is_link = headers.get("sec-fetch-mode") == "navigate"
        return "" if is_inside or is_link else "Pages of other sites may not load this."
    if is_bearer(headers) and site is None and headers.get("origin") is None:
        return ""
    # A cookie is not enough: SameSite does not tell the ports of a host apart.
    is_own = site == "same-origin" if site is not None else headers.get("origin") == origin
    return "" if is_own else "Changes are accepted from pages of the dashboard only."


def _refuse(status: int, why: str) -> PlainTextResponse:
    return PlainTextResponse(f"{why}\n", status)


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return guarded


def _in_time(receive: Receive, seconds: float) -> Receive:
    """Return *receive* with a time limit for the whole body; after it the client has gone."""
    until = asyncio.get_running_loop().time() + seconds
    is_whole = False

    async def limited() -> Message:
        nonlocal is_whole
        if is_whole:  # what follows is the end of the connection
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            is_whole = True
            return {"type": "http.disconnect"}
        is_whole = message["type"] != "http.request" or not message.get("more_body")
        return message

    return limited
