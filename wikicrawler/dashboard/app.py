"""The web application."""

from __future__ import annotations

import gc
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from wikicrawler.dashboard.access.attempts import LogInLimit
from wikicrawler.dashboard.access.entry import API, Entry
from wikicrawler.dashboard.access.guard import HEADERS, Guard
from wikicrawler.dashboard.api import ROUTES as API_ROUTES
from wikicrawler.dashboard.login import LogIn
from wikicrawler.dashboard.rendering import render
from wikicrawler.dashboard.screens import ROUTES
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.dashboard.access.origins import Origins
    from wikicrawler.dashboard.access.people import People
    from wikicrawler.dashboard.access.sessions import Sessions
    from wikicrawler.dashboard.context import Dashboard

MAX_REQUEST = 8 << 20
"""Maximum size of a request's body in bytes: a manifest of 5,000 sources has some 4 MB."""
_SMALLEST_ZIPPED = 2_000
_FAILED = "It did not work"
_TITLES = {
    400: "The request is not right",
    403: "Not allowed",
    404: "There is no such page",
    405: "Not allowed",
    413: "Too much",
}


def create_app(
    dashboard: Dashboard, *, origins: Origins, people: People, sessions: Sessions
) -> Starlette:
    """Return the ASGI application for *dashboard*."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        Thread(target=_warm_up, args=(dashboard,), name="warm-up", daemon=True).start()
        yield
        dashboard.close()

    app = Starlette(
        routes=[
            *ROUTES,
            *API_ROUTES,
            *LogIn(people, LogInLimit()).routes,
            Route("/healthz", _health, methods=["GET"]),
            Mount("/static", StaticFiles(packages=[("wikicrawler.dashboard", "static")])),
        ],
        middleware=[
            Middleware(Guard, origins=origins),
            Middleware(GZipMiddleware, minimum_size=_SMALLEST_ZIPPED, compresslevel=4),
            Middleware(Entry, people=people, sessions=sessions),
        ],
        exception_handlers={
            HTTPException: _refused,
            ConfigError: _misconfigured,
            StoreError: _unavailable,
            Exception: _failed,
        },
        lifespan=lifespan,
        max_body_size=MAX_REQUEST,
    )
    app.state.dashboard = dashboard
    return app


def _warm_up(dashboard: Dashboard) -> None:
    """Read the active manifest before somebody waits for it: 5,000 sources take seconds."""
    with suppress(ConfigError, StoreError):  # which the pages report
        dashboard.directory.current()
    gc.freeze()  # each full collection would walk through what lives as long as the server


async def _health(_: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else ""
    return _error(request, status, _TITLES.get(status, _FAILED), detail)


async def _misconfigured(request: Request, error: Exception) -> Response:
    return _error(request, 500, "The configuration is wrong", str(error))


async def _unavailable(request: Request, error: Exception) -> Response:
    return _error(request, 503, "The database cannot be read now", str(error))


async def _failed(request: Request, _: Exception) -> Response:
    """Answer in place of a page that has a fault, which the server logs."""
    why = "The dashboard has a fault here. Its log says which: please report it."
    response = _error(request, 500, _FAILED, why)
    response.headers.update(HEADERS)  # the guard does not see this answer
    return response


def _error(request: Request, status: int, title: str, why: Any) -> Response:
    text = safe_lines(why)
    if request.url.path.startswith(API) or not hasattr(request.state, "session"):
        return JSONResponse({"error": text or title}, status)
    return render(request, "error.html", status=status, title=title, why=text)
