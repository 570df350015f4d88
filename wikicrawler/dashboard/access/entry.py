"""Who a request is from: the session of its browser, or the token of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response

from wikicrawler.control.context import current_user
from wikicrawler.dashboard.access.guard import SAFE_METHODS, is_bearer
from wikicrawler.dashboard.access.people import TOKEN, People

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from wikicrawler.dashboard.access.sessions import Sessions

API = "/api/"
"""Path of what programs use, with a token."""
_FOR_PROGRAMS = (API, "/metrics")
_FOR_ALL = frozenset({"/login", "/healthz"})
_STATIC = "/static/"


class Entry:
    """ASGI middleware: ``request.state`` has ``session``, ``user`` (for the audit log) and ``via``
    (``dashboard`` or ``api``) behind it. Those who have to log in are sent to ``/login``.

    Changes by ``/api/`` need the token. Without passwords and token, whoever reaches the server is
    the user who runs it.
    """

    def __init__(self, app: ASGIApp, people: People, sessions: Sessions) -> None:
        self._app = app
        self._people = people
        self._sessions = sessions
        self._owner = current_user()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state, path = scope["state"], str(scope["path"])
        session = self._sessions.read(HTTPConnection(scope).cookies.get(self._sessions.cookie))
        state.update(session=session, user=session.user or self._owner, via="dashboard")
        is_known = bool(session.user) or not self._people.is_closed
        if path.startswith(_FOR_PROGRAMS):
            state["via"] = "api"
            has_token = self._has_token(Headers(scope=scope))
            if has_token:
                state["user"] = TOKEN
            if not has_token and (not is_known or scope["method"] not in SAFE_METHODS):
                await self._need_token()(scope, receive, send)
                return
            await self._app(scope, receive, send)
            return
        if not is_known and path not in _FOR_ALL and not path.startswith(_STATIC):
            await _to_login(scope)(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and session.is_changed:
                response = Response()
                secure = str(state["origin"]).startswith("https:")
                self._sessions.write(response, session, secure=secure)
                cookie = response.headers["set-cookie"].encode("latin-1")
                message["headers"] = [*message["headers"], (b"set-cookie", cookie)]
            await send(message)

        await self._app(scope, receive, with_cookie)

    def _has_token(self, headers: Headers) -> bool:
        given = headers.get("authorization", "") if is_bearer(headers) else ""
        return self._people.has_token(given[7:].strip())

    def _need_token(self) -> Response:
        hint = "" if self._people.token else " (set WIKICRAWLER_DASHBOARD_TOKEN first)"
        return JSONResponse(
            {"error": f"send the token of the dashboard: Authorization: Bearer …{hint}"},
            401,
            {"WWW-Authenticate": "Bearer"},
        )


def _to_login(scope: Scope) -> Response:
    if scope["method"] not in SAFE_METHODS:
        return RedirectResponse("/login", 303)
    asked = str(scope["path"])
    if query := scope["query_string"].decode("latin-1"):
        asked += f"?{query}"
    return RedirectResponse(f"/login?next={quote(asked, safe='')}", 303)
