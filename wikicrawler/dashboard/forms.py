"""Forms: what a control is given, and where its page goes afterwards."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.errors import ConfigError, ControlRefused, StoreError
from wikicrawler.sources.manifest.activation import ActivationRefused
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

MAX_FIELDS = 1_000
MAX_PART = 1 << 20
"""Maximum size of a field in bytes; files are bounded by the size of the request."""


def control(
    path: str, act: Callable[[Request, FormData], str | Response], max_part: int = MAX_PART
) -> Route:
    """Return the route of a control, which accepts the form of a page only.

    *act* is called in a thread and returns the message for the next page, or a page of its own.
    ConfigError, StoreError and what refuses a control become a message, too: the page before is
    shown again. The field ``back`` of the form is the path of the page that follows.

    :param max_part: maximum size of a field in bytes
    """

    @wraps(act)
    async def endpoint(request: Request) -> Response:
        session = request.state.session
        if dashboard_of(request).read_only:
            raise HTTPException(403, "This dashboard is read-only (--read-only).")
        form = await request.form(max_files=1, max_fields=MAX_FIELDS, max_part_size=max_part)
        try:
            given = request.headers.get("x-csrf-token") or text_of(form, "csrf")
            if not session.has_csrf(given):
                raise HTTPException(403, "The page is too old: load it again, then repeat.")
            try:
                answer = await run_in_threadpool(act, request, form)
                if not isinstance(answer, str):
                    return answer
                session.say(answer)
            except (ConfigError, StoreError, ControlRefused, ActivationRefused) as error:
                session.say(safe_lines(error), is_error=True)
            return RedirectResponse(own_path(text_of(form, "back")), 303)
        finally:
            await form.close()

    return Route(path, endpoint, methods=["POST"], name=f"POST {path}")


def text_of(form: Any, name: str, limit: int = 2_000) -> str:
    """Return the field *name* without white space around it; empty where there is none."""
    value = form.get(name)
    return value.strip()[:limit] if isinstance(value, str) else ""


def own_path(path: str) -> str:
    """Return *path* if it is one of this server, else ``/``."""
    is_own = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_own and path.isprintable() and path.isascii() else "/"
