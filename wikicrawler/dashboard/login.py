"""The page on which people log in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

from wikicrawler.dashboard.access.sessions import new_session
from wikicrawler.dashboard.forms import own_path, text_of
from wikicrawler.dashboard.rendering import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.dashboard.access.attempts import LogInLimit
    from wikicrawler.dashboard.access.people import People

_FIELDS = 10
_FIELD_BYTES = 8_000


class LogIn:
    """The routes of logging in and out."""

    def __init__(self, people: People, limit: LogInLimit) -> None:
        self._people = people
        self._limit = limit
        self.routes = [
            Route("/login", self.show, methods=["GET"]),
            Route("/login", self.log_in, methods=["POST"]),
            Route("/logout", self.log_out, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        if not self._people.is_closed or request.state.session.user:
            return RedirectResponse("/", 303)
        return self._page(request)

    async def log_in(self, request: Request) -> Response:
        form = await request.form(max_files=0, max_fields=_FIELDS, max_part_size=_FIELD_BYTES)
        if not request.state.session.has_csrf(text_of(form, "csrf")):
            return self._page(request, "The page was too old: please log in again.", status=403)
        address = request.client.host if request.client else ""
        if not self._limit.take(address):
            wait = "There were too many tries: wait five minutes."
            return self._page(request, wait, status=429)
        name, secret = text_of(form, "name"), str(form.get("password") or "")
        user = await run_in_threadpool(self._people.log_in, name, secret)
        if user is None:
            wrong = "There is no user with this name and password."
            return self._page(request, wrong, name, status=401)
        _replace(request, user)
        return RedirectResponse(own_path(text_of(form, "next")), 303)

    async def log_out(self, request: Request) -> Response:
        form = await request.form(max_files=0, max_fields=_FIELDS, max_part_size=_FIELD_BYTES)
        if not request.state.session.has_csrf(text_of(form, "csrf")):
            raise HTTPException(403, "The page is too old: load it again, then repeat.")
        _replace(request, "")
        return RedirectResponse("/login" if self._people.is_closed else "/", 303)

    def _page(
        self, request: Request, error: str = "", name: str = "", *, status: int = 200
    ) -> Response:
        return render(
            request,
            "login.html",
            status=status,
            error=error,
            name=name,
            following=own_path(request.query_params.get("next", "/")),
            needs_name=bool(self._people.hashes),
        )


def _replace(request: Request, user: str) -> None:
    """Begin a new session: a cookie that somebody planted is worth nothing."""
    session, new = request.state.session, new_session(user)
    session.csrf, session.user, session.began = new.csrf, new.user, new.began
    session.is_changed = True
